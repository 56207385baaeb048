import type { Client } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { isRecord } from '../../browser/storage.ts';
import type { EditableList } from '../list-edits.ts';
import { comparableEntry, type Entry, identityOf, writtenEntry } from './entry.ts';
import type { Kind } from './kinds.ts';

/** The entries of an answer. Anything but a list is refused: written back, it would be an empty one. */
function entriesIn(kind: Kind, body: unknown, atMs: number): readonly Entry[] {
  const list: unknown = isRecord(body) ? body[kind.list] : undefined;
  if (list === null) return [];
  if (!Array.isArray(list) || !list.every(isRecord)) {
    throw new ApiError('shape', 'the response is not a list', { path: kind.list, atMs });
  }
  return list;
}

/** One of the gateway's lists. A PATCH would leave out some members, so the whole list is written. */
export function providerList(client: Client, kind: Kind, signal?: AbortSignal): EditableList<Entry> {
  const path = `v0/management/${kind.list}`;
  return {
    name: kind.list,
    read: async () => entriesIn(kind, await client.call<unknown>(path, { signal }), client.now()),
    write: (entries) => client.call<unknown>(path, { method: 'PUT', body: entries.map(writtenEntry) }),
    identity: (entry) => identityOf(kind, entry),
    comparable: comparableEntry,
  };
}
