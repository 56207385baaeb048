import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import type {
  ApiKeyStats,
  ChannelShare,
  CredentialStats,
  ModelStats,
  ModelSubRow,
  Summary,
} from '@manager/core/contract/monitoring/sections';
import { formatCompact, formatCount, knownCost } from '../../../platform/format/format.ts';
import type { Masker } from '../../../platform/format/mask.ts';
import { shown } from '../../../platform/format/shown.ts';
import { keyName } from '../../../platform/requests/event-view.ts';
import type { RankMeasure } from '../analytics-search.ts';
import type { Money } from '../money.ts';
import { rowToken } from './row-token.ts';

/** Use of a model, a client key, an account or a provider: one row of every table of the page. */
export interface UsageRow {
  readonly key: string;
  /** As shown: masked where it identifies somebody. */
  readonly name: string;
  /** The real name, for sorting and search. */
  readonly plainName: string;
  /** Second line: provider, account. */
  readonly detail: string;
  readonly calls: number;
  readonly failed: number;
  readonly tokens: number;
  readonly cost: number;
  /** Unpriced requests, which the cost lacks. */
  readonly unpriced: number;
  /** null = missing in this list. */
  readonly input: number | null;
  readonly output: number | null;
  readonly hitRate: number | null;
  readonly latencyMs: number | null;
  readonly lastSeenMs: number | null;
}

export interface KeyRow extends UsageRow {
  /** '' = requests without a client key. */
  readonly hash: string;
  readonly stats: ApiKeyStats;
}

export interface CredentialRow extends UsageRow {
  readonly stats: CredentialStats;
}

export const failureRate = ({ calls, failed }: Pick<UsageRow, 'calls' | 'failed'>): number | null =>
  calls === 0 ? null : failed / calls;

/** US dollars per 1,000 requests. */
export const unitCost = ({ calls, cost }: Pick<UsageRow, 'calls' | 'cost'>): number | null =>
  calls === 0 ? null : (cost / calls) * 1_000;

type Ranked = Pick<UsageRow, 'calls' | 'cost' | 'tokens' | 'unpriced'>;

export function rankValue(row: Omit<Ranked, 'unpriced'>, by: RankMeasure): number {
  if (by === 'requests') return row.calls;
  return by === 'tokens' ? row.tokens : row.cost;
}

/** null = only unpriced requests. */
export const knownValue = (row: Ranked, by: RankMeasure): number | null =>
  by === 'cost' ? knownCost(row.cost, row.unpriced) : rankValue(row, by);

/** The whole that shares are part of: from the same answer as the rows. */
export function rankTotal(summary: Summary | undefined, by: RankMeasure): number {
  if (summary === undefined) return 0;
  if (by === 'requests') return summary.total_calls;
  return by === 'tokens' ? summary.total_tokens : summary.total_cost;
}

export function shareOf(row: Ranked, total: number, by: RankMeasure): number | null {
  const value = knownValue(row, by);
  return total <= 0 || value === null ? null : value / total;
}

/** Names of the rank measures. */
export function rankText(row: Ranked, by: RankMeasure, money: Money): string {
  if (by === 'cost') return money.sum(row.cost, row.unpriced);
  return by === 'requests' ? formatCount(row.calls) : formatCompact(row.tokens);
}

interface Tokens {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly cache_read_tokens: number;
}

/** As the manager calculates it: cached tokens as a share of all input. */
const hitRate = (tokens: Tokens): number | null =>
  tokens.input_tokens <= 0
    ? null
    : Math.min(1, (tokens.cached_tokens + tokens.cache_read_tokens) / tokens.input_tokens);

export function modelRow(stats: ModelStats | ModelSubRow): UsageRow {
  return {
    key: stats.model,
    name: shown(stats.model),
    plainName: stats.model,
    detail: '',
    calls: stats.calls,
    failed: stats.failure_calls,
    tokens: stats.total_tokens,
    cost: stats.cost,
    unpriced: stats.unpriced_calls ?? 0,
    input: stats.input_tokens,
    output: stats.output_tokens,
    hitRate: hitRate(stats),
    latencyMs: null,
    lastSeenMs: 'last_seen_ms' in stats ? stats.last_seen_ms : null,
  };
}

interface Naming {
  /** Key names for unmasked files. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly keyNames: ReadonlyMap<string, string>;
  readonly masker: Masker;
  /** For requests without a client key. */
  readonly noKey: string;
  /** For requests without an account. */
  readonly noAccount: string;
}

interface Account {
  readonly account_snapshot?: string | undefined;
  readonly auth_label_snapshot?: string | undefined;
  readonly auth_file_snapshot?: string | undefined;
  readonly source?: string | undefined;
  readonly auth_index?: string | undefined;
}

