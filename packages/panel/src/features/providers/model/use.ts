import type { CredentialStats } from '@manager/core/contract/monitoring/sections';
import { type RecentUse, recentBuckets, recentUse } from '../../../platform/accounts/recent-buckets.ts';
import { isRecord } from '../../../platform/browser/storage.ts';
import { type Entry, keysOf, textIn } from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';
import type { KeyUsage } from '../../../platform/queries/key-usage.ts';
import { sha256HexSync } from '../../../platform/sha256.ts';

/** Stored requests of an entry. */
export interface Use {
  readonly calls: number;
  readonly failed: number;
  readonly tokens: number;
  readonly cost: number;
  readonly unpriced: number;
  readonly lastMs: number;
}

interface Listed {
  readonly id: string;
  readonly kind: Kind;
  readonly entry: Entry;
}

const NO_USE: Use = { calls: 0, failed: 0, tokens: 0, cost: 0, unpriced: 0, lastMs: 0 };

/**
 * Requests of each entry, by id; entries without one are missing. An event names its key by `auth_index`, which depends on key
 * and address, and by the hash of the key: that one counts where the index is of no entry, as after a change of the address.
 */
export function sumsByEntry(entries: readonly Listed[], stats: readonly CredentialStats[]): ReadonlyMap<string, Use> {
  const byIndex = new Map<string, string>();
  const byHash = new Map<string, string | null>();
  for (const { id, kind, entry } of entries) {
    for (const { key, authIndex } of keysOf(kind, entry)) {
      if (authIndex !== '') byIndex.set(authIndex, id);
      const hash = sha256HexSync(key);
      // The same key at two providers names neither.
      if (key !== '') byHash.set(hash, (byHash.get(hash) ?? id) === id ? id : null);
    }
  }
  const sums = new Map<string, Use>();
  for (const row of stats) {
    const id = byIndex.get(row.auth_index ?? '') ?? byHash.get(row.source_hash ?? '');
    if (id == null) continue;
    const sum = sums.get(id) ?? NO_USE;
    sums.set(id, {
      calls: sum.calls + row.calls,
      failed: sum.failed + row.failure_calls,
      tokens: sum.tokens + row.total_tokens,
      cost: sum.cost + row.cost,
      unpriced: sum.unpriced + (row.unpriced_calls ?? 0),
      lastMs: Math.max(sum.lastMs, row.last_seen_ms),
    });
  }
  return sums;
}

/** What the gateway counted lately for an entry, from its answer about key usage; null = nothing there. */
export function recentOf(kind: Kind, entry: Entry, usage: KeyUsage | undefined): RecentUse | null {
  const group = kind.id === 'openai' ? textIn(entry, 'name').toLowerCase() : kind.provider;
  const rows = usage?.[group];
  if (!isRecord(rows)) return null;
  const found = keysOf(kind, entry).flatMap(({ key }) => {
    const row = rows[`${textIn(entry, 'base-url')}|${key}`];
    return row === undefined ? [] : [recentBuckets(row)];
  });
  return found.length === 0 ? null : recentUse(found);
}
