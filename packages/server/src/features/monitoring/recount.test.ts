import { expect, test } from 'bun:test';
import type { EventsPage } from '@manager/core/contract/monitoring/analytics';
import { propertyRuns } from '@manager/core/testing/property-runs';
import { analyticsModel } from '@manager/core/usage/models';
import fc from 'fast-check';
import { testEvent } from '../../facts/testing/test-database.ts';
import { type AnalyticsQuery, parseAnalyticsRequest } from './request.ts';
import {
  accountsOf,
  distinctTexts,
  FROM_MS,
  inRange,
  matchesFilters,
  matchesSearch,
  members,
  providerOf,
  question,
} from './testing/random-events.ts';
import { type Moment, replayHistory } from './testing/random-history.ts';

// For any events, segments and request, the answer equals a plain recount of the events.

test('every page and every selector equals a recount of the events', () => {
  fc.assert(
    fc.property(
      fc.array(members, { minLength: 1, maxLength: 60 }),
      fc.array(fc.integer({ min: 1, max: 25 }), { maxLength: 4 }),
      fc.array(question, { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.array(fc.nat(59), { maxLength: 3 }),
      (drafts, seals, questions, limit, deleted) => {
        // Identities are unique; ids have gaps.
        const distinct = [...new Map(drafts.map((draft) => [draft.event_hash, draft])).values()];
        const events = distinct.map((draft, index) => testEvent(2 + index * 2 - (index % 2), draft));
        replayHistory({ events, seals, deleted }, (moment) => {
          for (const one of questions) checkPages(moment, queryOf(one), limit);
          for (const one of questions) checkSelectors(moment, queryOf(one));
        });
      },
    ),
    { numRuns: propertyRuns(60) },
  );
}, 180_000);

type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

function queryOf({ from, to, filters, search }: Question): AnalyticsQuery {
  return {
    ...parseAnalyticsRequest(JSON.stringify({ from_ms: FROM_MS + from, to_ms: FROM_MS + to })),
    filters,
    search: { query: search.query.trim(), apiKeyHash: search.apiKeyHash },
  };
}

function checkPages({ events, live, ask }: Moment, query: AnalyticsQuery, limit: number): void {
  const expected = events
    .filter((event) => inRange(event, query) && matchesSearch(event, query))
    .filter((event) => live.has(event.id) && matchesFilters(event, query.filters))
    .sort((a, b) => b.timestamp_ms - a.timestamp_ms || b.id - a.id)
    .map((event) => event.event_hash);
  const hashes: string[] = [];
  const totals = new Set<number>();
  let cursor: { timestampMs: number; eventId: number } | null = null;
  for (let pages = 0; pages <= events.length; pages++) {
    const page: EventsPage | undefined = ask({ ...query, eventsPage: { limit, cursor } }).events;
    hashes.push(...(page?.items.map((item) => item.event_hash) ?? []));
    totals.add(page?.total_count ?? -1);
    if (page?.has_more !== true) break;
    cursor = { timestampMs: page.next_before_ms, eventId: page.next_before_id };
  }
  expect({ hashes, totals }).toEqual({ hashes: expected, totals: new Set([expected.length]) });
}

function checkSelectors({ events, ask }: Moment, query: AnalyticsQuery): void {
  const inScope = events.filter((event) => inRange(event, query) && matchesSearch(event, query));
  const selectors = ask({ ...query, include: { ...query.include, filter_selectors: true } }).filter_options ?? {};
  expect(selectors.models ?? []).toEqual(distinctTexts(inScope.map(analyticsModel)));
  expect(selectors.auth_files ?? []).toEqual(distinctTexts(inScope.map((event) => event.auth_file_snapshot)));
  expect(selectors.accounts ?? []).toEqual(distinctTexts(inScope.map((event) => event.account_snapshot)));
  expect(selectors.providers ?? []).toEqual(distinctTexts(inScope.map(providerOf)));
  expect(selectors.account_count ?? 0).toBe(accountsOf(inScope).size);
  for (const row of selectors.account_stats ?? []) {
    const labelled = accountsOf(inScope)
      .get(row.id)
      ?.filter((event) => event.auth_label_snapshot !== '');
    expect(row.auth_label_snapshot).toBe(labelled?.[0]?.auth_label_snapshot);
  }
}
