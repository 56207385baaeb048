import type { DashboardResponse } from '@manager/core/contract/dashboard';
import type { Coverage } from '@manager/core/contract/monitoring/sections';
import { tokenMix } from '@manager/core/usage/token-mix';
import { collectionGapsIn } from '../../../events/collection-gaps.ts';
import { countRaw, coverageOf, type Range } from '../../../facts/answers/coverage-object.ts';
import { failureRow } from '../../../facts/answers/event-row.ts';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { createPricer } from '../../../facts/kernels/cost.ts';
import { newestEventsSection } from '../../../facts/kernels/newest-events.ts';
import { addTotals, costOfTotals, groupTotals, type Totals, totalsSection } from '../../../facts/kernels/totals.ts';
import { type FactQuery, NO_FILTERS } from '../../../facts/query.ts';
import { averageLatency, ratio } from '../../../facts/ratios.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { createScan } from '../../../facts/scan.ts';
import { readEvents } from '../../../facts/stored-events.ts';
import { Transfer } from '../../../sqlite/worker/transfer.ts';
import { channelHealth, failureSources } from '../accounts.ts';
import { costRank, topModels } from '../ranking.ts';
import type { DashboardQuery } from '../request.ts';
import { hourlyActivity, hoursOf, requestHealth, trafficTimeline } from '../timelines.ts';
import { planAccounts, planModels, planPoints } from './day-sums.ts';

const ROLLING_MINUTES = 30;
const ROLLING_MS = ROLLING_MINUTES * 60_000;

/** Returns the JSON body of one dashboard. All of its parts come from one read transaction. */
export function answerDashboard(context: AnalyticsContext, query: DashboardQuery): Transfer<Uint8Array<ArrayBuffer>> {
  const response = context.facts.read((snapshot) => readDashboard(snapshot, query, context));
  const body = new TextEncoder().encode(JSON.stringify(response));
  return new Transfer(body, [body.buffer]);
}

function readDashboard(snapshot: FactSnapshot, query: DashboardQuery, context: AnalyticsContext): DashboardResponse {
  const { todayStartMs, nowMs } = query;
  const { symbols, db } = snapshot;
  const prices = context.prices();
  const pricer = createPricer(prices.book, prices.revision, symbols);
  const rollingStartMs = nowMs - ROLLING_MS;

  const today = createScan(snapshot, plausible(todayStartMs, nowMs), context.checkStopped);
  const readModels = planModels(today, pricer, symbols);
  const readPoints = planPoints(today, pricer, todayStartMs);
  const readAccounts = planAccounts(today, pricer, symbols);
  today.run();
  const rolling = createScan(snapshot, plausible(rollingStartMs, nowMs), context.checkStopped);
  const readRolling = rolling.add(totalsSection([], pricer));
  rolling.run();
  const failing = createScan(snapshot, plausible(todayStartMs, nowMs, { failed_only: true }), context.checkStopped);
  const readFailures = failing.add(newestEventsSection(query.recentFailures, null, snapshot.rawDeletions));
  failing.run();

  const models = readModels();
  const day = todayTotals(addTotals(models.map((model) => model.totals)));
  const points = readPoints();
  const gatewayAccounts = readAccounts();
  const traffic = trafficTimeline(todayStartMs, hoursOf(points));
  const gaps = collectionGapsIn(db, todayStartMs, nowMs);
  const coverage = readCoverage(snapshot, query, context);
  return {
    generated_at_ms: context.now(),
    ...(coverage === null ? {} : { coverage }),
    ...(gaps.length === 0 ? {} : { gaps }),
    window: { today_start_ms: todayStartMs, now_ms: nowMs, rolling_30m_start_ms: rollingStartMs },
    today: day,
    rolling_30m: rollingRates(addTotals(groupTotals(readRolling()).map((group) => group.totals))),
    top_models_today: topModels(models, query.topModels),
    model_cost_rank: costRank(models, query.topModels),
    traffic_timeline: traffic,
    hourly_activity: hourlyActivity(traffic),
    today_request_health_timeline: requestHealth(todayStartMs, nowMs, points),
    token_mix: tokenMix(day),
    ...channelHealth(gatewayAccounts),
    failure_sources: failureSources(gatewayAccounts),
    recent_failures: readEvents(snapshot, readFailures().top.result(), context, failureRow),
  };
}

/**
 * The part of the day that comes from raw events that were deleted after a verified archive. Sums outlive them; only the newest
 * failures need their raw event.
 */
function readCoverage(snapshot: FactSnapshot, query: DashboardQuery, context: AnalyticsContext): Coverage | null {
  if (snapshot.rawDeletions === 0) return null;
  const counted = (range: Range) => countRaw(snapshot, range, context.checkStopped);
  const current = counted({ fromMs: query.todayStartMs, toMs: query.nowMs });
  const rolling = { fromMs: query.nowMs - ROLLING_MS, toMs: query.nowMs };
  return coverageOf({
    current,
    comparison: null,
    auxiliary: [{ scope: 'rolling_30m', ...rolling, counts: counted(rolling) }],
    usesSums: true,
    limitations: () => (current.deleted > 0 ? ['failure_metrics_require_raw_events'] : []),
  });
}

/** Events with an implausible time are not part of today. */
function plausible(fromMs: number, toMs: number, filters: { readonly failed_only?: boolean } = {}): FactQuery {
  return {
    fromMs,
    toMs,
    filters: { ...NO_FILTERS, ...filters, plausible_only: true },
    search: { query: '', apiKeyHash: '' },
  };
}

function todayTotals(totals: Totals): DashboardResponse['today'] {
  return {
    total_calls: totals.calls,
    success_calls: totals.calls - totals.failures,
    failure_calls: totals.failures,
    success_rate: ratio(totals.calls - totals.failures, totals.calls),
    input_tokens: totals.inputTokens,
    output_tokens: totals.outputTokens,
    cached_tokens: totals.cachedTokens,
    cache_read_tokens: totals.cacheReadTokens,
    cache_creation_tokens: totals.cacheCreationTokens,
    reasoning_tokens: totals.reasoningTokens,
    total_tokens: totals.totalTokens,
    total_cost: costOfTotals(totals),
    average_latency_ms: averageLatency(totals),
    zero_token_calls: totals.zeroTokenCalls,
    unpriced_calls: totals.unpricedCalls,
  };
}

function rollingRates({ calls, totalTokens }: Totals): DashboardResponse['rolling_30m'] {
  return {
    rpm: calls / ROLLING_MINUTES,
    tpm: totalTokens / ROLLING_MINUTES,
    total_calls: calls,
    total_tokens: totalTokens,
  };
}
