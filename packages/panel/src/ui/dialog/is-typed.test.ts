import { expect, test } from 'bun:test';
import { isTyped } from './is-typed.ts';

test('a number may be typed as it is shown, in whatever language', () => {
  for (const typed of [
    '14227',
    '14,227',
    '14.227',
    '14 227',
    '14\u2009227',
    '14\u202f227',
    "14'227",
    '14’227',
    ' 14227 ',
  ]) {
    expect(isTyped(typed, '14227')).toBe(true);
  }
  for (const typed of ['', '1422', '14,2270', '-14227', '14e227']) expect(isTyped(typed, '14227')).toBe(false);
});

test('a word is typed exactly', () => {
  expect(isTyped(' DELETE ', 'DELETE')).toBe(true);
  for (const typed of ['delete', 'DEL.ETE', 'DELETE!', '']) expect(isTyped(typed, 'DELETE')).toBe(false);
});
