import { expect, test } from 'bun:test';
import { maskLog } from '../../../platform/format/mask.ts';
import { hiddenChanges } from './hidden-changes.ts';
import { differenceOf } from './review.ts';

const hidden = (before: string, after: string) => {
  const lines = differenceOf(before, after).hunks.flatMap((hunk) => hunk.lines);
  const ids = hiddenChanges(lines, maskLog);
  return lines.filter(({ id }) => ids.has(id)).map(({ kind, text }) => `${kind} ${text}`);
};

test('a changed key is marked, because both lines look the same on screen', () => {
  expect(hidden('a: 1\napi-key: one-secret-1\nb: 1\n', 'a: 2\napi-key: two-secret-2\nb: 1\n')).toEqual([
    'removed api-key: one-secret-1',
    'added api-key: two-secret-2',
  ]);
});

test('a line that moved or is visibly different is not', () => {
  expect(hidden('api-key: one-secret-1\na: 1\n', 'a: 1\napi-key: one-secret-1\n')).toEqual([]);
  expect(hidden('port: 1\n', 'port: 2\n')).toEqual([]);
});
