import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { SelectedRows } from '../rows.ts';
import { feedMore, feedSection, type NumberRows } from '../testing/selected-rows.ts';
import { timeDimension } from './dimensions.ts';
import { overallPercentiles, overallPercentilesSection } from './overall-percentiles.ts';
import { type PercentilesState, percentilesByGroup, percentilesSection } from './percentiles.ts';
import { selectLargest } from './select-largest.ts';

const HOUR = 100;
const hours = timeDimension('hour', (ms) => {
  const value = Math.floor(ms / HOUR) * HOUR;
  return { fromMs: value, toMs: value + HOUR, value };
});

const together = timeDimension('together', () => ({ fromMs: -1e15, toMs: 1e15, value: 0 }));

function percentilesOfAll(state: PercentilesState) {
  return percentilesByGroup(state).get(0);
}

interface Sample {
  readonly time: number;
  /** null = unknown. */
  readonly latency: number | null;
  readonly ttft: number | null;
}

/** The definition: sort ascending, take position ceil(0.95·n). */
function nearestRank(values: readonly (number | null)[]): number | null {
  const known = values.filter((value): value is number => value !== null && value > 0).sort((a, b) => a - b);
  return known[Math.floor((95 * known.length + 99) / 100) - 1] ?? null;
}

function chunkOf(samples: readonly Sample[]): NumberRows {
  return {
    timestamp_ms: samples.map(({ time }) => time),
    latency_ms: samples.map(({ latency }) => (latency ?? -1) + 1),
    ttft_ms: samples.map(({ ttft }) => (ttft ?? -1) + 1),
  };
}

function expectedOf(samples: readonly Sample[]) {
  const values = [...new Set(samples.map(({ time }) => Math.floor(time / HOUR) * HOUR))];
  return new Map(
    values.map((value) => {
      const inside = samples.filter(({ time }) => Math.floor(time / HOUR) * HOUR === value);
      const percentiles = {
        latencyMs: nearestRank(inside.map(({ latency }) => latency)),
        ttftMs: nearestRank(inside.map(({ ttft }) => ttft)),
      };
      return [value, percentiles] as const;
    }),
  );
}

const duration = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 0, max: 5 }),
  fc.integer({ min: 0, max: 100_000 }),
  fc.constantFrom(2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 53 - 2),
);
const sample: fc.Arbitrary<Sample> = fc.record({
  time: fc.integer({ min: -150, max: 350 }),
  latency: duration,
  ttft: duration,
});

/** Without −0, which a sort does not distinguish from 0. */
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0);

describe('the largest values', () => {
  test('equal those of a sort, for any values and count', () => {
    const property = fc.property(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 6 }), double), { minLength: 1, maxLength: 200 }),
      fc.nat(),
      (list, pick) => {
        const count = (pick % list.length) + 1;
        const values = Float64Array.from(list);
        selectLargest(values, values.length, count);
        const sorted = list.toSorted((a, b) => b - a);
        expect([...values.subarray(0, count)].sort((a, b) => b - a)).toEqual(sorted.slice(0, count));
        expect(values[count - 1]).toBe(sorted[count - 1] ?? 0);
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  test.each([
    ['equal', () => 7],
    ['ascending', (index: number) => index],
    ['descending', (index: number) => -index],
    ['up and down', (index: number) => Math.min(index, 300_000 - index)],
  ])('%s values take linear time', (_name, valueAt) => {
    const values = Float64Array.from({ length: 300_000 }, (_, index) => valueAt(index));
    const largest = values.toSorted().at(-15_000) ?? 0;
    // Processor time, because it does not depend on other load.
    const begin = process.cpuUsage();
    selectLargest(values, values.length, 15_000);
    expect(values[14_999]).toBe(largest);
    expect(process.cpuUsage(begin).user / 1_000).toBeLessThan(1_000);
  });
});

