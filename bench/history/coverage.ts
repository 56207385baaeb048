import type { UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import { ANALYTICS_PATH, type AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { type Json, requireEqual } from './difference.ts';
import { NEWEST, OLDER, type Range, WHOLE } from './questions.ts';

/** What was deleted, and how much there ever was. */
export interface Deletion {
  readonly events: number;
  readonly deleted: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export interface Request {
  readonly event_hash: string;
  readonly timestamp_ms: number;
}

/** How far from its time the link to a request looks for it. */
const DETAIL_MS = 60_000;
const MAINTENANCE_PATH = '/v0/management/usage/maintenance';

/** Sections that name a limitation when single requests are gone, and what they name. */
const LIMITED = {
  ...{ summary: true, summary_profile: 'compact', summary_percentiles: true, timeline: true, heatmap: true },
  ...{ failure_sources: true, credential_stats: true, events_page: { limit: 1 } },
};
const LIMITATIONS = [
  'extended_summary_metrics_require_raw_events',
  'timeline_latency_percentiles_require_raw_events',
  'distribution_metrics_require_raw_events',
  'failure_metrics_require_raw_events',
  'credential_metrics_require_raw_events',
  'event_details_require_raw_events',
];

/** @throws Error unless answers and the maintenance page say exactly what was deleted. */
export async function requireDeletionIsTold(manager: ManagerProcess, deletion: Deletion): Promise<void> {
  const { events, deleted, firstMs, lastMs } = deletion;
  const about = { scope: 'time_range', raw_complete: false, core_aggregate_used: true };
  const whole = await ask(manager, WHOLE, { include: LIMITED });
  requireEqual('coverage of the whole history', whole.coverage as Json, {
    ...about,
    mode: 'mixed',
    raw_event_count: events - deleted,
    raw_deleted_event_count: deleted,
    min_deleted_timestamp_ms: firstMs,
    max_deleted_timestamp_ms: lastMs,
    fidelity_limitations: LIMITATIONS,
  });
  requireEqual('calls of the whole history', whole.summary?.total_calls, events);
  requireEqual('requests that are listed', whole.events?.total_count, events - deleted);

  const older = await ask(manager, OLDER, { include: LIMITED });
  const { min_deleted_timestamp_ms: from, max_deleted_timestamp_ms: to, ...counts } = older.coverage ?? {};
  requireEqual('coverage of a deleted range', counts as Json, {
    ...about,
    mode: 'aggregate_only',
    raw_deleted_event_count: older.summary?.total_calls ?? 0,
    fidelity_limitations: LIMITATIONS,
  });
  const within = (timeMs = 0) => timeMs >= OLDER.from_ms && timeMs < OLDER.to_ms;
  requireEqual('times of what was deleted', within(from) && within(to), true);
  requireEqual(
    'coverage of the newest days',
    (await ask(manager, NEWEST, { include: LIMITED })).coverage as Json,
    undefined,
  );

  const maintenance = await manager.json<UsageMaintenanceResponse>(MAINTENANCE_PATH);
  requireEqual(
    'the maintenance page',
    {
      raw_event_count: maintenance.raw_event_count,
      raw_archived_event_count: maintenance.raw_archived_event_count,
      raw_deleted_event_count: maintenance.raw_deleted_event_count,
    },
    { raw_event_count: events - deleted, raw_archived_event_count: 0, raw_deleted_event_count: deleted },
  );
}

/** Asks for one request as a link to it does. */
export async function requireDetail(manager: ManagerProcess, request: Request): Promise<void> {
  const { events, coverage } = await askForDetail(manager, request);
  const found = events?.items.map(({ event_hash }) => event_hash);
  requireEqual('the detail of a request', found, [request.event_hash]);
  requireEqual('its coverage', coverage as Json, undefined);
}

/** @throws Error unless the answer is that there is no such request any more, because raw rows were deleted. */
export async function requireDetailIsDeleted(manager: ManagerProcess, request: Request): Promise<void> {
  const { events, coverage } = await askForDetail(manager, request);
  requireEqual('requests found for a deleted one', events?.total_count, 0);
  requireEqual('their list', events?.items as Json, []);
  requireEqual('deleted requests around it', (coverage?.raw_deleted_event_count ?? 0) > 0, true);
  requireEqual('its limitation', coverage?.fidelity_limitations, ['event_details_require_raw_events']);
}

function askForDetail(manager: ManagerProcess, { event_hash, timestamp_ms }: Request): Promise<AnalyticsResponse> {
  const range = { from_ms: timestamp_ms - DETAIL_MS, to_ms: timestamp_ms + DETAIL_MS };
  return ask(manager, range, { search_query: event_hash, include: { events_page: { limit: 1 } } });
}

function ask(manager: ManagerProcess, range: Range, members: object): Promise<AnalyticsResponse> {
  return manager.post<AnalyticsResponse>(ANALYTICS_PATH, { ...range, ...members });
}
