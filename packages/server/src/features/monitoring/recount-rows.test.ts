import { expect, test } from 'bun:test';
import { propertyRuns } from '@manager/core/testing/property-runs';
import { analyticsModel } from '@manager/core/usage/models';
import fc from 'fast-check';
import { UNKNOWN_KEY } from '../../facts/answers/identity.ts';
import type { StoredEvent } from '../../facts/testing/test-database.ts';
import { type AnalyticsQuery, type IncludedSections, parseAnalyticsRequest } from './request.ts';
import {
  distinctTexts,
  FROM_MS,
  filters,
  inRange,
  matchesFilters,
  matchesSearch,
  providerOf,
  search,
} from './testing/random-events.ts';
import { type Moment, replayHistory } from './testing/random-history.ts';
import { drafts, eventOf } from './testing/random-rows.ts';
import {
  accountStats,
  accountTimeline,
  apiKeyStats,
  apiKeyTimeline,
  asAnswered,
  channelShare,
  credentialStats,
  failureSources,
  keysAlone,
  modelStats,
  PRICES,
  taskBuckets,
  ZONE,
} from './testing/recount-rows.ts';

// For any events, segments and request, every row equals a plain recount of the events, also after their raw rows are deleted.

const question = fc.record({
  filters,
  search,
  from: fc.constantFrom(0, 1, 1_800_001),
  to: fc.constantFrom(1_800_002, 9_000_500, 9_000_501),
});

const INCLUDED = {
  model_stats: true,
  channel_share: true,
  failure_sources: true,
  account_stats: true,
  credential_stats: true,
  api_key_stats: true,
  credential_timeline: true,
  api_key_timeline: true,
  task_buckets: true,
  filter_options: true,
} satisfies Partial<IncludedSections>;

/** Client keys and models, nothing else. */
const KEYS: IncludedSections = {
  ...parseAnalyticsRequest('{"from_ms":1,"to_ms":2}').include,
  api_key_stats: true,
  model_stats: true,
};

