import { expect, test } from 'bun:test';
import { compareReleases, isAtLeast } from './versions.ts';

test.each([
  ['0.1.0', 'v0.1.0', 0],
  ['0.1.0', '0.2.0', -1],
  ['0.10.0', '0.9.9', 1],
  ['0.1.0', '0.2.0-dev', 0],
  ['0.1.0', '', 0],
] as const)('release %p against %p', (left, right, sign) => {
  expect(Math.sign(compareReleases(left, right))).toBe(sign);
});

test.each([
  ['v7.2.140', '7.1.39', true],
  ['6.10.8', '6.10.8', true],
  ['6.9.49-rc1', '6.10.8', false],
  ['dev', '6.10.8', null],
  ['', '6.10.8', null],
] as const)('%p is at least %p: %p', (version, wanted, outcome) => {
  expect(isAtLeast(version, wanted)).toBe(outcome);
});
