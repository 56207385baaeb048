import { describe, expect, test } from 'bun:test';
import { addSample, movementOf, type Sample } from './movement.ts';

const START = 1_770_000_000_000;
const at = (second: number, consumedAt: number | null, insertedAt: number | null): Sample => ({
  atMs: START + second * 1000,
  consumedAt: consumedAt === null ? null : START + consumedAt * 1000,
  insertedAt: insertedAt === null ? null : START + insertedAt * 1000,
});

describe('whether events move', () => {
  test.each([
    ['nothing seen yet', [], 'watching'],
    ['one look', [at(0, 0, 0)], 'watching'],
    ['two samples that are too close', [at(0, 0, 0), at(9, 8, 0)], 'watching'],
    ['nothing came', [at(0, -90, -90), at(5, -90, -90), at(10, -90, -90)], 'idle'],
    ['nothing ever came', [at(0, null, null), at(5, null, null), at(10, null, null)], 'idle'],
    ['all is written', [at(0, 0, 0), at(5, 5, 5), at(10, 10, 10)], 'flowing'],
    ['the first event of all is written', [at(0, null, null), at(5, 4, 4), at(10, 4, 4)], 'flowing'],
    ['received and not written', [at(0, 0, 0), at(5, 5, 0), at(10, 10, 0)], 'stuck'],
    ['never written', [at(0, 0, null), at(5, 5, null), at(10, 10, null)], 'stuck'],
    [
      'received just now, so that it may be on its way',
      [at(0, -90, -90), at(5, -90, -90), at(10, 10, -90)],
      'watching',
    ],
    ['received in one piece with nothing to write', [at(0, -90, -95), at(5, -90, -95), at(10, -90, -95)], 'idle'],
  ] as const)('%s', (_, samples, movement) => {
    expect(movementOf(samples)).toBe(movement);
  });

  test('old samples are dropped, and a clock set back starts over', () => {
    const samples = [0, 5, 10, 20, 30].map((second) => at(second, 0, 0)).reduce(addSample, [] as readonly Sample[]);
    expect(samples.map((one) => (one.atMs - START) / 1000)).toEqual([5, 10, 20, 30]);
    expect(addSample(samples, at(-60, 0, 0))).toHaveLength(1);
  });
});
