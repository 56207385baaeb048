import { expect, test } from 'bun:test';
import { strayedFrom } from './strayed-keys.ts';

const list = (letters: string) => [...letters].map((key, index) => ({ index, key, hash: `#${key}` }));

test.each([
  // before, after, wanted, confirmed, taken instead
  ['abcd', 'abd', 'c', true, ''],
  ['abcd', 'bc', 'c', true, 'd'],
  // Both removed the same key: the second removal took the next one.
  ['abcd', 'ab', 'c', true, 'd'],
  // Others removed keys on purpose: too few went before them.
  ['abcd', 'bd', 'c', true, ''],
  ['abcdef', 'abde', 'c', true, ''],
  // Another one may have been removed on purpose right before, or right after.
  ['abcde', 'ab', 'c', true, 'de'],
  // Somebody put a key to the front.
  ['abcd', 'zacd', 'c', true, 'b'],
  // Nothing shows that the removal was made.
  ['abcd', 'bcd', 'c', false, ''],
  ['abcd', 'bc', 'c', false, 'd'],
  // One of two equal keys is enough.
  ['abcdd', 'bcd', 'c', true, ''],
  ['cabc', 'cab', 'c', true, ''],
] as const)('%p to %p without %p (confirmed: %p) took %p', (before, after, key, isConfirmed, taken) => {
  const index = before.lastIndexOf(key);
  const strayed = strayedFrom(list(before), list(after), { hash: `#${key}`, index }, isConfirmed);
  expect(strayed.map((one) => one.key).join('')).toBe(taken);
});
