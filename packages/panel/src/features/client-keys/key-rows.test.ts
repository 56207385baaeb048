import { describe, expect, test } from 'bun:test';
import type { ApiKeyStats } from '@manager/core/contract/monitoring/sections';
import type { Client } from '../../platform/api/client.ts';
import { listClientKeys } from '../../platform/queries/client-keys.ts';
import { earlierKeys, filterRows, isPartOfKey, keyRows, requestsWithoutKey } from './key-rows.ts';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(64)) as [string, string, string, string];
const key = (index: number, text: string, hash: string) => ({ index, key: text, hash });
const use = (hash: string, calls: number, models: readonly string[] = []) =>
  ({ api_key_hash: hash, calls, models: models.map((model) => ({ model })) }) as unknown as ApiKeyStats;

const keys = [key(0, 'sk-first-key', A), key(1, 'sk-second-key', B)];
const aliases = new Map([
  [A, 'Team A'],
  [C, 'Left long ago'],
]);
const stats = [use(A, 5, ['alpha-1']), use('', 3), use(D, 2), use('', 4)];
const rows = keyRows({ keys, aliases, stats, recent: [use(A, 1)] });

describe('rows of keys', () => {
  test('are those that are listed, named or used, once each', () => {
    expect(rows.map(({ hash, state, alias }) => [hash, state, alias])).toEqual([
      [A, 'active', 'Team A'],
      [B, 'active', ''],
      [C, 'orphan', 'Left long ago'],
      [D, 'orphan', ''],
    ]);
    expect(rows.map((row) => row.use?.calls ?? null)).toEqual([5, null, null, 2]);
    expect(requestsWithoutKey(stats)).toBe(7);
  });

  test('know a key that is listed several times', () => {
    expect(keyRows({ keys: [...keys, key(2, 'sk-first-key', A)], aliases, stats, recent: [] })[0]).toMatchObject({
      listed: 2,
    });
  });

  test('without the list of the gateway claim nothing, and without use no zero', () => {
    const lost = keyRows({ keys: undefined, aliases, stats: undefined, recent: undefined });
    expect(lost.map(({ hash, state, key: raw, use: used }) => [hash, state, raw, used])).toEqual([
      [A, 'unknown', null, undefined],
      [C, 'unknown', null, undefined],
    ]);
    expect(filterRows(lost, 'active', { text: '', hash: '' })).toHaveLength(2);
    expect(filterRows(lost, 'unused', { text: '', hash: '' })).toEqual([]);
  });

  test.each([
    ['active', '', [A, B]],
    ['unused', '', [B]],
    ['orphan', '', [C, D]],
    ['all', '', [A, B, C, D]],
    ['all', 'TEAM', [A]],
    ['all', 'second', [B]],
    ['all', 'alpha', [A]],
    ['all', 'team long', []],
    ['all', 'dddd', [D]],
    ['active', 'long', []],
  ] as const)('%s with %p', (show, text, found) => {
    expect(filterRows(rows, show, { text, hash: '' }).map((row) => row.hash)).toEqual([...found]);
  });

  test('a key has the history of those that it replaced, in whatever language they were renamed', () => {
    const names = new Map([
      [A, 'Team (a)'],
      [B, 'team (A) (old)'],
      [C, 'Team (a) (旧 2)'],
      [D, 'Team (old)'],
    ]);
    const renamed = keyRows({ keys, aliases: names, stats, recent: [] });
    const hashes = renamed.map((row) => earlierKeys(row, renamed).map(({ hash }) => hash));
    expect(hashes).toEqual([[C, B], [], [], []]);
  });

  test('a pasted key is found by its hash, also where the key is no longer known', () => {
    expect(filterRows(rows, 'all', { text: 'sk-something-else', hash: D }).map((row) => row.hash)).toEqual([D]);
  });

  test('parts of keys are distinguished from other texts', () => {
    expect(isPartOfKey('second', rows)).toBe(true);
    expect(isPartOfKey('sk', rows)).toBe(false);
    expect(isPartOfKey('Team A', rows)).toBe(false);
  });
});

describe("the gateway's list", () => {
  const listed = (answer: unknown) => {
    const client: Pick<Client, 'call' | 'now'> = { call: async <T>() => answer as T, now: () => 0 };
    return listClientKeys(client as Client);
  };

  test('keeps its positions, whatever is between the keys', async () => {
    expect(await listed({ 'api-keys': ['one', '', null, 'two', 5] })).toEqual([
      { index: 0, key: 'one' },
      { index: 3, key: 'two' },
    ]);
    expect(await listed({ 'api-keys': null })).toEqual([]);
  });

  test.each([[[]], [{}], [{ a: 1 }], ['text'], [null], [{ 'api-keys': 'one' }]])('is not %j', async (answer) => {
    await expect(listed(answer)).rejects.toMatchObject({ kind: 'shape' });
  });
});
