import { describe, expect, test } from 'bun:test';
import type { PaletteItem } from '../../ui/palette-source.ts';
import { matchItems } from './search.ts';

const item = (label: string, words?: string): PaletteItem => ({
  key: label,
  label,
  icon: 'key',
  open: { to: '/' },
  ...(words === undefined ? {} : { words }),
});
const items = [
  item('ops***@example.com', 'ops-team@example.com'),
  item('Model prices', '/model-prices'),
  item('Remodel'),
  item('Import & export', '/import-export'),
  item('A model'),
];
const found = (text: string) => matchItems(items, text).map((one) => one.label);

describe('the palette', () => {
  test('lists labels that start with the word first, then words of the label, then any part', () => {
    expect(found('model')).toEqual(['Model prices', 'A model', 'Remodel']);
  });

  test('wants every word, in any order and case', () => {
    expect(found('PRICES model')).toEqual(['Model prices']);
    expect(found('model export')).toEqual([]);
  });

  test('finds a masked name by the real one', () => {
    expect(found('ops-team')).toEqual(['ops***@example.com']);
  });

  test('keeps everything in order without a word', () => {
    expect(matchItems(items, '  ')).toBe(items);
  });
});
