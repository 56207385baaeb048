import type { Database } from 'bun:sqlite';
import {
  ANALYTICS_PATH,
  type AnalyticsResponse,
  analyticsResponseSchema,
} from '@manager/core/contract/monitoring/analytics';
import { sealTail } from '../../../facts/seal.ts';
import { monitoringRoutes } from '../routes.ts';
import { openSite, post, type Site } from './site.ts';
import { differences, type EventSet, storeVectorPrices, type VectorCase, vectorEvents } from './vectors.ts';

/** A way of storing the same events: no answer may depend on it. */
export interface StorageState {
  readonly name: string;
  /** Rows of each sealed segment; the rest stays in the tail. */
  readonly segments: readonly (number | 'all')[];
}

export const STORAGE_STATES: readonly StorageState[] = [
  { name: 'all in the tail', segments: [] },
  { name: 'all sealed', segments: ['all'] },
  { name: 'one segment and the tail', segments: [7] },
  { name: 'two segments and the tail', segments: [3, 4] },
];

/** The events and prices of the vectors, served over a socket. */
export function openVectorSite(
  set: EventSet,
  state: StorageState,
  routesOf: Parameters<typeof openSite>[0] = (analytics) => monitoringRoutes({ analytics }),
): Site {
  return openSite(routesOf, ({ db, insert }) => {
    const events = vectorEvents(set);
    storeVectorPrices(db);
    insert(events);
    for (const rows of state.segments) sealTail({ db, now: Date.now }, rows === 'all' ? events.length : rows);
  });
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
