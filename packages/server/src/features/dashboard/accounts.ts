import type { ChannelHealth, DashboardResponse } from '@manager/core/contract/dashboard';
import { byBytes } from '../../facts/answers/sort.ts';
import { addTotals, type Totals } from '../../facts/kernels/totals.ts';
import { averageLatency, costMember, ratio } from '../../facts/ratios.ts';
import { BAD_SUCCESS_BELOW, channelTone, failureTone } from './tones.ts';

type FailureSource = DashboardResponse['failure_sources'][number];

/** Sums of the events with the same account members. */
export interface AccountSums {
  readonly authIndex: string;
  readonly source: string;
  readonly sourceHash: string;
  readonly account: string;
  readonly label: string;
  /** Provider snapshot, else provider. */
  readonly provider: string;
  readonly totals: Totals;
}

interface Group {
  /** Newest first. */
  readonly members: readonly AccountSums[];
  readonly totals: Totals;
}

const MAX_ROWS = 5;
const EMPTY = '-';
const TONE_ORDER = { bad: 0, warn: 1, good: 2 } as const;

/**
 * Accounts with the most problems. A busy one has five failures even with a good rate, so those that fail often may not be
 * among them: they are a separate list.
 */
export function channelHealth(
  gatewayAccounts: readonly AccountSums[],
): Pick<DashboardResponse, 'channel_health' | 'failing_channels'> {
  const rows = groupBy(gatewayAccounts, ({ authIndex }) => orDash(authIndex))
    .map(channelRow)
    .sort(
      (left, right) =>
        TONE_ORDER[left.tone] - TONE_ORDER[right.tone] ||
        right.failures - left.failures ||
        right.calls - left.calls ||
        byBytes(left.auth_index, right.auth_index),
    );
  const first = rows.slice(0, MAX_ROWS);
  const failing = rows.filter(({ success_rate: rate }) => rate < BAD_SUCCESS_BELOW).slice(0, MAX_ROWS);
  return {
    channel_health: first,
    ...(failing.every((row) => first.includes(row)) ? {} : { failing_channels: failing }),
  };
}

/** Sources of the failures, most failures first. */
export function failureSources(gatewayAccounts: readonly AccountSums[]): FailureSource[] {
  return groupBy(gatewayAccounts, (one) => JSON.stringify([orDash(one.sourceHash), orDash(one.authIndex)]))
    .filter(({ totals }) => totals.failures > 0)
    .map(failureRow)
    .sort(
      (left, right) =>
        right.failures - left.failures ||
        right.last_seen_ms - left.last_seen_ms ||
        byBytes(left.source_hash, right.source_hash) ||
        byBytes(left.auth_index, right.auth_index),
    )
    .slice(0, MAX_ROWS);
}

function groupBy(gatewayAccounts: readonly AccountSums[], keyOf: (one: AccountSums) => string): Group[] {
  const groups = Map.groupBy(gatewayAccounts, keyOf);
  return [...groups.values()].map((members) => ({
    members: members.toSorted(newestFirst),
    totals: addTotals(members.map(({ totals }) => totals)),
  }));
}

function channelRow({ members, totals }: Group): ChannelHealth {
  const average = averageLatency(totals);
  return {
    auth_index: orDash(members[0]?.authIndex ?? ''),
    ...snapshots(members),
    calls: totals.calls,
    failures: totals.failures,
    failure_rate: ratio(totals.failures, totals.calls),
    success_rate: ratio(totals.calls - totals.failures, totals.calls),
    tokens: totals.totalTokens,
    ...costMember(totals),
    average_latency_ms: average,
    tone: channelTone(totals, average),
  };
}

function failureRow({ members, totals }: Group): FailureSource {
  return {
    source_hash: orDash(members[0]?.sourceHash ?? ''),
    auth_index: orDash(members[0]?.authIndex ?? ''),
    ...snapshots(members),
    calls: totals.calls,
    failures: totals.failures,
    failure_rate: ratio(totals.failures, totals.calls),
    last_seen_ms: totals.newestMs,
    average_latency_ms: averageLatency(totals),
    tone: failureTone(totals),
  };
}

/** Each field from the newest event that has one. */
function snapshots(members: readonly AccountSums[]) {
  return {
    ...text('source', newest(members, 'source')),
    ...text('account_snapshot', newest(members, 'account')),
    ...text('auth_label_snapshot', newest(members, 'label')),
    ...text('auth_provider_snapshot', newest(members, 'provider')),
  };
}

function newest(members: readonly AccountSums[], field: 'source' | 'account' | 'label' | 'provider'): string {
  return members.find((member) => member[field] !== '')?.[field] ?? '';
}

function newestFirst(left: AccountSums, right: AccountSums): number {
  return right.totals.newestMs - left.totals.newestMs || right.totals.newestId - left.totals.newestId;
}

function orDash(value: string): string {
  return value === '' ? EMPTY : value;
}

function text<Name extends string>(name: Name, value: string): { readonly [Key in Name]?: string } {
  return value === '' ? {} : ({ [name]: value } as { readonly [Key in Name]: string });
}