describe('percentiles', () => {
  test.each([
    [1, 1],
    [19, 19],
    [20, 19],
    [21, 20],
    [100, 95],
    [101, 96],
  ])('of 1 to %d is %d', (count, expected) => {
    const samples = Array.from({ length: count }, (_, index) => ({ time: 0, latency: index + 1, ttft: null }));
    const section = percentilesSection(together);
    const state = feedSection(section, section.create(), [chunkOf(samples)]);
    expect(percentilesOfAll(state)).toEqual({ latencyMs: expected, ttftMs: null });
    const overall = overallPercentilesSection();
    const counted = feedSection(overall, overall.create(), [chunkOf(samples)]);
    expect(overallPercentiles(counted)).toEqual({ latencyMs: expected, ttftMs: null });
  });

  test('of everything equal those of a sort, however the rows are split', () => {
    const property = fc.property(
      fc.array(fc.array(sample, { minLength: 1, maxLength: 60 }), { maxLength: 6 }),
      fc.nat(),
      (chunks, pick) => {
        const section = overallPercentilesSection();
        const first = feedSection(section, section.create(), chunks.slice(0, pick % 7).map(chunkOf));
        const before = overallPercentiles(first);
        const state = feedSection(section, section.clone(first), chunks.slice(pick % 7).map(chunkOf));
        const all = chunks.flat();
        expect(overallPercentiles(state)).toEqual({
          latencyMs: nearestRank(all.map(({ latency }) => latency)),
          ttftMs: nearestRank(all.map(({ ttft }) => ttft)),
        });
        expect(overallPercentiles(first)).toEqual(before);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  test('equal those of a sort, however the rows are split, also from a cached part', () => {
    const property = fc.property(
      fc.array(fc.array(sample, { minLength: 1, maxLength: 60 }), { maxLength: 6 }),
      fc.array(fc.array(sample, { minLength: 1, maxLength: 60 }), { maxLength: 3 }),
      (closed, open) => {
        const all = [...closed, ...open].flat();
        const section = percentilesSection(hours);
        const kept = feedSection(section, section.create(), closed.map(chunkOf));
        section.compact?.(kept);
        for (const more of [open, open.toReversed()]) {
          const state = feedSection(section, section.clone(kept), more.map(chunkOf));
          expect(section.complete?.(state)).toBe(true);
          expect(percentilesByGroup(state)).toEqual(expectedOf(all));
        }
      },
    );
    fc.assert(property, { numRuns: 200 });
  });

  /** Many values per group, so that some are dropped. */
  function randomSamples(count: number, largest: number, seed: number): Sample[] {
    let state = seed;
    return Array.from({ length: count }, (_, index) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return { time: (index * 300) / count, latency: (state % largest) + 1, ttft: state % 3 === 0 ? null : state % 50 };
    });
  }

  function keep(section: ReturnType<typeof percentilesSection>, samples: readonly Sample[]): PercentilesState {
    const state = feedSection(section, section.create(), [chunkOf(samples)]);
    section.compact?.(state);
    return state;
  }

  test('stay correct when a cached part has dropped most values', () => {
    for (const dimension of [together, hours]) {
      const section = percentilesSection(dimension);
      const first = randomSamples(40_000, 90_000, 1);
      const kept = keep(section, first);
      expect(section.bytes(kept)).toBeLessThan(40_000 * 2 * 8 * 0.15);
      const second = randomSamples(30_000, 80_000, 2);
      const state = feedSection(section, section.clone(kept), [chunkOf(second)]);
      expect(section.complete?.(state)).toBe(true);
      const all = [...first, ...second];
      if (dimension === together) {
        expect(percentilesOfAll(state)?.latencyMs).toBe(nearestRank(all.map(({ latency }) => latency)));
        expect(percentilesOfAll(state)?.ttftMs).toBe(nearestRank(all.map(({ ttft }) => ttft)));
      } else expect(percentilesByGroup(state)).toEqual(expectedOf(all));
      expect(section.complete?.(section.clone(kept))).toBe(true);
    }
  });

  test('a cached part that dropped too much is detected, and a second attempt drops nothing', () => {
    const section = percentilesSection(together);
    const high = randomSamples(20_000, 90_000, 3).map((one) => ({ ...one, latency: (one.latency ?? 0) + 100_000 }));
    const low = randomSamples(500_000, 50, 4);
    const state = feedSection(section, section.clone(keep(section, high)), [chunkOf(low)]);
    expect(section.complete?.(state)).toBe(false);
    const again = feedSection(section, section.create(true), [chunkOf(high), chunkOf(low)]);
    expect(section.complete?.(again)).toBe(true);
    expect(percentilesOfAll(again)?.latencyMs).toBe(nearestRank([...high, ...low].map(({ latency }) => latency)));
  });

  test('hold the necessary part of the values of a long scan', () => {
    for (const dimension of [together, hours]) {
      const section = percentilesSection(dimension);
      const state = section.create();
      const fed: SelectedRows[] = [];
      const all: Sample[] = [];
      for (let chunk = 0; chunk < 9; chunk++) {
        const samples = randomSamples(65_536, 1_000_000, chunk + 10).map((one) => ({ ...one, time: chunk * 40 }));
        all.push(...samples);
        feedMore(section, state, chunkOf(samples), fed);
      }
      expect(section.bytes(state)).toBeLessThan(all.length * 8);
      expect(section.complete?.(state)).toBe(true);
      if (dimension === together) {
        expect(percentilesOfAll(state)?.latencyMs).toBe(nearestRank(all.map(({ latency }) => latency)));
      } else expect(percentilesByGroup(state)).toEqual(expectedOf(all));
    }
  }, 180_000);

  test('a clone that continues does not change the cached part', () => {
    const section = percentilesSection(together);
    const kept = keep(section, randomSamples(5_000, 1_000, 5));
    const before = percentilesOfAll(section.clone(kept));
    feedSection(section, section.clone(kept), [chunkOf(randomSamples(5_000, 1_000_000, 6))]);
    expect(percentilesOfAll(section.clone(kept))).toEqual(before);
  });
});
