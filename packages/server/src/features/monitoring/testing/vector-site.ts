import type { Database } from 'bun:sqlite';
import {
  ANALYTICS_PATH,
  type AnalyticsResponse,
  analyticsResponseSchema,
} from '@manager/core/contract/monitoring/analytics';
import { sealTail } from '../../../facts/seal.ts';
import { monitoringRoutes } from '../routes.ts';
import { fillHourlyRollup } from './hourly-rollup.ts';
import { openSite, post, type Site } from './site.ts';
import { differences, type EventSet, storeVectorPrices, type VectorCase, vectorEvents } from './vectors.ts';

/** A way of storing the same events: no answer may depend on it. */
export interface StorageState {
  readonly name: string;
  /** Rows of each sealed segment; the rest stays in the tail. */
  readonly segments: readonly (number | 'all')[];
  /** Events in the hourly rollup; null = it is disabled. */
  readonly hourlyRollup: number | 'all' | 'rebuilt' | null;
}

export const STORAGE_STATES: readonly StorageState[] = [
  { name: 'hourly rollup current, all in the tail', segments: [], hourlyRollup: 'all' },
  { name: 'hourly rollup current, all sealed', segments: ['all'], hourlyRollup: 'all' },
  { name: 'hourly rollup lagging, some sealed', segments: [3, 4], hourlyRollup: 5 },
  { name: 'hourly rollup off, some sealed', segments: [2, 6], hourlyRollup: null },
  { name: 'hourly rollup rebuilt, some sealed', segments: [7], hourlyRollup: 'rebuilt' },
];

/** The events and prices of the vectors, served over a socket. */
export function openVectorSite(
  set: EventSet,
  state: StorageState,
  routesOf: Parameters<typeof openSite>[0] = (analytics) => monitoringRoutes({ analytics }),
): Site {
  return openSite(
    routesOf,
    (database) => {
      const events = vectorEvents(set);
      const { db } = database;
      storeVectorPrices(db);
      const early = typeof state.hourlyRollup === 'number' ? state.hourlyRollup : 0;
      database.insert(events.slice(0, early));
      if (early > 0) fillHourlyRollup(db);
      database.insert(events.slice(early));
      for (const rows of state.segments) sealTail({ db, now: Date.now }, rows === 'all' ? events.length : rows);
      if (state.hourlyRollup === 'all') fillHourlyRollup(db);
      if (state.hourlyRollup === 'rebuilt') {
        fillHourlyRollup(db);
        db.run('DELETE FROM hourly_core');
        db.run(`DELETE FROM counters WHERE name = 'hourly_core_event_id'`);
        fillHourlyRollup(db);
      }
    },
    // Whenever it can answer, so that it is used although the events are few.
    { hourlyRollupFromEvents: state.hourlyRollup === null ? Number.POSITIVE_INFINITY : 0 },
  );
}

export async function answerTo(site: Site, body: unknown): Promise<AnalyticsResponse> {
  const answer = await post(site, ANALYTICS_PATH, body);
  if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return analyticsResponseSchema.parse(answer.body);
}

/** Deletes raw events as after a verified archive: facts and the hourly rollup stay. */
export function deleteRawEvents(db: Database, beforeMs: number): void {
  db.query('DELETE FROM usage_events WHERE timestamp_ms < ?').run(beforeMs);
}

/** Differences between the answer and the vector, including absent members and rows of events. */
export async function vectorDifferences(site: Site, vector: VectorCase): Promise<string[]> {
  const answer: Readonly<Record<string, unknown>> = await answerTo(site, vector.request);
  const found = differences(answer, vector.expect);
  for (const name of vector.absent ?? []) if (name in answer) found.push(`.${name} is present`);
  return found;
}