/** Account or label before file and source; the same order as in monitoring. */
export function accountLabel(row: Account, { masker, noAccount }: Pick<Naming, 'masker' | 'noAccount'>): string {
  const name = row.account_snapshot || row.auth_label_snapshot;
  if (name) return shown(masker.account(name));
  if (row.auth_file_snapshot) return shown(masker.file(row.auth_file_snapshot));
  if (row.source) return shown(masker.source(row.source));
  return row.auth_index && row.auth_index !== '-' ? shown(row.auth_index) : noAccount;
}

const plainAccount = (row: Account): string =>
  row.account_snapshot || row.auth_label_snapshot || row.auth_file_snapshot || row.source || row.auth_index || '';

export function keyRows(stats: readonly ApiKeyStats[], naming: Naming): readonly KeyRow[] {
  return stats.map((row) => ({
    key: row.api_key_hash || rowToken(row.id),
    hash: row.api_key_hash,
    name: row.api_key_hash === '' ? naming.noKey : shown(keyName(row.api_key_hash, naming.keyNames)),
    plainName: naming.aliases.get(row.api_key_hash) ?? row.api_key_hash,
    // Without a key the account distinguishes such rows; with one there may be many.
    detail: row.api_key_hash === '' ? accountLabel({ ...row, auth_index: row.auth_indices?.[0] }, naming) : '',
    calls: row.calls,
    failed: row.failure_calls,
    tokens: row.total_tokens,
    cost: row.cost,
    unpriced: row.unpriced_calls ?? 0,
    input: row.input_tokens,
    output: row.output_tokens,
    hitRate: hitRate(row),
    latencyMs: row.average_latency_ms,
    lastSeenMs: row.last_seen_ms,
    stats: row,
  }));
}

export function credentialRows(stats: readonly CredentialStats[], naming: Naming): readonly CredentialRow[] {
  return stats.map((row) => ({
    key: row.id,
    name: accountLabel(row, naming),
    plainName: plainAccount(row),
    detail: shown(row.auth_provider_snapshot ?? ''),
    calls: row.calls,
    failed: row.failure_calls,
    tokens: row.total_tokens,
    cost: row.cost,
    unpriced: row.unpriced_calls ?? 0,
    input: row.input_tokens,
    output: row.output_tokens,
    hitRate: hitRate(row),
    latencyMs: row.average_latency_ms,
    lastSeenMs: row.last_seen_ms,
    stats: row,
  }));
}

function channelRow(channel: ChannelShare, key: string, name: string, plainName: string): UsageRow {
  return {
    key,
    name,
    plainName,
    detail: '',
    calls: channel.calls,
    failed: channel.failure,
    tokens: channel.tokens,
    cost: channel.cost,
    unpriced: channel.unpriced_calls ?? 0,
    input: null,
    output: null,
    hitRate: null,
    latencyMs: channel.average_latency_ms,
    lastSeenMs: null,
  };
}

/** Accounts used in the range. */
const known = ({ auth_index }: ChannelShare): boolean => auth_index !== '-';

export const channelRows = (channels: readonly ChannelShare[], naming: Naming): readonly UsageRow[] =>
  channels.filter(known).map((row) => channelRow(row, row.auth_index, accountLabel(row, naming), plainAccount(row)));

export const accountsUsed = ({ channel_share = [] }: AnalyticsResponse): number => channel_share.filter(known).length;

/** Providers of the auth indexes; requests without an index, which may be of several, are a separate row. */
export function providerRows(channels: readonly ChannelShare[], none: string): readonly UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const channel of channels) {
    const provider = known(channel) ? (channel.auth_provider_snapshot ?? '') : '';
    const row = channelRow(channel, provider, provider === '' ? none : shown(provider), provider);
    const before = rows.get(provider);
    rows.set(provider, {
      ...row,
      calls: (before?.calls ?? 0) + row.calls,
      failed: (before?.failed ?? 0) + row.failed,
      tokens: (before?.tokens ?? 0) + row.tokens,
      cost: (before?.cost ?? 0) + row.cost,
      unpriced: (before?.unpriced ?? 0) + row.unpriced,
      // Means of different weights cannot be added.
      latencyMs: null,
    });
  }
  return [...rows.values()];
}

/** The same order everywhere: the ranked measure, then requests, then the name. */
export function ranked<R extends UsageRow>(rows: readonly R[], by: RankMeasure): readonly R[] {
  return [...rows].sort(
    (one, other) =>
      rankValue(other, by) - rankValue(one, by) ||
      other.calls - one.calls ||
      (one.plainName < other.plainName ? -1 : 1),
  );
}
