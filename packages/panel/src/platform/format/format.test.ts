import { afterEach, describe, expect, test } from 'bun:test';
import { Glob } from 'bun';
import {
  costColumn,
  durationTone,
  formatBytes,
  formatCompact,
  formatCost,
  formatCostSum,
  formatCount,
  formatDuration,
  formatExactCost,
  formatRate,
  formatShare,
  setNumberStyle,
  splitAge,
  successTone,
  tokensPerSecond,
} from './format.ts';

describe('numbers on screen', () => {
  test.each([
    [0, '$0'],
    [0.0000004, '<$0.001'],
    [0.000999, '<$0.001'],
    [0.001, '$0.001'],
    [0.0464, '$0.046'],
    [12.5, '$12.500'],
    [99.9994, '$99.999'],
    [99.9996, '$100.00'],
    [195.806, '$195.81'],
    [1_234_567.891, '$1,234,567.89'],
    [null, '–'],
    [undefined, '–'],
    [Number.NaN, '–'],
  ])('cost %p is %p', (value, text) => {
    expect(formatCost(value)).toBe(text);
  });

  test.each([
    [
      [1_234.5, 0.004, 0, null, 2],
      ['$1,234.50', '<$0.01', '$0.00', '–', '$2.00'],
    ],
    [
      [0.0461, 0.5, 0.00002],
      ['$0.0461', '$0.5000', '<$0.0001'],
    ],
    [
      [0.5, 0.25],
      ['$0.50', '$0.25'],
    ],
    [
      [0.5, 0.125],
      ['$0.500', '$0.125'],
    ],
    [
      [0.000_012_346, 0.000_001],
      ['$0.00001235', '$0.00000100'],
    ],
    [[0.000_000_000_4], ['<$0.01']],
    [
      [0, null],
      ['$0.00', '–'],
    ],
    [[], []],
  ])('costs of a column %p are %p', (costs: (number | null)[], texts: string[]) => {
    expect(costs.map(costColumn(costs))).toEqual(texts);
  });

  test.each([
    [0, 0, '$0'],
    [0, undefined, '$0'],
    [0, 3, '–'],
    [0.046, 3, '≥$0.046'],
    [0.046, 0, '$0.046'],
    [0.0004, 3, '≥$0'],
  ])('a cost of %p that lacks %p requests is %p', (usd, unpriced, text) => {
    expect(formatCostSum(usd, unpriced)).toBe(text);
  });

  test.each([
    [0, '$0'],
    [0.0000125, '$0.0000125'],
    [0.1 + 0.2, '$0.3'],
    [1234.5, '$1,234.5'],
  ])('exact cost %p is %p', (value, text) => {
    expect(formatExactCost(value)).toBe(text);
  });

  test.each([
    [0, '0%'],
    [0.0002, '<0.1%'],
    [0.979, '97.9%'],
    [0.99996, '99.9%'],
    [1, '100%'],
    [null, '–'],
    [Number.NaN, '–'],
  ])('share %p is %p', (value, text) => {
    expect(formatShare(value)).toBe(text);
  });

  test.each([
    [0, '0'],
    [15829, '15,829'],
    [4183022, '4,183,022'],
    [null, '–'],
    [undefined, '–'],
    [Number.NaN, '–'],
  ])('count %p is %p', (value, text) => {
    expect(formatCount(value)).toBe(text);
  });

  test.each([
    [0, '0'],
    [473, '473'],
    [999, '999'],
    [6260, '6.26K'],
    [83000, '83.0K'],
    [92240, '92.2K'],
    [999999, '1.00M'],
    [531_400_000, '531M'],
    [7_690_000, '7.69M'],
    [null, '–'],
  ])('compact %p is %p', (value, text) => {
    expect(formatCompact(value)).toBe(text);
  });

  test.each([
    [0, '0 ms'],
    [912, '912 ms'],
    [999.4, '999 ms'],
    [1000, '1.0 s'],
    [6449, '6.4 s'],
    [59_949, '59.9 s'],
    [59_960, '1 min 0 s'],
    [125_000, '2 min 5 s'],
    [null, '–'],
    [-1, '–'],
  ])('duration %p is %p', (value, text) => {
    expect(formatDuration(value)).toBe(text);
  });

  test.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1.0 KiB'],
    [268_435_456, '256.0 MiB'],
    [null, '–'],
  ])('bytes %p are %p', (value, text) => {
    expect(formatBytes(value)).toBe(text);
  });

  test('a rate is unknown without time or tokens, not 0', () => {
    expect(tokensPerSecond(100, 2000)).toBe(50);
    expect(tokensPerSecond(0, 2000)).toBeNull();
    expect(tokensPerSecond(100, 0)).toBeNull();
    expect(tokensPerSecond(100, 99)).toBeNull();
    expect(tokensPerSecond(100, 100)).toBe(1000);
    expect(tokensPerSecond(100, null)).toBeNull();
    expect(formatRate(null)).toBe('–');
    expect(formatRate(8.34)).toBe('8.3');
    expect(formatRate(44.4)).toBe('44');
  });

  test('waits get a tone from 15 s and 30 s on', () => {
    expect([null, 14_999, 15_000, 29_999, 30_000].map(durationTone)).toEqual([null, null, 'warn', 'warn', 'bad']);
  });

  test('a success rate has a tone below 95% and 85%', () => {
    expect([null, 1, 0.97, 0.95, 0.949, 0.85, 0.849, 0].map(successTone)).toEqual([
      null,
      null,
      null,
      null,
      'warn',
      'warn',
      'bad',
      'bad',
    ]);
  });

  test('ages use their largest unit and are never negative', () => {
    expect(splitAge(-5000)).toEqual({ unit: 'seconds', value: 0 });
    expect(splitAge(59_999)).toEqual({ unit: 'seconds', value: 59 });
    expect(splitAge(3_599_000)).toEqual({ unit: 'minutes', value: 59 });
    expect(splitAge(86_400_000)).toEqual({ unit: 'days', value: 1 });
  });
});

describe('the chosen style of numbers', () => {
  afterEach(() => setNumberStyle('comma'));

  test.each([
    ['comma', ['1,234,568', '6.26K', '$1,204.50', '97.9%', '<0.1%', '6.4 s', '3.2 MiB', '8.3']],
    ['point', ['1.234.568', '6,26K', '$1.204,50', '97,9%', '<0,1%', '6,4 s', '3,2 MiB', '8,3']],
    ['space', ['1 234 568', '6,26K', '$1 204,50', '97,9%', '<0,1%', '6,4 s', '3,2 MiB', '8,3']],
  ] as const)('%s holds for every kind of number', (style, texts) => {
    setNumberStyle(style);
    const shown = [
      formatCount(1_234_568),
      formatCompact(6_260),
      formatCost(1204.5),
      formatShare(0.979),
      formatShare(0.0001),
      formatDuration(6_400),
      formatBytes(3.2 * 1024 * 1024),
      formatRate(8.3),
    ];
    expect(shown.map((text) => text.replaceAll('\u202f', ' '))).toEqual([...texts]);
  });

  test('no number is formatted past it', async () => {
    const past: string[] = [];
    const root = new URL('../..', import.meta.url).pathname;
    for await (const path of new Glob('**/*.{ts,tsx}').scan(root)) {
      if (/test|platform\/format\/format\.|ui\/(controls\/number-field|chart\/(axis-format|scales))\./.test(path))
        continue;
      const code = await Bun.file(root + path).text();
      if (/NumberFormat|toLocaleString|toPrecision|\$\{[^}]*toFixed/.test(code)) past.push(path);
    }
    expect(past).toEqual([]);
  });
});
