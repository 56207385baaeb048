import { expect, test } from 'bun:test';
import { PIECE_LINES, pieceOf } from './pieces.ts';

const LONG = Array.from({ length: 2 * PIECE_LINES + 1 }, (_, index) => `line ${index + 1}\n`).join('');

test.each([0, 1, 2])('piece %d of a long text and its surroundings are the text', (index) => {
  const piece = pieceOf(LONG, index);
  expect(piece.head + piece.body + piece.tail).toBe(LONG);
  expect(piece.body).toStartWith(`line ${piece.firstLine}\n`);
  expect(piece.body).toEndWith(`line ${piece.lastLine}\n`);
  expect(piece).toMatchObject({ index, lines: 2 * PIECE_LINES + 1 });
});

test('behind the last piece is the last piece', () => {
  expect(pieceOf(LONG, 7)).toEqual(pieceOf(LONG, 2));
  expect(pieceOf(LONG.slice(0, -1), 2)).toMatchObject({ body: LONG.trimEnd().split('\n').at(-1) });
});

test.each(['', '\n', 'a', 'a\nb', 'a\nb\n', 'line\n'.repeat(PIECE_LINES)])('a short text is one piece', (text) => {
  expect(pieceOf(text, 1)).toMatchObject({ index: 0, head: '', body: text, tail: '', firstLine: 1 });
});
