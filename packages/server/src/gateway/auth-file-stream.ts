import { UpstreamError } from './errors.ts';
import type { UpstreamCall, UpstreamHttp } from './http-call.ts';
import { createElementSlicer } from './json-elements.ts';

const MAX_LIST_BYTES = 64 * 1024 * 1024;
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
const WRAPPER_KEYS = ['files', 'auth_files', 'authFiles', 'items', 'data'];

export interface AuthFileStreamOptions {
  readonly http: UpstreamHttp;
  readonly call: Pick<UpstreamCall, 'connection' | 'timeoutMs' | 'tlsSkipVerify' | 'signal'>;
  /** Query of the list, with its `?`; old versions ignore it and answer everything. */
  readonly search?: string;
  /** When the upstream answered, by its own clock; null = it does not say. */
  readonly onDate?: (atMs: number | null) => void;
  /** JSON text of one object of the list, in its order; null for one above 4 MiB. */
  readonly onEntry: (text: string | null) => void;
}

/**
 * Reads the upstream's list of auth files as it arrives, one entry at a time, so that a list of 64 MiB never holds up the
 * thread.
 *
 * @throws UpstreamError also when the list is longer, or does not come to its end
 */
export async function streamAuthFiles(options: AuthFileStreamOptions): Promise<void> {
  const answer = await options.http.call({
    ...options.call,
    method: 'GET',
    path: `auth-files${options.search ?? ''}`,
    keepAlive: true,
  });
  const dateMs = Date.parse(answer.headers.get('date') ?? '');
  options.onDate?.(Number.isNaN(dateMs) ? null : dateMs);
  const decoder = new TextDecoder();
  const slicer = createElementSlicer({
    maxElementBytes: MAX_ENTRY_BYTES,
    wrapperKeys: WRAPPER_KEYS,
    onElement(element) {
      if (element.kind !== 'object') return;
      options.onEntry(element.totalBytes > element.bytes.length ? null : decoder.decode(element.bytes));
    },
  });
  const beginning: Uint8Array[] = [];
  let bytes = 0;
  let noList: unknown = null;
  for await (const chunk of answer.chunks) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw new UpstreamError('protocol', 'the auth-file list is above 64 MiB');
    if (bytes <= MAX_ENTRY_BYTES) beginning.push(chunk);
    try {
      if (noList === null) slicer.push(chunk);
    } catch (error) {
      noList = error;
    }
  }
  if (noList === null) return slicer.end();
  const text = bytes > MAX_ENTRY_BYTES ? '' : decoder.decode(Buffer.concat(beginning));
  if (!isBareEntry(text)) throw noList;
  options.onEntry(text);
}

/** Some versions answer a look-up with the one entry itself. */
function isBareEntry(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && ['name', 'file_name', 'fileName'].some((key) => key in value);
  } catch {
    return false;
  }
}