test('every row equals a recount of the events', () => {
  fc.assert(
    fc.property(
      fc.array(drafts, { minLength: 1, maxLength: 40 }),
      fc.array(fc.integer({ min: 1, max: 15 }), { maxLength: 4 }),
      fc.array(question, { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(39), { maxLength: 2 }),
      (drafted, seals, questions, deleted) => {
        const distinct = [...new Map(drafted.map((one) => [one[0].event_hash, one])).values()];
        const events = distinct.map((one, index) => eventOf(2 + index * 2 - (index % 2), one));
        replayHistory({ events, seals, deleted, prices: PRICES }, (moment) => {
          for (const { filters: wanted, search: text, from, to } of questions) {
            const range = { from_ms: FROM_MS + from, to_ms: FROM_MS + to, time_zone: ZONE.name };
            const query = parseAnalyticsRequest(JSON.stringify(range));
            checkRows(moment, {
              ...query,
              include: { ...query.include, ...INCLUDED },
              recentFailures: 3,
              filters: wanted,
              search: { query: text.query.trim(), apiKeyHash: text.apiKeyHash },
            });
          }
        });
      },
    ),
    { numRuns: propertyRuns(40) },
  );
}, 180_000);

function checkRows({ events, live, ask }: Moment, query: AnalyticsQuery): void {
  const base = events.filter((event) => inRange(event, query) && matchesSearch(event, query));
  const matching = base.filter((event) => matchesFilters(event, query.filters));
  const {
    generated_at_ms: _,
    granularity: __,
    recent_failures,
    coverage: ___,
    filter_options,
    task_buckets,
    ...answer
  } = ask(query);
  expect(answer).toEqual(
    asAnswered({
      model_stats: modelStats(matching),
      channel_share: channelShare(matching),
      failure_sources: failureSources(matching),
      account_stats: accountStats(matching),
      credential_stats: credentialStats(matching),
      api_key_stats: apiKeyStats(matching),
      credential_timeline: accountTimeline(matching),
      api_key_timeline: apiKeyTimeline(matching),
    }),
  );
  const alone = ask({ ...query, include: KEYS, rows: { ...query.rows, contexts: 0, identities: 0 } });
  const { model_stats: models = [], api_key_stats: keys = [] } = alone;
  expect<unknown>(asAnswered({ model_stats: models, api_key_stats: keys })).toEqual(
    asAnswered({ model_stats: modelStats(matching), api_key_stats: keysAlone(matching) }),
  );
  const without = ask({ ...query, include: KEYS, rows: { ...query.rows, ids: [UNKNOWN_KEY] } });
  expect(without.api_key_stats ?? []).toEqual(
    (answer.api_key_stats ?? []).filter(({ api_key_hash }) => api_key_hash === ''),
  );
  checkTasks(task_buckets ?? [], matching, live);
  checkOptions(filter_options ?? {}, base);
  const values = ask({ ...query, include: { ...query.include, filter_options: false, filter_values: true } });
  expect(values.filter_options).toEqual(valuesOf(filter_options ?? {}));

  const asked = { ...query.filters, include_failed: true, failed_only: true };
  const failures = base
    .filter((event) => live.has(event.id) && matchesFilters(event, asked))
    .sort((a, b) => b.timestamp_ms - a.timestamp_ms || b.id - a.id)
    .slice(0, 3);
  expect((recent_failures ?? []).map((row) => [row.timestamp_ms, row.model, row.api_key_hash])).toEqual(
    failures.map((event) => [event.timestamp_ms, analyticsModel(event), event.api_key_hash]),
  );
}

type Answer = ReturnType<Moment['ask']>;

/** Only the digits of the time below a millisecond are lost with the raw rows. */
function checkTasks(
  found: NonNullable<Answer['task_buckets']>,
  matching: readonly StoredEvent[],
  live: ReadonlySet<number>,
): void {
  const { task_buckets: expected = [] } = asAnswered({ task_buckets: taskBuckets(matching) });
  if (matching.every((event) => live.has(event.id))) {
    expect(found).toEqual(expected);
    return;
  }
  expect(new Set(found.map((task) => task.bucket_key)).size).toBe(expected.length);
  const withoutKey = (list: typeof expected) => list.map(({ bucket_key: _, ...task }) => JSON.stringify(task)).sort();
  expect(withoutKey(found)).toEqual(withoutKey(expected));
}

function valuesOf(options: NonNullable<Answer['filter_options']>): Answer['filter_options'] {
  const { auth_files, project_ids, request_types, header_error_kinds, header_error_codes, header_quota_plans } =
    options;
  const lists = { auth_files, project_ids, request_types, header_error_kinds, header_error_codes, header_quota_plans };
  return JSON.parse(JSON.stringify(lists));
}

function checkOptions(options: NonNullable<Answer['filter_options']>, base: readonly StoredEvent[]): void {
  const { account_stats, api_key_stats, channel_share, model_stats, ...texts } = options;
  expect(JSON.parse(JSON.stringify({ account_stats, api_key_stats, channel_share, model_stats }))).toEqual(
    asAnswered({
      account_stats: accountStats(base),
      api_key_stats: apiKeyStats(base),
      channel_share: channelShare(base),
      model_stats: modelStats(base),
    }),
  );
  const lists = {
    providers: distinctTexts(base.map(providerOf)),
    auth_files: distinctTexts(base.map((event) => event.auth_file_snapshot)),
    project_ids: distinctTexts(base.map((event) => event.auth_project_id_snapshot)),
    request_types: distinctTexts(base.map((event) => event.executor_type)),
    header_error_kinds: distinctTexts(base.map((event) => event.header_error_kind)),
    header_error_codes: distinctTexts(base.map((event) => event.header_error_code)),
    header_quota_plans: distinctTexts(base.map((event) => event.header_quota_plan_type)),
    header_trace_ids: distinctTexts(base.map((event) => event.header_trace_id)),
  };
  const filled = Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0));
  expect<Readonly<Record<string, unknown>>>(texts).toEqual(filled);
}
