import { createHmac } from 'node:crypto';
import type { AnalyticsResponse, EventRow } from '@manager/core/contract/monitoring/analytics';
import type { ViewerAnalytics, ViewerRequestRow } from '@manager/core/contract/viewer-links/viewer';
import type { PriceBook } from '@manager/core/pricing/price-book';
import { rowCost } from '@manager/core/pricing/row-cost';
import { sealCursor } from './cursor.ts';
import { toAnalyticsRequest, type ViewerQuestion } from './question.ts';

/**
 * Answers a question of a viewer. Runs in the analytics worker, where long answers block nobody.
 *
 * @param book the prices of the same transaction as the answer
 * @param ask answers a JSON request of `monitoring/analytics` in pieces
 * @throws AppError 400, 403
 */
export function answerViewer(
  question: ViewerQuestion,
  book: PriceBook,
  ask: (body: string) => readonly Uint8Array[],
): Uint8Array<ArrayBuffer> {
  const pieces = ask(JSON.stringify(toAnalyticsRequest(question)));
  const answer: AnalyticsResponse = JSON.parse(Buffer.concat(pieces).toString());
  return new TextEncoder().encode(JSON.stringify(viewerAnswer(answer, question, book)));
}

/**
 * The answer for a viewer, member by member: whatever analytics adds to its own answers is not in it.
 *
 * @throws Error when a row belongs to a client key outside the link
 */
function viewerAnswer(
  answer: AnalyticsResponse,
  { keys, cursorKey }: Omit<ViewerQuestion, 'request'>,
  book: PriceBook,
): ViewerAnalytics {
  const own = (hash: string): string => {
    if (keys !== null && !keys.includes(hash)) throw new Error('a row of another client key in an answer for a viewer');
    return hash;
  };
  const { summary, summary_comparison: before, timeline, gaps, model_stats, api_key_stats, events } = answer;
  return {
    generated_at_ms: answer.generated_at_ms,
    granularity: answer.granularity === 'hour' ? 'hour' : 'day',
    ...(summary && {
      summary: {
        ...sumsOf({ ...summary, calls: summary.total_calls, cost: summary.total_cost }),
        success_rate: summary.success_rate,
        cache_hit_rate: summary.cache_hit_rate,
        reasoning_tokens: summary.reasoning_tokens,
        average_latency_ms: summary.average_latency_ms,
        p95_latency_ms: summary.p95_latency_ms,
        p95_ttft_ms: summary.p95_ttft_ms,
      },
    }),
    ...(before && {
      comparison: {
        from_ms: before.from_ms,
        to_ms: before.to_ms,
        calls: before.total_calls,
        failure_calls: before.failure_calls,
        total_tokens: before.total_tokens,
        ...costsOf({ cost: before.total_cost, unpriced_calls: before.unpriced_calls }),
      },
    }),
    ...(timeline && {
      timeline: timeline.map((point) => ({
        bucket_ms: point.bucket_ms,
        bucket_end_ms: point.bucket_end_ms,
        ...sumsOf({ ...point, failure_calls: point.failure }),
        reasoning_tokens: point.reasoning_tokens,
      })),
    }),
    ...(gaps && { gaps: gaps.map(({ from_ms, to_ms }) => ({ from_ms, to_ms })) }),
    ...(model_stats && { models: model_stats.map((row) => ({ model: row.model, ...sumsOf(row) })) }),
    ...(api_key_stats && {
      keys: api_key_stats.map((row) => ({
        api_key_hash: own(row.api_key_hash),
        ...sumsOf(row),
        average_latency_ms: row.average_latency_ms,
        last_seen_ms: row.last_seen_ms,
      })),
    }),
    ...(events && {
      requests: {
        items: events.items.map((row) => requestRow(row, own(row.api_key_hash), book, cursorKey)),
        next_cursor: events.has_more
          ? sealCursor({ beforeMs: events.next_before_ms, beforeId: events.next_before_id }, cursorKey)
          : null,
        total_count: events.total_count,
      },
    }),
  };
}

interface Costs {
  readonly cost: number;
  readonly unpriced_calls?: number | undefined;
}

interface Sums extends Costs {
  readonly calls: number;
  readonly failure_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_creation_tokens: number;
  readonly total_tokens: number;
}

function sumsOf(row: Sums) {
  return {
    calls: row.calls,
    failure_calls: row.failure_calls,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached_tokens: row.cached_tokens,
    cache_read_tokens: row.cache_read_tokens,
    cache_creation_tokens: row.cache_creation_tokens,
    total_tokens: row.total_tokens,
    ...costsOf(row),
  };
}

function costsOf({ cost, unpriced_calls }: Costs): Costs {
  return { cost, ...(unpriced_calls ? { unpriced_calls } : {}) };
}

function requestRow(row: EventRow, keyHash: string, book: PriceBook, secret: Uint8Array): ViewerRequestRow {
  const cost = rowCost(book, row);
  return {
    // The hash itself covers the account too: with the rest of the event known, accounts could be tried out on it.
    id: createHmac('sha256', secret).update(row.event_hash).digest('base64url').slice(0, 22),
    timestamp_ms: row.timestamp_ms,
    model: row.model,
    api_key_hash: keyHash,
    input_tokens: row.input_tokens,
    output_tokens: row.output_tokens,
    cached_tokens: row.cached_tokens,
    cache_read_tokens: row.cache_read_tokens,
    cache_creation_tokens: row.cache_creation_tokens,
    reasoning_tokens: row.reasoning_tokens,
    total_tokens: row.total_tokens,
    ...(cost === null ? {} : { cost }),
    latency_ms: row.latency_ms,
    ttft_ms: row.ttft_ms,
    failed: row.failed,
    ...(row.failed ? failureOf(row.fail_status_code) : {}),
    ...(row.stream === undefined ? {} : { stream: row.stream }),
  };
}

function failureOf(status: number | undefined): Pick<ViewerRequestRow, 'fail_kind' | 'fail_status_code'> {
  if (status === undefined) return { fail_kind: 'unknown' };
  return { fail_status_code: status, fail_kind: kindOf(status) };
}

function kindOf(status: number): NonNullable<ViewerRequestRow['fail_kind']> {
  if (status === 429) return 'rate_limited';
  if (status >= 400 && status < 500) return 'client_error';
  return status >= 500 && status < 600 ? 'server_error' : 'unknown';
}
