import { describe, expect, test } from 'bun:test';
import { generateKey, isPrefix, keyProblem, keyStrength } from './key-text.ts';

describe('a generated key', () => {
  test('has its prefix and 40 random letters and digits', () => {
    const fill = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);
    const made = new Set(Array.from({ length: 50 }, () => generateKey('team-', fill)));
    expect(made.size).toBe(50);
    for (const key of made) expect(key).toMatch(/^team-[A-Za-z0-9]{40}$/);
    for (const key of made) expect(keyStrength(key)).toBe('strong');
  });

  test('prefers no letter: bytes that do not go into 62 evenly are left out', () => {
    const rounds = [255, 248, 0, 61];
    const fill = (bytes: Uint8Array<ArrayBuffer>) => {
      bytes.fill(0);
      bytes.fill(rounds.shift() ?? 0, 0, 30);
      if (rounds.length >= 2) bytes.fill(250);
    };
    expect(generateKey('', fill)).toBe('A'.repeat(40));
    expect(rounds).toEqual([61]);
  });
});

test.each([
  ['sk-', true],
  ['', true],
  ['a b', false],
  ['ü', false],
  ['x'.repeat(25), false],
] as const)('prefix %p is one: %p', (text, good) => {
  expect(isPrefix(text)).toBe(good);
});

test.each([
  ['password', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['correct-horse-battery', 'fair'],
  ['Zk3qT9vLw2XbN7mRcY5dHs8JpA4f', 'strong'],
] as const)('%p is %s', (key, strength) => {
  expect(keyStrength(key)).toBe(strength);
});

test.each([
  ['', 'clientKeys.keyEmpty'],
  ['  ', 'clientKeys.keyEmpty'],
  ['two words', 'clientKeys.keyCharacters'],
  ['schlüssel', 'clientKeys.keyCharacters'],
  [' sk-there ', 'clientKeys.keyListed'],
  ['sk-new', null],
] as const)('key %p: %p', (key, problem) => {
  expect(keyProblem(key, new Set(['sk-there']))).toBe(problem);
});
