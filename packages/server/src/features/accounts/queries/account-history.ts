import {
  type AccountHistory,
  type AccountHistoryResponse,
  MAX_RECENT_REQUESTS,
  type RecentRequest,
} from '@manager/core/contract/accounts/history';
import { MAX_TIME_MS } from '@manager/core/contract/monitoring/analytics';
import { trimText } from '@manager/core/json/text';
import type { UsageEvent } from '@manager/core/usage/event';
import { IDENTITY_COLUMNS, identityOf } from '../../../facts/answers/identity-columns.ts';
import { foldText } from '../../../facts/case-folding.ts';
import type { AnalyticsContext } from '../../../facts/context.ts';
import { createPricer } from '../../../facts/kernels/cost.ts';
import { symbolDimension } from '../../../facts/kernels/dimensions.ts';
import type { EventPosition } from '../../../facts/kernels/top.ts';
import { costOfTotals } from '../../../facts/kernels/totals.ts';
import { unpricedMember } from '../../../facts/ratios.ts';
import type { FactSnapshot } from '../../../facts/reader.ts';
import { createScan, type Scan } from '../../../facts/scan.ts';
import { readEvents } from '../../../facts/stored-events.ts';
import type { SymbolTable } from '../../../facts/symbols.ts';
import { type JsonInput, queryOf } from '../../../http/json-question.ts';
import { Transfer } from '../../../sqlite/worker/transfer.ts';
import type { AccountHistoryQuery, HistoryTarget } from '../history-request.ts';
import { parseAccountHistory } from '../history-request.ts';
import { accountKeysOf } from './account-keys.ts';
import { eventsOfGroup, type RecentEvents, recentEventsSection } from './recent-events.ts';
import { addUsage, NO_USAGE, type UsageSums, usageOfGroups, usageSection } from './usage-sums.ts';

/** All sums use this one, so that each segment is grouped once. */
const IDENTITIES = symbolDimension(IDENTITY_COLUMNS);

/** Every event, whatever its time. */
const ALL_TIME = { fromMs: -MAX_TIME_MS, toMs: MAX_TIME_MS + 1, filters: null, search: { query: '', apiKeyHash: '' } };

/** Returns the JSON body. Facts are written together with their events, so totals are complete without any catch-up. */
export function answerAccountHistory(
  context: AnalyticsContext,
  input: JsonInput<AccountHistoryQuery>,
): Transfer<Uint8Array<ArrayBuffer>> {
  const query = queryOf(input, parseAccountHistory);
  const response = context.facts.read((snapshot) => readHistory(snapshot, query, context));
  const body = new TextEncoder().encode(JSON.stringify(response));
  return new Transfer(body, [body.buffer]);
}

function readHistory(
  snapshot: FactSnapshot,
  { targets }: AccountHistoryQuery,
  context: AnalyticsContext,
): AccountHistoryResponse {
  const scan = createScan({ ...snapshot, partials: snapshot.lifetimePartials }, ALL_TIME, context.checkStopped);
  const asked = new Set(targets.map(({ accountKey }) => accountKey));
  const lifetimes = planLifetimes(scan, snapshot, asked, context);
  const withRequests = targets.some(({ requestsOf }) => requestsOf !== null);
  const recent = withRequests
    ? scan.add(recentEventsSection(IDENTITIES, MAX_RECENT_REQUESTS, snapshot.rawDeletions))
    : null;
  scan.run();

  const byKey = lifetimes();
  const requestsOf = recent === null ? () => [] : readRequests(snapshot, targets, recent(), context);
  const newest = newestEventId(snapshot);
  return {
    generated_at_ms: context.now(),
    checkpoint: { last_event_id: newest, latest_id: newest, pending: false, processed: 0 },
    items: targets.map((target) => historyOf(target, byKey.get(target.accountKey), requestsOf(target))),
  };
}

/** Sums of every requested account, from one scan whose part over sealed segments is cached. */
function planLifetimes(
  scan: Scan,
  snapshot: FactSnapshot,
  asked: ReadonlySet<string>,
  context: AnalyticsContext,
): () => Map<string, UsageSums> {
  const { symbols } = snapshot;
  const prices = context.prices();
  const state = scan.add(usageSection([IDENTITIES], createPricer(prices.book, prices.revision, symbols)));
  const keyOf = accountKeysOf(symbols);
  return () => {
    const byKey = new Map<string, UsageSums>();
    for (const { values, usage } of usageOfGroups(state())) {
      const key = keyOf(values[0] ?? []);
      if (key !== '' && asked.has(key)) byKey.set(key, addUsage(byKey.get(key) ?? NO_USAGE, usage));
    }
    return byKey;
  };
}

