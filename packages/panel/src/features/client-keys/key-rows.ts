import type { ApiKeyStats } from '@manager/core/contract/monitoring/sections';
import type { ClientKey } from '../../platform/queries/client-keys.ts';
import { readRetired } from './alias-rules.ts';

/**
 * `active` = the gateway lists it; `orphan` = no longer listed, but it has a name or requests; `unknown` = the gateway's list
 * could not be read.
 */
export type KeyState = 'active' | 'orphan' | 'unknown';

/** `unused` = listed, without a request in the last 30 days. */
export const SHOW_CHOICES = ['active', 'unused', 'orphan', 'all'] as const;
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
  /** Without a request in the last 30 days; null = unknown. */
  readonly unused: boolean | null;
}

interface KeySources {
  /** undefined = could not be read. */
  readonly keys: readonly ClientKey[] | undefined;
  readonly aliases: ReadonlyMap<string, string>;
  /** undefined = unknown. */
  readonly stats: readonly ApiKeyStats[] | undefined;
  /** Of the last 30 days; undefined = unknown. */
  readonly recent: readonly ApiKeyStats[] | undefined;
}

/** One row for each key that is listed, named or was used: listed ones first, in the gateway's order. */
export function keyRows({ keys, aliases, stats, recent }: KeySources): readonly KeyRow[] {
  const uses = new Map((stats ?? []).flatMap((row) => (row.api_key_hash === '' ? [] : [[row.api_key_hash, row]])));
  const used = new Set((recent ?? []).map((row) => row.api_key_hash));
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
      unused: recent === undefined ? null : !used.has(hash),
    };
  });
}

/** Requests without a client key. */
export function requestsWithoutKey(stats: readonly ApiKeyStats[]): number {
  return stats.reduce((sum, row) => sum + (row.api_key_hash === '' ? row.calls : 0), 0);
}

export function isShown(row: KeyRow, show: ShowChoice): boolean {
  if (show === 'unused') return row.state !== 'orphan' && row.unused === true;
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

/** Keys whose name passed to this one when they were rotated, the newest first. */
export function earlierKeys(row: KeyRow, rows: readonly KeyRow[]): readonly KeyRow[] {
  if (row.alias === '') return [];
  return rows
    .flatMap((other) => {
      const retired = other === row ? null : readRetired(other.alias);
      return retired !== null && sameName(retired.alias, row.alias) ? [{ other, number: retired.number }] : [];
    })
    .sort((a, b) => b.number - a.number)
    .map(({ other }) => other);
}

const sameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase();
