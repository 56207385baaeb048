import { describe, expect, test } from 'bun:test';
import { BREAKDOWN_KINDS } from '@manager/core/contract/constants';
import { BREAKDOWN_MEASURES } from '@manager/core/contract/monitoring/breakdown';
import { propertyRuns } from '@manager/core/testing/property-runs';
import fc from 'fast-check';
import { testEvent } from '../../facts/testing/test-database.ts';
import { parseAnalyticsRequest } from './request.ts';
import { FROM_MS, inRange, matchesFilters } from './testing/random-events.ts';
import { type Moment, replayHistory } from './testing/random-history.ts';
import { drafts, eventOf } from './testing/random-rows.ts';
import { breakdown } from './testing/recount-breakdown.ts';
import { PRICES } from './testing/recount-rows.ts';

const question = fc.record({
  by: fc.constantFrom(...BREAKDOWN_KINDS),
  parts: fc.constantFrom(null, ...BREAKDOWN_KINDS),
  order: fc.constantFrom(...BREAKDOWN_MEASURES),
  limit: fc.constantFrom(1, 3, 500),
  partsLimit: fc.constantFrom(1, 2, 50),
  compare: fc.constantFrom(null, [0, 1], [1, 1_800_001], [0, 9_000_501]),
  from: fc.constantFrom(0, 1, 1_800_001),
  to: fc.constantFrom(1_800_002, 9_000_500, 9_000_501),
  // Midnight of the second zone is within the range.
  days: fc.constantFrom(null, 'UTC', 'Atlantic/Cape_Verde'),
  filters: fc.constantFrom({}, {}, { failed_only: true }, { api_key_hashes: ['Ann', 'x'] }),
});
type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

function check({ events, ask }: Moment, asked: Question): void {
  const { by, parts, order, limit, partsLimit, compare, filters, days } = asked;
  const [compareFrom, compareTo] = compare ?? [];
  const query = parseAnalyticsRequest(
    JSON.stringify({
      from_ms: FROM_MS + asked.from,
      to_ms: FROM_MS + asked.to,
      filters,
      time_zone: days ?? '',
      include: {
        breakdown: {
          by,
          parts,
          order,
          limit,
          parts_limit: partsLimit,
          days: days !== null,
          ...(compare === null
            ? {}
            : { compare_from_ms: FROM_MS + (compareFrom ?? 0), compare_to_ms: FROM_MS + (compareTo ?? 0) }),
        },
      },
    }),
  );
  const passing = events.filter((event) => matchesFilters(event, query.filters));
  const now = passing.filter((event) => inRange(event, query));
  const other = query.breakdown?.compare ?? null;
  const before = other === null ? [] : passing.filter((event) => inRange(event, { ...query, ...other }));
  const expected = {
    ...(other === null ? {} : { compare_from_ms: other.fromMs, compare_to_ms: other.toMs }),
    ...breakdown({ now, before }, asked),
  };
  expect(ask(query).breakdown).toEqual(JSON.parse(JSON.stringify(expected)));
}

test('rows, their parts and what is left out equal a recount of the events', () => {
  fc.assert(
    fc.property(
      fc.array(drafts, { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 4 }),
      fc.array(question, { minLength: 1, maxLength: 6 }),
      fc.array(fc.nat(39), { maxLength: 1 }),
      (drafted, seals, questions, deleted) => {
        const distinct = [...new Map(drafted.map((one) => [one[0].event_hash, one])).values()];
        const events = distinct.map((one, index) => eventOf(2 + index * 2 - (index % 2), one));
        replayHistory({ events, seals, deleted, prices: PRICES }, (moment) => {
          for (const asked of questions) check(moment, asked);
        });
      },
    ),
    { numRuns: propertyRuns(40) },
  );
}, 180_000);

describe('a request for a breakdown', () => {
  const parse = (breakdownRequest: object) =>
    parseAnalyticsRequest(JSON.stringify({ from_ms: 1, to_ms: 2, include: { breakdown: breakdownRequest } })).breakdown;

  test('has defaults for everything but the dimension', () => {
    expect(parse({ by: 'model', limit: 0 })).toEqual({
      by: 'model',
      parts: null,
      days: false,
      compare: null,
      order: 'cost',
      limit: 500,
      partsLimit: 50,
    });
  });

  test('has no days of a longer range than a month', () => {
    const ask = (days: number) => ({
      from_ms: FROM_MS,
      to_ms: FROM_MS + days * 86_400_000,
      include: { breakdown: { by: 'model', days: true } },
    });
    expect(parseAnalyticsRequest(JSON.stringify(ask(32))).breakdown?.days).toBe(true);
    expect(() => parseAnalyticsRequest(JSON.stringify(ask(33)))).toThrow('include.breakdown.days: at most 32 days');
  });

  test.each([
    [{}, 'include.breakdown.by'],
    [{ by: 'weather' }, 'include.breakdown.by'],
    [{ by: 'model', order: 'name' }, 'include.breakdown.order'],
    [{ by: 'model', limit: 501 }, 'include.breakdown.limit: at most 500'],
    [{ by: 'model', parts_limit: 51 }, 'include.breakdown.parts_limit: at most 50'],
    [{ by: 'model', compare_from_ms: 5 }, 'compare_from_ms and compare_to_ms'],
    [{ by: 'model', compare_from_ms: 5, compare_to_ms: 5 }, 'compare_from_ms and compare_to_ms'],
    [{ by: 'model', compare_from_ms: 0, compare_to_ms: 5 }, 'compare_from_ms and compare_to_ms'],
  ])('is refused when it is wrong: %j', (asked, text) => {
    expect(() => parse(asked)).toThrow(text);
  });
});

test('requests without a client key are one row, whatever accounts served them', () => {
  const events = [
    testEvent(1, { timestamp_ms: FROM_MS, api_key_hash: '', auth_file_snapshot: 'a.json' }),
    testEvent(2, { timestamp_ms: FROM_MS, api_key_hash: ' ', auth_file_snapshot: 'b.json' }),
  ];
  replayHistory({ events, seals: [], deleted: [] }, ({ events: { length }, ask }) => {
    const include = { breakdown: { by: 'client_key', parts: 'account' } };
    const asked = parseAnalyticsRequest(JSON.stringify({ from_ms: FROM_MS, to_ms: FROM_MS + 1, include }));
    const rows = ask(asked).breakdown?.rows ?? [];
    expect(rows.map(({ id, calls, parts }) => [id, calls, parts?.length])).toEqual([['', length, length]]);
  });
});
