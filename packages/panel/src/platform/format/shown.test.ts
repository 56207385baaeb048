import { expect, test } from 'bun:test';
import { shown } from './shown.ts';

test('names stay as they are', () => {
  expect(shown('claude-opus-4 · 模型 عربي 👍🏽')).toBe('claude-opus-4 · 模型 عربي 👍🏽');
});

test('a text of a megabyte is cut, never inside a character', () => {
  expect(shown('m'.repeat(1_000_000))).toBe(`${'m'.repeat(300)}…`);
  expect(shown('👍👍', 3)).toBe('👍…');
});

test('what would change the order of reading, or cannot be seen, becomes visible', () => {
  expect(shown('two\nlines\t')).toBe('two\nlines\t');
  expect(shown('\u202egnp.exe\u202c\u2066\u200f\u0000')).toBe('\ufffdgnp.exe\ufffd\ufffd\ufffd\ufffd');
});
