import { expect, test } from 'bun:test';
import type { Translate } from '../i18n/index.ts';
import { priceSource } from './price-source.ts';

test('the source of a price is a word of the language, or the name of a catalogue', () => {
  const t: Translate = (key) => `<${key}>`;
  expect(['manual', 'built-in', 'LiteLLM', ''].map((source) => priceSource(source, t))).toEqual([
    '<prices.sourceManual>',
    '<cost.builtInFamily>',
    'LiteLLM',
    '',
  ]);
});