function historyOf(
  { rowKey, accountKey }: HistoryTarget,
  lifetime: UsageSums | undefined,
  requests: readonly RecentRequest[],
): AccountHistory {
  const { calls, failures, totalTokens, ...usage } = lifetime ?? NO_USAGE;
  const [latest] = requests;
  return {
    row_key: rowKey,
    account_key: accountKey,
    matched: calls > 0,
    total_requests: calls,
    success_calls: calls - failures,
    failure_calls: failures,
    total_tokens: totalTokens,
    total_cost: costOfTotals(usage),
    ...unpricedMember(usage),
    success_rate: calls > 0 ? (calls - failures) / calls : null,
    first_seen_ms: lifetime?.oldestMs ?? null,
    last_seen_ms: lifetime?.newestMs ?? null,
    ...(latest === undefined ? {} : { latest_request: latest, recent_requests: [...requests] }),
    sync_status: calls > 0 ? 'ready' : 'empty',
  };
}

/** The newest requests of the file and index of each target, ignoring case. */
function readRequests(
  snapshot: FactSnapshot,
  targets: readonly HistoryTarget[],
  recent: RecentEvents,
  context: AnalyticsContext,
): (target: HistoryTarget) => RecentRequest[] {
  const byRequester = newestByRequester(snapshot.symbols, recent);
  const positions = new Map(targets.map((target) => [target, newestOf(byRequester.get(requesterName(target)) ?? [])]));
  const ids = new Set([...positions.values()].flatMap((list) => list.map(({ eventId }) => eventId)));
  const rows = new Map(
    readEvents(
      snapshot,
      Array.from(ids, (eventId) => ({ eventId })),
      context,
      (event, id) => [id, requestRow(event)],
    ),
  );
  return (target) =>
    (positions.get(target) ?? []).flatMap(({ eventId }) => {
      const row = rows.get(eventId);
      return row === undefined ? [] : [row];
    });
}

function newestByRequester(symbols: SymbolTable, recent: RecentEvents): Map<string, EventPosition[]> {
  const byName = new Map<string, EventPosition[]>();
  for (const [group, ids] of recent.groups.valuesIn(0).entries()) {
    const { file, source, authIndex } = identityOf(ids, symbols);
    const name = nameOf(trimText(file) === '' ? trimText(source) : trimText(file), trimText(authIndex));
    const known = byName.get(name) ?? [];
    known.push(...eventsOfGroup(recent, group, MAX_RECENT_REQUESTS));
    byName.set(name, known);
  }
  return byName;
}

function newestOf(events: readonly EventPosition[]): EventPosition[] {
  return events
    .toSorted((left, right) => right.timestampMs - left.timestampMs || right.eventId - left.eventId)
    .slice(0, MAX_RECENT_REQUESTS);
}

function requesterName({ requestsOf }: HistoryTarget): string {
  return requestsOf === null ? '' : nameOf(requestsOf.file, requestsOf.index);
}

/** A JSON list, because both are arbitrary texts. */
function nameOf(file: string, index: string): string {
  return JSON.stringify([foldText(file), foldText(index)]);
}

function requestRow(event: UsageEvent): RecentRequest {
  return {
    timestamp_ms: event.timestamp_ms,
    failed: event.failed,
    ...(event.fail_status_code !== null && event.fail_status_code > 0
      ? { fail_status_code: event.fail_status_code }
      : {}),
    ...(event.fail_summary === '' ? {} : { fail_summary: event.fail_summary }),
    ...(event.header_error_kind === '' ? {} : { header_error_kind: event.header_error_kind }),
    ...(event.header_error_code === '' ? {} : { header_error_code: event.header_error_code }),
    ...(event.header_trace_id === '' ? {} : { header_trace_id: event.header_trace_id }),
  };
}

/** From the id sequence: the newest events may be deleted. */
function newestEventId({ db }: FactSnapshot): number {
  const sequence = db.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'usage_events'").get();
  return sequence?.seq ?? 0;
}
