import { expect, test } from 'bun:test';
import { propertyRuns } from '@manager/core/testing/property-runs';
import fc from 'fast-check';
import { decodeDetail } from '../../events/detail/detail-codec.ts';
import { createWordReader } from '../../events/detail/words.ts';
import { createEventWriter } from '../../events/ingest/event-writer.ts';
import type { AnalyticsContext } from '../../facts/context.ts';
import { createFactReader } from '../../facts/reader.ts';
import { sealTail } from '../../facts/seal.ts';
import { testEvent } from '../../facts/testing/test-database.ts';
import { createTestFolder } from '../../platform/testing/test-folder.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { differences } from '../monitoring/testing/vectors.ts';
import { createPriceReader } from '../prices/price-book.ts';
import { answerDashboard } from './queries/summary.ts';
import type { DashboardQuery } from './request.ts';
import { type Arrived, recount } from './testing/recount.ts';

// For any events, segments and request, the answer equals a plain recount of the events.

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const BASE_MS = Date.UTC(2026, 2, 10);

const PLAIN_PRICES = {
  alpha: { prompt: 2, completion: 8, cache: 0.5 },
  gamma: { prompt: 3, completion: 6, cache: 0 },
  free: { prompt: 0, completion: 0, cache: 0 },
};
/** Also by the context of single requests, or unknown. */
const PRICES: readonly Readonly<Record<string, object>>[] = [
  PLAIN_PRICES,
  {
    alpha: PLAIN_PRICES.alpha,
    gamma: { ...PLAIN_PRICES.gamma, contextTiers: [{ thresholdTokens: 1000, prompt: 5, completion: 9, cache: 0 }] },
  },
];

const name = fc.constantFrom('', ' ', '-', 'ann', 'Ann', 'b');
const count = fc.constantFrom(0, 0, 1, 7, 999, 1_000, 1_001, 70_000, 300_000);

const draft = fc.record({
  /** Around a day that starts at a half hour, an hour or any minute, so that slots and hours do not always coincide. */
  minute: fc.integer({ min: -90, max: 27 * 60 }),
  ms: fc.constantFrom(0, 0, 1, 59_999),
  isEarlyArrival: fc.integer({ min: 0, max: 40 }).map((value) => value === 0),
  members: fc.record({
    provider: name,
    auth_provider_snapshot: name,
    model: fc.constantFrom('alpha', 'gamma', 'alpha(high)', 'free', ''),
    requested_model: fc.constantFrom('', 'alpha', 'gamma(low)'),
    resolved_model: fc.constantFrom('', '', 'gamma', 'free'),
    service_tier: fc.constantFrom('', 'flex', 'priority'),
    auth_index: name,
    source: name,
    source_hash: name,
    account_snapshot: name,
    auth_label_snapshot: name,
    auth_file_snapshot: name,
    fail_summary: name,
    output_tokens: count,
    reasoning_tokens: count,
    cached_tokens: count,
    cache_read_tokens: count,
    cache_creation_tokens: count,
    total_tokens: count,
    normalized_total_input_tokens: count,
    latency_ms: fc.oneof(fc.constant(null), fc.constantFrom(0, 1, 14_000, 31_000)),
    failed: fc.integer({ min: 0, max: 3 }).map((value) => value === 0),
    fail_status_code: fc.constantFrom(null, 429),
  }),
});

const question = fc.record({
  startMinute: fc.constantFrom(0, 0, 30, 45, 17),
  /** Minutes from the start to now. */
  length: fc.oneof(fc.integer({ min: 0, max: 26 * 60 }), fc.constantFrom(0, 1, 30, 24 * 60, 25 * 60)),
  topModels: fc.integer({ min: 1, max: 6 }),
  recentFailures: fc.integer({ min: 1, max: 6 }),
});

test('every dashboard equals a recount of the events', () => {
  fc.assert(
    fc.property(
      fc.array(draft, { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 3 }),
      fc.array(question, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...PRICES),
      (drafts, seals, questions, priceList) => {
        const folder = createTestFolder();
        const path = folder.path('usage.sqlite');
        const writing = openMigrated(path, { now: () => BASE_MS });
        const reading = openDatabase(path, { readonly: true });
        try {
          writing.run('DELETE FROM model_prices');
          for (const [model, price] of Object.entries(priceList)) {
            writing
              .query(`INSERT INTO model_prices (model, source, price, updated_at_ms) VALUES (?, 'manual', ?, 0)`)
              .run(model, JSON.stringify(price));
          }
          const context = contextOn(reading);
          const events = drafts.map(toEvent);
          const half = Math.ceil(events.length / 2);
          const ask = (known: readonly Arrived[]) => {
            const { book } = context.prices();
            for (const one of questions) {
              const query = toQuery(one);
              const answer = JSON.parse(new TextDecoder().decode(answerDashboard(context, query).value));
              expect(differences(answer, recount(known, query, book))).toEqual([]);
            }
          };

          write(events.slice(0, half));
          ask(events.slice(0, half));
          for (const rows of seals) sealTail({ db: writing, now: () => 0 }, rows);
          write(events.slice(half));
          for (const rows of seals) sealTail({ db: writing, now: () => 0 }, rows);
          ask(events);

          function write(arrived: readonly Arrived[]) {
            writing
              .transaction(() => {
                const batch = createEventWriter(writing, { hourlyRollup: true }).begin();
                for (const { event, receivedAtMs } of arrived) {
                  expect(batch.claim(event)).toBe(true);
                  expect(batch.write(event, receivedAtMs)).toBe(event.id);
                }
                batch.finish();
              })
              .immediate();
          }
        } finally {
          reading.close();
          writing.close();
          folder.dispose();
        }
      },
    ),
    { numRuns: propertyRuns(120) },
  );
}, 180_000);

function toEvent(
  { minute, ms, isEarlyArrival, members }: typeof draft extends fc.Arbitrary<infer D> ? D : never,
  index: number,
): Arrived {
  const timestampMs = BASE_MS + minute * MINUTE_MS + ms;
  const input = members.normalized_total_input_tokens;
  const residual = Math.max(members.cached_tokens - members.cache_read_tokens - members.cache_creation_tokens, 0);
  const uncached = input - residual - members.cache_read_tokens - members.cache_creation_tokens;
  const event = testEvent(index + 1, {
    ...members,
    timestamp_ms: timestampMs,
    normalized_uncached_input_tokens: Math.max(uncached, 0),
    billable_output_tokens: members.output_tokens,
  });
  return { event, receivedAtMs: isEarlyArrival ? timestampMs - 2 * DAY_MS : timestampMs + 1 };
}

function toQuery(one: typeof question extends fc.Arbitrary<infer Q> ? Q : never): DashboardQuery {
  const todayStartMs = BASE_MS + one.startMinute * MINUTE_MS;
  return {
    todayStartMs,
    nowMs: todayStartMs + one.length * MINUTE_MS,
    topModels: one.topModels,
    recentFailures: one.recentFailures,
  };
}

function contextOn(db: ReturnType<typeof openDatabase>): AnalyticsContext {
  const words = createWordReader(db);
  return {
    facts: createFactReader(db, { cacheBytes: 200_000 }),
    prices: createPriceReader(db),
    decode: (detail) => decodeDetail(detail, words),
    now: () => 0,
    checkStopped: () => {},
  };
}
