import { describe, expect, test } from 'bun:test';
import { isTooDeep, MAX_JSON_DEPTH } from './depth.ts';

const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('the depth of JSON', () => {
  test.each([
    ['lists', lists],
    ['objects', objects],
    ['lists between long texts', (depth: number) => `${`["${'x'.repeat(100)}",`.repeat(depth)}1${']'.repeat(depth)}`],
  ])('of %s is allowed up to the limit', (_, nested) => {
    expect(isTooDeep(nested(MAX_JSON_DEPTH))).toBe(false);
    expect(isTooDeep(nested(MAX_JSON_DEPTH + 1))).toBe(true);
    expect(isTooDeep(nested(200_000))).toBe(true);
  });

  test('does not count what is side by side or inside a text', () => {
    expect(isTooDeep(`[${Array.from({ length: 5000 }, () => '[{}]').join()}]`)).toBe(false);
    expect(isTooDeep(JSON.stringify({ text: '['.repeat(5000), quoted: `"\\"${'{'.repeat(5000)}` }))).toBe(false);
    expect(isTooDeep(`{"a\\\\":${lists(5000)}}`)).toBe(true);
  });
});
