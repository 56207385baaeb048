import { AUTH_FILE_LIST_KEYS, isBareAuthFile } from '@manager/core/accounts/listed-account';
import { isJsonObject, type JsonObject, parseJson } from '@manager/core/json/json';
import { JsonListCutter } from '../platform/json-list-cutter.ts';
import { GatewayError } from './errors.ts';
import type { GatewayCall, GatewayHttp } from './http-call.ts';
import { requireListEnd, takeElements } from './list-elements.ts';

const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
/** Many small entries need far more memory than their text. */
const MAX_ENTRIES = 200_000;
const OPEN_OBJECT = 0x7b;

export interface AuthFileRequest<T> {
  readonly http: GatewayHttp;
  readonly call: Pick<GatewayCall, 'connection' | 'timeoutMs' | 'tlsSkipVerify' | 'signal'>;
  /** Query of the list, with its `?`; old versions ignore it and return everything. */
  readonly search?: string;
  /** The part of an entry to keep, so that the whole list is never in memory; null = nothing. */
  readonly read: (entry: JsonObject) => T | null;
}

export interface AuthFileAnswer<T> {
  /** In the order of the list. */
  readonly files: T[];
  /** Why an entry is missing; '' = the list is complete. */
  readonly incomplete: string;
  /** When the gateway answered, by its own clock; null = unknown. */
  readonly atMs: number | null;
  /** Length of the list. */
  readonly bytes: number;
}

/**
 * Reads the gateway's list of auth files as it arrives, one entry at a time, so that a list of 64 MiB never blocks the thread.
 *
 * @throws GatewayError also when the list is longer, or incomplete
 */
export async function readAuthFiles<T>(request: AuthFileRequest<T>): Promise<AuthFileAnswer<T>> {
  const answer = await request.http.call({
    ...request.call,
    method: 'GET',
    path: `auth-files${request.search ?? ''}`,
    keepAlive: true,
  });
  const dateMs = Date.parse(answer.headers.get('date') ?? '');
  const files: T[] = [];
  let incomplete = '';
  const decoder = new TextDecoder();

  function readEntry(entry: unknown): void {
    if (!isJsonObject(entry)) {
      incomplete ||= 'an entry of the auth-file list is not valid JSON';
      return;
    }
    const file = request.read(entry);
    if (file === null) return;
    if (files.length >= MAX_ENTRIES)
      throw new GatewayError('protocol', 'the auth-file list has more than 200,000 entries');
    files.push(file);
  }

  const cutter = new JsonListCutter({ maxElementBytes: MAX_ENTRY_BYTES, listKeys: AUTH_FILE_LIST_KEYS });
  const beginning: Uint8Array[] = [];
  let totalBytes = 0;
  for await (const chunk of answer.chunks) {
    totalBytes += chunk.length;
    if (totalBytes > MAX_LIST_BYTES) throw new GatewayError('protocol', 'the auth-file list is above 64 MiB');
    if (totalBytes <= MAX_ENTRY_BYTES) beginning.push(chunk);
    takeElements(cutter, chunk, ({ bytes, totalBytes: entryBytes }) => {
      if (entryBytes > MAX_ENTRY_BYTES) incomplete ||= 'an entry of the auth-file list is above 4 MiB';
      else if (bytes[0] === OPEN_OBJECT) readEntry(parseJson(decoder.decode(bytes)));
    });
  }
  if (!readBareEntry()) requireListEnd(cutter);
  return { files, incomplete, atMs: Number.isNaN(dateMs) ? null : dateMs, bytes: totalBytes };

  function readBareEntry(): boolean {
    if (cutter.state !== 'no list' || totalBytes > MAX_ENTRY_BYTES) return false;
    const answered = parseJson(decoder.decode(Buffer.concat(beginning)));
    if (!isBareAuthFile(answered)) return false;
    readEntry(answered);
    return true;
  }
}
