import type { GatewayConnection } from '../platform/config/config.ts';
import { JsonListCutter, type ListElement } from '../platform/json-list-cutter.ts';
import type { GatewayError } from './errors.ts';
import type { GatewayHttp } from './http-call.ts';
import { requireListEnd, takeElements } from './list-elements.ts';
import {
  MAX_RECORD_BYTES,
  OVERSIZED_HEAD_BYTES,
  type QueueRecord,
  RECORD_OVERHEAD_BYTES,
  requireEnd,
  roomAfter,
} from './records.ts';
import { decodeUtf8 } from './utf8.ts';

export interface HttpPopRequest {
  readonly connection: GatewayConnection;
  readonly count: number;
  readonly timeoutMs: number;
  readonly tlsSkipVerify: boolean;
  readonly maxRecordBytes?: number;
  readonly signal?: AbortSignal;
}

export interface HttpPopAnswer {
  readonly records: readonly QueueRecord[];
  /** Elements in the answer, including skipped ones: as many as requested means that more may wait. */
  readonly elements: number;
}

/**
 * One destructive read of the queue. An incomplete answer returns nothing and throws: its records are lost at the gateway, and
 * the caller dates the loss.
 *
 * @throws GatewayError `unsupported` for 404, 405 and 501
 */
export async function popOverHttp(http: GatewayHttp, request: HttpPopRequest): Promise<HttpPopAnswer> {
  const answer = await http.call({
    connection: request.connection,
    method: 'GET',
    path: `usage-queue?count=${request.count}`,
    timeoutMs: request.timeoutMs,
    tlsSkipVerify: request.tlsSkipVerify,
    // A proxy must neither answer from a cache nor prefetch.
    headers: { 'Cache-Control': 'no-store' },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const maxRecordBytes = request.maxRecordBytes ?? MAX_RECORD_BYTES;
  const records: QueueRecord[] = [];
  let elements = 0;
  let keptBytes = 0;
  const cutter = new JsonListCutter({
    maxElementBytes: maxRecordBytes,
    headBytes: OVERSIZED_HEAD_BYTES,
    room: () => roomAfter(keptBytes),
  });
  for await (const chunk of answer.chunks) {
    takeElements(cutter, chunk, (element) => {
      elements += 1;
      keptBytes += element.bytes.length + RECORD_OVERHEAD_BYTES;
      requireEnd(keptBytes, request.count);
      const record = recordOf(element);
      if (record !== null) records.push(record);
    });
    // Another answer than a list is not waited for.
    if (cutter.state === 'not a list') break;
  }
  requireListEnd(cutter);
  return { records, elements };
}

/** True when a failed pop may have removed records from the queue. */
export function mayHaveLost(error: GatewayError): boolean {
  if (error.unsent || error.kind === 'key_refused' || error.kind === 'unsupported') return false;
  // Below 500 the gateway itself declined. 503 comes before any work; the other errors may come from a proxy that lost the
  // answer.
  if (error.kind === 'status') return error.status >= 500 && error.status !== 503;
  return true;
}

/** Objects are events; strings contain a record; null is ignored; anything else becomes a dead letter later. */
function recordOf({ bytes, tooLarge, totalBytes }: ListElement): QueueRecord | null {
  if (tooLarge) return { oversizedBytes: totalBytes, head: decodeUtf8(bytes).text };
  const { text, repaired } = decodeUtf8(bytes);
  if (text === 'null') return null;
  const inner = text.startsWith('"') ? unquote(text) : text;
  return inner.trim() === '' ? null : { text: inner, repaired, bytes: bytes.length };
}

function unquote(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}
