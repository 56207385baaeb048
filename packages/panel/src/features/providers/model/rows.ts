import type { RecentUse } from '../../../platform/accounts/recent-buckets.ts';
import {
  baseUrlOf,
  clientModels,
  type Entry,
  entryId,
  isEnabled,
  keysOf,
  modelsOf,
  numberIn,
  type ProviderKey,
  textIn,
  titleOf,
} from '../../../platform/gateway/providers/entry.ts';
import { KINDS, type Kind, type KindId } from '../../../platform/gateway/providers/kinds.ts';
import type { Lists } from '../../../platform/gateway/providers/use-provider-lists.ts';
import type { Use } from './use.ts';

/** One entry of one of the lists. */
export interface ProviderRow {
  readonly id: string;
  readonly kind: Kind;
  readonly entry: Entry;
  /** Its name, or its masked key. */
  readonly title: string;
  readonly baseUrl: string;
  readonly keys: readonly ProviderKey[];
  readonly enabled: boolean;
  /** Absent counts as 0. */
  readonly priority: number;
  readonly models: readonly string[];
  /** null = no request in the range, undefined = unknown. */
  readonly use: Use | null | undefined;
  readonly recent: RecentUse | null;
}

/** Every entry of the lists that could be read. Equal ones are numbered. */
export function listedEntries(
  lists: Lists,
): readonly { readonly id: string; readonly kind: Kind; readonly entry: Entry }[] {
  const seen = new Map<string, number>();
  return KINDS.flatMap((kind) =>
    (lists[kind.id] ?? []).map((entry) => {
      const id = entryId(kind, entry);
      const count = (seen.get(id) ?? 0) + 1;
      seen.set(id, count);
      return { id: count === 1 ? id : `${id}.${count}`, kind, entry };
    }),
  );
}

export function makeRow(
  { id, kind, entry }: { readonly id: string; readonly kind: Kind; readonly entry: Entry },
  use: Use | null | undefined,
  recent: RecentUse | null,
): ProviderRow {
  return {
    id,
    kind,
    entry,
    title: titleOf(kind, entry),
    baseUrl: baseUrlOf(kind, entry),
    keys: keysOf(kind, entry),
    enabled: isEnabled(kind, entry),
    priority: numberIn(entry, 'priority') ?? 0,
    models: clientModels(entry),
    use,
    recent,
  };
}

/** Homepage of an address; null where it is not a web address. */
export function originOf(url: string): string | null {
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url).origin : null;
}

export const ENABLED_CHOICES = ['all', 'on', 'off'] as const;
export type EnabledChoice = (typeof ENABLED_CHOICES)[number];

export interface RowFilter {
  /** '' = every kind. */
  readonly type: KindId | '';
  readonly enabled: EnabledChoice;
  readonly search: string;
}

export function filterRows(rows: readonly ProviderRow[], { type, enabled, search }: RowFilter): readonly ProviderRow[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    if (type !== '' && row.kind.id !== type) return false;
    if (enabled !== 'all' && row.enabled !== (enabled === 'on')) return false;
    const text = [
      row.kind.name,
      row.title,
      row.baseUrl,
      textIn(row.entry, 'prefix'),
      ...row.keys.map(({ key }) => key),
      ...modelsOf(row.entry).map(({ name }) => name),
      ...row.models,
    ]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The order in which the gateway prefers them: enabled first, then by priority, then by kind and name. */
export function byPriority(rows: readonly ProviderRow[], ascending: boolean): readonly ProviderRow[] {
  const sign = ascending ? 1 : -1;
  return rows.toSorted(
    (one, other) =>
      Number(other.enabled) - Number(one.enabled) ||
      sign * (one.priority - other.priority) ||
      KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
      (one.title < other.title ? -1 : 1),
  );
}

/** Whether a search must not appear in an address: a recognizable part of a key. */
export function isPartOfKey(text: string, rows: readonly ProviderRow[]): boolean {
  const part = text.trim();
  return part.length >= 4 && rows.some(({ keys }) => keys.some(({ key }) => key.includes(part)));
}

/** Models that nobody else among the enabled ones offers under that name. */
export function onlyHere(row: ProviderRow, rows: readonly ProviderRow[]): readonly string[] {
  const others = new Set(rows.flatMap((other) => (other.id === row.id || !other.enabled ? [] : other.models)));
  return row.models.filter((model) => !others.has(model));
}
