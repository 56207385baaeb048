import { describe, expect, test } from 'bun:test';
import type { Entry } from '../../../platform/gateway/providers/entry.ts';
import { kindOf } from '../../../platform/gateway/providers/kinds.ts';
import { byPriority, filterRows, isPartOfKey, listedEntries, makeRow, onlyHere, originOf } from './rows.ts';

const rowsOf = (lists: Parameters<typeof listedEntries>[0]) =>
  listedEntries(lists).map((listed) => makeRow(listed, null, null));

const key = (name: string, more: Entry = {}): Entry => ({ 'api-key': `${name}-key-0123456789`, ...more });

describe('providers in one table', () => {
  test('come in the order of use: enabled, priority, kind, name; no priority is 0', () => {
    const rows = rowsOf({
      gemini: [key('off', { priority: 9, 'excluded-models': ['*'] }), key('plain'), key('low', { priority: -1 })],
      claude: [key('high', { priority: 5 }), key('zero', { priority: 0 })],
    });
    const titles = (ascending: boolean) => byPriority(rows, ascending).map(({ title }) => title.slice(0, 2));
    expect(titles(false)).toEqual(['hi', 'pl', 'ze', 'lo', 'of']);
    // Disabled ones stay last.
    expect(titles(true)).toEqual(['lo', 'pl', 'ze', 'hi', 'of']);
  });

  test('are never named by their key, and equal ones have addresses of their own', () => {
    const rows = rowsOf({
      gemini: [key('same', { prefix: 'a' }), key('same', { prefix: 'b' })],
      openai: [{ name: 'North' }],
    });
    expect(rows.map(({ title }) => title)).toEqual(['sa…89', 'sa…89', 'North']);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(3);
  });

  test('are found by kind, state, key, model and alias', () => {
    const rows = rowsOf({
      claude: [key('one', { models: [{ name: 'opus-4', alias: 'big' }] })],
      openai: [{ name: 'North', disabled: true, 'base-url': 'https://north.test/v1' }],
    });
    const found = (filter: Partial<Parameters<typeof filterRows>[1]>) =>
      filterRows(rows, { type: '', enabled: 'all', search: '', ...filter }).map(({ kind }) => kind.id);
    expect(found({})).toEqual(['claude', 'openai']);
    expect(found({ type: 'openai' })).toEqual(['openai']);
    expect(found({ enabled: 'off' })).toEqual(['openai']);
    for (const search of ['OPUS', 'big', 'one-key']) expect(found({ search })).toEqual(['claude']);
    expect(found({ search: 'north.test' })).toEqual(['openai']);
    expect(isPartOfKey('one-key', rows)).toBe(true);
    expect(isPartOfKey('one', rows)).toBe(false);
  });

  test('show which models end with one of them', () => {
    const models = (...names: string[]) => names.map((name) => ({ name, alias: '' }));
    const rows = rowsOf({
      claude: [key('one', { models: models('a', 'b') }), key('two', { models: models('b') })],
      codex: [key('off', { models: models('a'), 'excluded-models': ['*'] })],
    });
    expect(onlyHere(rows[1] ?? makeRow({ id: '', kind: kindOf('claude'), entry: {} }, null, null), rows)).toEqual([
      'a',
    ]);
  });

  test('link only to web addresses', () => {
    expect(originOf('https://a.test/v1')).toBe('https://a.test');
    expect(originOf('javascript:alert(1)')).toBeNull();
    expect(originOf('a.test')).toBeNull();
  });
});
