import { expect, test } from 'bun:test';
import { createTranslator } from './translator.ts';

const english = createTranslator('en', {
  plain: 'Requests',
  rows_one: '{{count}} row of {{name}}',
  rows_other: '{{count}} rows of {{name}}',
  all: '{{count}} in all',
});

test('a text without placeholders', () => {
  expect(english('plain')).toBe('Requests');
  expect(english('plain', { count: 2 })).toBe('Requests');
});

test('the form of a number', () => {
  expect(english('rows', { count: 1, name: 'a' })).toBe('1 row of a');
  expect(english('rows', { count: 0, name: 'a' })).toBe('0 rows of a');
  expect(english('all', { count: 1 })).toBe('1 in all');
});

test('a language with one form', () => {
  const chinese = createTranslator('zh-CN', { rows_other: '{{count}} 行' });
  expect([chinese('rows', { count: 1 }), chinese('rows', { count: 5 })]).toEqual(['1 行', '5 行']);
});

test('values are inserted unchanged', () => {
  expect(english('rows', { count: 2, name: '$& {{count}}' })).toBe('2 rows of $& {{count}}');
});

test('what is missing shows', () => {
  expect(english('rows', { count: 2 })).toBe('2 rows of {{name}}');
  expect(english('unknown')).toBe('unknown');
});
