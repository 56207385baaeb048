import type { ApiKeyStats } from '@manager/core/contract/monitoring/sections';
import type { ClientKey } from '../../platform/queries/client-keys.ts';

/**
 * `active` = the gateway lists it; `orphan` = no longer listed, but it has a name or requests; `unknown` = the gateway's list
 * could not be read.
 */
export type KeyState = 'active' | 'orphan' | 'unknown';

export const SHOW_CHOICES = ['active', 'orphan', 'all'] as const;
export type ShowChoice = (typeof SHOW_CHOICES)[number];

export interface KeyRow {
  readonly hash: string;
  /** '' = none. */
  readonly alias: string;
  readonly state: KeyState;
  /** The key itself, null where only its hash is known. It is never rendered, only copied. */
  readonly key: string | null;
  /** How often the gateway lists it. */
  readonly listed: number;
  /** null = no request in the range, undefined = unknown. */
  readonly use: ApiKeyStats | null | undefined;
}

interface KeySources {
  /** undefined = could not be read. */
  readonly keys: readonly ClientKey[] | undefined;
  readonly aliases: ReadonlyMap<string, string>;
  /** undefined = unknown. */
  readonly stats: readonly ApiKeyStats[] | undefined;
}

/** One row for each key that is listed, named or was used: listed ones first, in the gateway's order. */
export function keyRows({ keys, aliases, stats }: KeySources): readonly KeyRow[] {
  const uses = new Map((stats ?? []).flatMap((row) => (row.api_key_hash === '' ? [] : [[row.api_key_hash, row]])));
  const found = new Map<string, ClientKey[]>();
  for (const key of keys ?? []) found.set(key.hash, [...(found.get(key.hash) ?? []), key]);
  const hashes = new Set([...found.keys(), ...aliases.keys(), ...uses.keys()]);
  return [...hashes].map((hash) => {
    const listed = found.get(hash) ?? [];
    return {
      hash,
      alias: aliases.get(hash) ?? '',
      state: listed.length > 0 ? 'active' : keys === undefined ? 'unknown' : 'orphan',
      key: listed[0]?.key ?? null,
      listed: listed.length,
      use: stats === undefined ? undefined : (uses.get(hash) ?? null),
    };
  });
}

/** Requests without a client key. */
export function requestsWithoutKey(stats: readonly ApiKeyStats[]): number {
  return stats.reduce((sum, row) => sum + (row.api_key_hash === '' ? row.calls : 0), 0);
}

export function isShown(row: KeyRow, show: ShowChoice): boolean {
  return show === 'all' || row.state === 'unknown' || row.state === show;
}

/** The search; `hash` is that of the whole text, so that a pasted key is found. */
export interface KeySearch {
  readonly text: string;
  readonly hash: string;
}

export function filterRows(rows: readonly KeyRow[], show: ShowChoice, search: KeySearch): readonly KeyRow[] {
  const words = search.text.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (!isShown(row, show)) return false;
    if (row.hash === search.hash) return true;
    const models = (row.use?.models ?? []).map((one) => one.model).join(' ');
    const text = `${row.alias} ${row.key ?? ''} ${row.hash} ${models}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Whether a search must not appear in an address: a recognizable part of a key. */
export function isPartOfKey(text: string, rows: readonly KeyRow[]): boolean {
  const part = text.trim();
  return part.length >= 4 && rows.some((row) => row.key?.includes(part) === true);
}
