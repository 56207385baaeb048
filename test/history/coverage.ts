import { expect } from 'bun:test';
import { ANALYTICS_PATH, type AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { ManagerProcess } from '../support/manager-process.ts';
import { NEWEST, OLDER, type Range, WHOLE } from './questions.ts';

/** What was deleted, and the total before. */
export interface Deletion {
  readonly events: number;
  readonly deleted: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly request: Request;
}

export interface Request {
  readonly event_hash: string;
  readonly timestamp_ms: number;
}

/** How far around its time a link to a request searches. */
const DETAIL_MS = 60_000;
/** A sum that facts provide, and a list that needs raw rows. */
const INCLUDE = { summary: true, events_page: { limit: 1 } };

/** Answers report exactly what was deleted: for the whole history, a deleted range, an untouched one, and one request. */
export async function checkDeletionIsReported(manager: ManagerProcess, deletion: Deletion): Promise<void> {
  const { events, deleted, firstMs, lastMs, request } = deletion;
  const whole = await ask(manager, WHOLE);
  expect(whole.coverage).toMatchObject({
    mode: 'mixed',
    raw_complete: false,
    raw_event_count: events - deleted,
    raw_deleted_event_count: deleted,
    min_deleted_timestamp_ms: firstMs,
    max_deleted_timestamp_ms: lastMs,
  });
  expect(whole.summary?.total_calls).toBe(events);
  expect(whole.events?.total_count).toBe(events - deleted);

  const older = await ask(manager, OLDER);
  expect(older.coverage).toMatchObject({
    mode: 'aggregate_only',
    raw_complete: false,
    raw_deleted_event_count: older.summary?.total_calls,
  });
  const { min_deleted_timestamp_ms: from = 0, max_deleted_timestamp_ms: to = 0 } = older.coverage ?? {};
  expect(from).toBeGreaterThanOrEqual(OLDER.from_ms);
  expect(to).toBeLessThan(OLDER.to_ms);

  expect((await ask(manager, NEWEST)).coverage).toBeUndefined();

  const detail = await askForDetail(manager, request);
  expect(detail.events).toMatchObject({ items: [], total_count: 0 });
  expect(detail.coverage?.raw_deleted_event_count).toBeGreaterThan(0);
}

/** Requests one event as a link to it does. */
export function askForDetail(
  manager: ManagerProcess,
  { event_hash, timestamp_ms }: Request,
): Promise<AnalyticsResponse> {
  const range = { from_ms: timestamp_ms - DETAIL_MS, to_ms: timestamp_ms + DETAIL_MS };
  return ask(manager, range, { search_query: event_hash, include: { events_page: { limit: 1 } } });
}

function ask(manager: ManagerProcess, range: Range, members: object = {}): Promise<AnalyticsResponse> {
  return manager.post<AnalyticsResponse>(ANALYTICS_PATH, { ...range, include: INCLUDE, ...members });
}
