import { isRecord } from '../../../platform/browser/storage.ts';
import { type Entry, withMember } from '../../../platform/gateway/providers/entry.ts';

/** One header while it is typed: names may be empty or the same for a moment. */
export type HeaderRow = readonly [name: string, value: string];

/** An entry while it is edited. */
export interface Draft {
  /** Without headers. */
  readonly entry: Entry;
  readonly headers: readonly HeaderRow[];
}

export function draftOf(whole: Entry): Draft {
  const { headers, ...entry } = whole;
  const rows = isRecord(headers) ? Object.entries(headers) : [];
  return { entry, headers: rows.map(([name, value]) => [name, String(value)]) };
}

/** Typed texts without outer spaces; members without a value are left out. */
export function entryOf({ entry, headers }: Draft): Entry {
  const named = headers.map(([name, value]) => [name.trim(), value.trim()] as const);
  return withMember(trimmed(entry) as Entry, 'headers', Object.fromEntries(named.filter(([name]) => name !== '')));
}

function trimmed(value: unknown): unknown {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, trimmed(part)]));
}
