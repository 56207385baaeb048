import { afterEach, expect, test } from 'bun:test';
import { setNumberStyle } from '../../platform/format/format.ts';
import { axisCount, axisShare } from './axis-format.ts';

afterEach(() => setNumberStyle('comma'));

test.each([
  ['comma', ['2.5%', '2.4K']],
  ['point', ['2,5%', '2,4K']],
  ['space', ['2,5%', '2,4K']],
] as const)('numbers of an axis have the chosen style %s', (style, texts) => {
  setNumberStyle(style);
  expect([axisShare(0.025), axisCount(2_400)]).toEqual([...texts]);
});
