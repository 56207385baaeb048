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
import { addUpSums, type UsageSums, usageSums } from '../../../platform/requests/usage-sums.ts';
import type { RankMeasure } from '../analytics-search.ts';
import type { Money } from '../money.ts';

/** Use of a model, a client key, an account or a provider: one row of every table of the page. */
export interface UsageRow extends UsageSums {
  readonly key: string;
  /** As shown: masked where it identifies somebody. */
  readonly name: string;
  /** The real name, for sorting and search. */
  readonly plainName: string;
  /** Second line: provider, account. */
  readonly detail: string;
}

export interface KeyRow extends UsageRow {
  /** '' = all requests without a client key. */
  readonly hash: string;
  /** Of the rows of the answer that it sums up; a manager may sum up requests without a client key itself. */
  readonly ids: readonly string[];
}

export interface AccountRow extends UsageRow {
  readonly ids: readonly string[];
  readonly stats: CredentialStats;
}

/** Key of the row of requests without a client key; no hash. */
export const NO_KEY = 'no-key';

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

export function modelRow(stats: ModelStats | ModelSubRow): UsageRow {
  return {
    key: stats.model,
    name: shown(stats.model),
    plainName: stats.model,
    detail: '',
    ...usageSums(stats),
  };
}

export interface Naming {
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

/** Client keys, and one row for all requests without one. */
export function keyRows(stats: readonly ApiKeyStats[], naming: Naming): readonly KeyRow[] {
  const without = stats.filter((row) => row.api_key_hash === '');
  const keyed = stats.flatMap((row): KeyRow[] => {
    const { id, api_key_hash: hash } = row;
    if (hash === '') return [];
    const name = shown(keyName(hash, naming.keyNames));
    return [
      { key: hash, hash, ids: [id], name, plainName: naming.aliases.get(hash) ?? hash, detail: '', ...usageSums(row) },
    ];
  });
  if (without.length === 0) return keyed;
  const names = { key: NO_KEY, hash: '', name: naming.noKey, plainName: '', detail: '' };
  return [...keyed, { ...names, ids: without.map(({ id }) => id), ...addUpSums(without.map(usageSums)) }];
}

/** The accounts that requests without a client key used: each has a row of the answer. */
export function keylessAccounts(stats: readonly ApiKeyStats[], naming: Naming): readonly UsageRow[] {
  return stats.flatMap((row) => {
    if (row.api_key_hash !== '') return [];
    const name = accountLabel({ ...row, source: row.sources?.[0], auth_index: row.auth_indices?.[0] }, naming);
    return [{ key: row.id, name, plainName: row.id, detail: row.auth_provider_snapshot ?? '', ...usageSums(row) }];
  });
}

export function accountRows(stats: readonly CredentialStats[], naming: Naming): readonly AccountRow[] {
  return stats.map((row) => ({
    key: row.id,
    name: accountLabel(row, naming),
    plainName: plainAccount(row),
    detail: shown(row.auth_provider_snapshot ?? ''),
    ...usageSums(row),
    ids: [row.id],
    stats: row,
  }));
}

/** A row of the lists that name their sums in short. */
export function shareRow(
  share: Omit<ChannelShare, 'auth_index' | 'average_latency_ms'> & { readonly average_latency_ms?: number | null },
  key: string,
  name: string,
  plainName: string,
): UsageRow {
  const sums = usageSums({ ...share, failure_calls: share.failure, total_tokens: share.tokens });
  return { key, name, plainName, detail: '', ...sums };
}

/** Accounts used in the range. */
const known = ({ auth_index }: ChannelShare): boolean => auth_index !== '-';

export const channelRows = (channels: readonly ChannelShare[], naming: Naming): readonly UsageRow[] =>
  channels.filter(known).map((row) => shareRow(row, row.auth_index, accountLabel(row, naming), plainAccount(row)));

/** The same, with requests without an account as one row: the rows add up to all requests. */
export function allChannelRows(channels: readonly ChannelShare[], naming: Naming): readonly UsageRow[] {
  const without = channels.filter((channel) => !known(channel));
  const rows = channelRows(channels, naming);
  if (without.length === 0) return rows;
  const sums = addUpSums(without.map((row) => shareRow(row, '', '', '')));
  return [...rows, { key: '-', name: naming.noAccount, plainName: '', detail: '', ...sums }];
}

export const accountsUsed = ({ channel_share = [] }: AnalyticsResponse): number => channel_share.filter(known).length;

/** Providers of the auth indexes; requests without an index, which may be of several, are a separate row. */
export function providerRows(channels: readonly ChannelShare[], none: string): readonly UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const channel of channels) {
    const provider = known(channel) ? (channel.auth_provider_snapshot ?? '') : '';
    const row = shareRow(channel, provider, provider === '' ? none : shown(provider), provider);
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
