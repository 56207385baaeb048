import type { AvailabilityState } from '../../platform/accounts/availability.ts';
import {
  BUCKET_MS,
  bucketStart,
  type RecentBucket,
  type RecentUse,
  recentBuckets,
  recentUse,
} from '../../platform/accounts/recent-buckets.ts';
import type { AccountRow } from '../../platform/accounts/rows.ts';
import { isRecord } from '../../platform/browser/storage.ts';
import { formatCompact, formatCount, formatShare, successTone } from '../../platform/format/format.ts';
import type { TextKey, TextValues, Translate } from '../../platform/i18n/index.ts';
import { chartBuckets } from '../../ui/chart/buckets.ts';
import { FIXED_COLORS } from '../../ui/chart/series-style.ts';
import type { ChartData, ChartSeries } from '../../ui/chart/types.ts';
import type { Verdict } from './dashboard-view.ts';

/** Use of the API keys of one provider. */
export interface ProviderKeys {
  readonly provider: string;
  readonly keys: number;
  readonly buckets: readonly RecentBucket[];
}

/** Counts of an answer of `api-key-usage`; its keys are dropped. */
export function providerKeys(answer: Readonly<Record<string, unknown>>): readonly ProviderKeys[] {
  return Object.entries(answer).flatMap(([provider, entries]) => {
    if (!isRecord(entries)) return [];
    const all = Object.values(entries).map(recentBuckets);
    return { provider, keys: all.length, buckets: recentUse(all).buckets };
  });
}

/** Accounts or keys of one provider. */
export interface FleetRow {
  readonly provider: string;
  readonly kind: 'accounts' | 'keys';
  readonly total: number;
  /** null = unknown. */
  readonly enabled: number | null;
  readonly failing: number | null;
  readonly use: RecentUse;
}

/** States of an enabled account that serves no requests. */
const FAILING: ReadonlySet<AvailabilityState> = new Set(['signIn', 'deactivated', 'cooldown', 'spent', 'failing']);

export const isFailing = ({ availability }: AccountRow): boolean => FAILING.has(availability.state);

const bucketsOf = ({ recent }: AccountRow): readonly RecentBucket[] => recent?.buckets ?? [];

/** Most used first. */
export function fleetRows(accounts: readonly AccountRow[], keys: readonly ProviderKeys[]): readonly FleetRow[] {
  const byProvider = Map.groupBy(accounts, ({ account }) => account.listed.provider);
  const rows: readonly FleetRow[] = [
    ...[...byProvider].map(([provider, members]) => ({
      provider,
      kind: 'accounts' as const,
      total: members.length,
      enabled: members.filter(({ account }) => !account.listed.disabled).length,
      failing: members.filter(isFailing).length,
      use: recentUse(members.map(bucketsOf)),
    })),
    ...keys.map((one) => ({
      provider: one.provider,
      kind: 'keys' as const,
      total: one.keys,
      enabled: null,
      failing: null,
      use: recentUse([one.buckets]),
    })),
  ];
  const requests = ({ use }: FleetRow) => use.success + use.failed;
  return [...rows].sort((left, right) => requests(right) - requests(left) || (left.provider < right.provider ? -1 : 1));
}

/** The gateway's recent counts. */
export function wholeUse(rows: readonly FleetRow[]): RecentUse {
  return recentUse(rows.map(({ use }) => use.buckets));
}

/**
 * One sentence about now, the most important state first: gateway not answering, nothing that could serve, failing requests,
 * accounts that serve none, quiet.
 */
export function gatewayVerdict(
  fleet: readonly FleetRow[],
  {
    reached,
    keysKnown = true,
    reported = 0,
  }: {
    readonly reached: boolean;
    /** The provider keys are in the fleet. */
    readonly keysKnown?: boolean;
    /** Accounts that the gateway reports as unavailable. */
    readonly reported?: number | undefined;
  },
): {
  readonly tone: Verdict['tone'] | 'warn';
  readonly fact: TextKey;
  readonly text: TextKey;
  readonly values: TextValues;
} {
  const use = wholeUse(fleet);
  const requests = use.success + use.failed;
  const values = { minutes: use.minutes, requests: formatCount(requests), count: requests };
  if (!reached) return { tone: 'bad', fact: 'verdict.unreachable', text: 'verdict.unreachableText', values };
  if (fleet.length === 0 && keysKnown)
    return { tone: 'wait', fact: 'gateway.nothing', text: 'gateway.nothingText', values };
  if (use.minutes === 0) return { tone: 'wait', fact: 'gateway.noCounts', text: 'gateway.noCountsText', values };
  const share = requests === 0 ? 0 : use.failed / requests;
  if (requests > 0 && successTone(1 - share) !== null) {
    return {
      tone: 'bad',
      fact: 'verdict.degraded',
      text: 'gateway.degradedText',
      values: { ...values, share: formatShare(share), failed: formatCount(use.failed) },
    };
  }
  const unavailable = Math.max(
    reported,
    fleet.reduce((sum, { failing }) => sum + (failing ?? 0), 0),
  );
  if (unavailable > 0) {
    const text = requests === 0 ? 'gateway.quietText' : 'gateway.healthyText';
    return { tone: 'warn', fact: 'gateway.unavailable', text, values: { ...values, unavailable } };
  }
  return requests === 0
    ? { tone: 'wait', fact: 'verdict.quiet', text: 'gateway.quietText', values }
    : { tone: 'ok', fact: 'verdict.healthy', text: 'gateway.healthyText', values };
}

/** Requests and failed requests of every ten minutes, in lanes. */
export function throughputChart({ buckets }: RecentUse, nowMs: number, t: Translate): ChartData {
  const slots = buckets.map((bucket, index) => {
    const bucket_ms = bucketStart(index, buckets.length, nowMs);
    return { ...bucket, bucket_ms, bucket_end_ms: bucket_ms + BUCKET_MS };
  });
  const range = { fromMs: slots[0]?.bucket_ms ?? nowMs, toMs: slots.at(-1)?.bucket_end_ms ?? nowMs };
  const lane = (id: 'requests' | 'failed', weight: number, value: (bucket: RecentBucket) => number) => {
    const label = t(`dashboard.${id}`);
    const series: ChartSeries = {
      id,
      label,
      color: FIXED_COLORS[id],
      kind: 'bars',
      values: slots.map(value),
      format: formatCount,
    };
    return { id, title: label, axis: formatCompact, whole: true, weight, series: [series] };
  };
  return {
    ...range,
    nowMs,
    buckets: chartBuckets(slots, range, nowMs),
    lanes: [lane('requests', 2, ({ success, failed }) => success + failed), lane('failed', 1, ({ failed }) => failed)],
  };
}
