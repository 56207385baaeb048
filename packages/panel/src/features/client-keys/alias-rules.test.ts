import { describe, expect, test } from 'bun:test';
import { checkAlias, retiredAlias } from './alias-rules.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(64)) as [string, string, string];
const aliases = new Map([
  [A, 'Team A'],
  [C, 'Left'],
]);
const activeHashes = new Set([A, B]);
const check = (text: string, change: Partial<Parameters<typeof checkAlias>[1]> = {}) =>
  checkAlias(text, { hash: B, aliases, activeHashes, ...change });

describe('a name', () => {
  test.each([
    ['Team B', { kind: 'fine' }],
    ['  ', { kind: 'problem', text: 'clientKeys.aliasEmpty' }],
    ['a\u202eb', { kind: 'problem', text: 'clientKeys.aliasCharacters' }],
    ['x'.repeat(121), { kind: 'problem', text: 'clientKeys.aliasLong' }],
    [` ${'😀'.repeat(120)} `, { kind: 'fine' }],
    [' team a ', { kind: 'problem', text: 'clientKeys.aliasTaken' }],
    ['LEFT', { kind: 'orphan', hash: C }],
  ] as const)('%p', (text, verdict) => {
    expect(check(text)).toEqual(verdict);
  });

  test('of the key itself may stay', () => {
    expect(check('TEAM A', { hash: A })).toEqual({ kind: 'fine' });
  });

  test('of a removed key is not free while it is not known which keys are in use', () => {
    expect(check('Left', { activeHashes: null }).kind).toBe('problem');
    expect(check('Left', { activeHashes: new Set() }).kind).toBe('problem');
  });
});

describe('the name of a key whose own goes to its successor', () => {
  test.each([
    ['Team A', 'Team A (old)'],
    ['Busy', 'Busy (old 3)'],
  ])('%p becomes %p', (alias, retired) => {
    const taken = new Map([
      [A, 'busy (OLD)'],
      [B, 'Busy (old 2)'],
    ]);
    expect(retiredAlias(alias, 'old', taken)).toBe(retired);
  });

  test('is never too long, and cuts no character in two', () => {
    const retired = retiredAlias('😀'.repeat(120), 'old', new Map());
    expect([...retired]).toHaveLength(120);
    expect(retired.isWellFormed()).toBe(true);
  });
});
