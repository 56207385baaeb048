import type { UpstreamConnection } from '../platform/config/config.ts';
import type { UpstreamError } from './errors.ts';
import type { UpstreamHttp } from './http-call.ts';
import { createElementSlicer, type JsonElement } from './json-elements.ts';
import { MAX_RECORD_BYTES, type QueueRecord } from './records.ts';
import { decodeUtf8 } from './utf8.ts';

export interface HttpPopRequest {
  readonly connection: UpstreamConnection;
  readonly count: number;
  readonly timeoutMs: number;
  readonly tlsSkipVerify: boolean;
  readonly maxRecordBytes?: number;
  readonly signal?: AbortSignal;
}

export interface HttpPopAnswer {
  readonly records: readonly QueueRecord[];
  /** Elements in the answer, skipped ones included: as many as asked for means that more may wait. */
  readonly elements: number;
}

/**
 * One destructive read of the queue. An answer that is not complete gives nothing and throws: what it held is gone upstream,
 * and the caller dates the loss.
 *
 * @throws UpstreamError `unsupported` for 404, 405 and 501
 */
export async function popOverHttp(http: UpstreamHttp, request: HttpPopRequest): Promise<HttpPopAnswer> {
  const answer = await http.call({
    connection: request.connection,
    method: 'GET',
    path: `usage-queue?count=${request.count}`,
    timeoutMs: request.timeoutMs,
    tlsSkipVerify: request.tlsSkipVerify,
    // Whatever sits in between must neither answer from a store nor ask ahead.
    headers: { 'Cache-Control': 'no-store' },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const records: QueueRecord[] = [];
  let elements = 0;
  const slicer = createElementSlicer({
    maxElementBytes: request.maxRecordBytes ?? MAX_RECORD_BYTES,
    onElement(element) {
      elements += 1;
      const record = recordOf(element);
      if (record !== null) records.push(record);
    },
  });
  for await (const chunk of answer.chunks) slicer.push(chunk);
  slicer.end();
  return { records, elements };
}

/** True when a failed pop may have taken records off the queue all the same. */
export function mayHaveLost(error: UpstreamError): boolean {
  if (error.unsent || error.kind === 'key_refused' || error.kind === 'unsupported') return false;
  // Below 500 the upstream itself declined. 503 is said before any work; the other errors may come from a proxy that
  // lost the answer.
  if (error.kind === 'status') return error.status >= 500 && error.status !== 503;
  return true;
}

/** Objects are events; strings hold a record; null is nothing; anything else becomes a dead letter later, by itself. */
function recordOf(element: JsonElement): QueueRecord | null {
  if (element.totalBytes > element.bytes.length) {
    return { oversizedBytes: element.totalBytes, head: decodeUtf8(element.bytes).text };
  }
  const { text, repaired } = decodeUtf8(element.bytes);
  if (element.kind === 'literal' && text === 'null') return null;
  const inner = element.kind === 'string' ? unquote(text) : text;
  return inner.trim() === '' ? null : { text: inner, repaired, bytes: element.totalBytes };
}

function unquote(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
