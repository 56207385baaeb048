import { AppError } from '@manager/core/contract/errors';
import type { AnalyticsRequest } from '@manager/core/contract/monitoring/analytics';
import type { ViewerAnalyticsRequest } from '@manager/core/contract/viewer-links/viewer';
import { VIEWER_REQUESTS_DEFAULT, VIEWER_REQUESTS_MAX } from '@manager/core/contract/viewer-links/words';
import { openCursor } from './cursor.ts';

/** A question of a viewer with what its link covers, which the question cannot change. */
export interface ViewerQuestion {
  readonly request: ViewerAnalyticsRequest;
  /** Client keys of the link; null = all requests. */
  readonly keys: readonly string[] | null;
  /** 32 random bytes. */
  readonly cursorKey: Uint8Array;
}

const DAY_MS = 86_400_000;
/** Longer ranges are answered by day. */
const HOURS_UP_TO_MS = 32 * DAY_MS;

/**
 * The question to analytics. Only members named here reach it: no search, no selectors and no filter on accounts, whose
 * mere number of results would tell something.
 *
 * @throws AppError 400 for an invalid cursor or limit, 403 when only client keys outside the link are asked for
 */
export function toAnalyticsRequest({ request, keys, cursorKey }: ViewerQuestion): AnalyticsRequest {
  const { include, status } = request;
  return {
    from_ms: request.from_ms,
    to_ms: request.to_ms,
    now_ms: request.now_ms,
    time_zone: request.time_zone,
    filters: {
      api_key_hashes: coveredKeys(request.api_key_hashes ?? [], keys),
      models: request.models,
      include_failed: status !== 'succeeded',
      failed_only: status === 'failed',
    },
    include: {
      granularity: granularityOf(request),
      summary: include?.summary === true || include?.comparison === true,
      summary_profile: 'compact',
      summary_percentiles: true,
      summary_comparison: include?.comparison === true,
      timeline: include?.timeline === true,
      model_stats: include?.models === true,
      api_key_stats: include?.keys === true,
      models_limit: 0,
      contexts_limit: 0,
      identities_limit: 0,
      events_page: include?.requests == null ? null : pageOf(include.requests, cursorKey),
    },
  };
}

/** An empty list would filter nothing, so it only comes from a link to all requests. */
function coveredKeys(asked: readonly string[], keys: readonly string[] | null): string[] {
  const wanted = asked.map((hash) => hash.trim().toLowerCase()).filter((hash) => hash !== '');
  if (wanted.length === 0) return [...(keys ?? [])];
  const covered = wanted.filter((hash) => keys === null || keys.includes(hash));
  if (covered.length === 0) throw new AppError('viewer_key_not_covered');
  return covered;
}

function granularityOf({ from_ms, to_ms, granularity }: ViewerAnalyticsRequest): 'hour' | 'day' {
  const length = (to_ms ?? 0) - (from_ms ?? 0);
  if (granularity === 'day' || length > HOURS_UP_TO_MS) return 'day';
  return granularity === 'hour' || length <= DAY_MS ? 'hour' : 'day';
}

type PageRequest = NonNullable<NonNullable<ViewerAnalyticsRequest['include']>['requests']>;

function pageOf({ limit, cursor }: PageRequest, cursorKey: Uint8Array) {
  const most = limit ?? 0;
  if (most > VIEWER_REQUESTS_MAX) {
    throw new AppError('invalid_request', { message: `include.requests.limit: at most ${VIEWER_REQUESTS_MAX}` });
  }
  const place = cursor == null || cursor === '' ? null : openCursor(cursor, cursorKey);
  return {
    limit: most > 0 ? most : VIEWER_REQUESTS_DEFAULT,
    ...(place === null ? {} : { before_ms: place.beforeMs, before_id: place.beforeId }),
  };
}
