import type { JsonObject } from '../json.ts';
import { encodeEvent } from '../payload.ts';
import { makeEvents } from './make-events.ts';

/** A full event with other members; `undefined` removes one. */
export function eventWith(changes: Readonly<Record<string, unknown>>, seed = 1): JsonObject {
  const event = JSON.parse(makeEvents({ seed, failureRate: 0 }).next().value.text) as JsonObject;
  return JSON.parse(JSON.stringify({ ...event, ...changes })) as JsonObject;
}

/** An event of about this many bytes, by its failure text or its response headers. */
export function largeEvent(
  bytes: number,
  by: 'failure-body' | 'headers' = 'failure-body',
  requestId = '0b190000',
): string {
  const failure = { request_id: requestId, failed: true, fail: { status_code: 502, body: 'x'.repeat(bytes) } };
  if (by === 'failure-body') return encodeEvent(eventWith(failure));
  const response_headers = Object.fromEntries(
    Array.from({ length: Math.ceil(bytes / 56) }, (_, index) => [
      `X-Padding-${String(index).padStart(8, '0')}`,
      ['x'.repeat(32)],
    ]),
  );
  return encodeEvent(eventWith({ request_id: requestId, response_headers }));
}

export interface AwkwardEvent {
  readonly name: string;
  readonly payload: string | Uint8Array;
}

/** Records that are valid on the wire and break careless consumers. */
export function awkwardEvents(): AwkwardEvent[] {
  const text = (changes: Readonly<Record<string, unknown>>): string => encodeEvent(eventWith(changes));
  const plain = text({ request_id: '0bad0000' });
  const marked = text({ request_id: '0bad0001', user_agent: 'MARK' });
  const manyHeaders = Object.fromEntries(
    Array.from({ length: 2000 }, (_, index) => [`X-Header-${index}`, [`value ${index}`]]),
  );
  return [
    { name: 'invalid UTF-8', payload: bytesAt(marked, [0x66, 0xc3, 0x28, 0xff, 0x6f]) },
    { name: 'raw NUL byte in a string', payload: bytesAt(marked, [0x61, 0, 0x62]) },
    { name: 'escaped NUL', payload: marked.replace('MARK', 'a\\u0000b') },
    { name: 'lone surrogate escape', payload: marked.replace('MARK', 'a\\ud800b') },
    { name: 'duplicate members', payload: plain.replace('{', '{"model":"first","model":"second",') },
    { name: 'nesting of 1000', payload: plain.replace('{', `{"deep":${'['.repeat(1000)}${']'.repeat(1000)},`) },
    { name: 'not JSON', payload: 'this is no event' },
    { name: 'unfinished JSON', payload: plain.slice(0, plain.length >> 1) },
    { name: 'number', payload: '42' },
    { name: 'array', payload: '[{"model":"x"}]' },
    { name: 'null', payload: 'null' },
    { name: 'empty', payload: '' },
    { name: 'string with JSON', payload: JSON.stringify(text({ request_id: '0bad0002' })) },
    { name: 'string without JSON', payload: '"just text"' },
    { name: 'nested object', payload: `{"event":${plain}}` },
    { name: 'in 1970', payload: text({ timestamp: '1970-01-01T00:00:00Z', request_id: '0bad0003' }) },
    { name: 'in the future', payload: text({ timestamp: '2999-12-31T23:59:59.999999999Z', request_id: '0bad0004' }) },
    { name: 'offset zone', payload: text({ timestamp: '2026-09-01T16:45:00.5+05:45', request_id: '0bad0005' }) },
    {
      name: 'wrong types',
      payload: text({ latency_ms: 'soon', tokens: [], failed: 'no', model: 7, request_id: '0bad0006' }),
    },
    { name: '2000 response headers', payload: text({ response_headers: manyHeaders, request_id: '0bad0007' }) },
    { name: 'multi-byte names', payload: text({ model: '模型-ü-🚀', alias: '模型', request_id: '0bad0008' }) },
    { name: 'escaped markup', payload: text({ user_agent: '<script>&\u2028\u2029', request_id: '0bad0009' }) },
  ];
}

/** The text with MARK replaced by the bytes. */
function bytesAt(text: string, bytes: readonly number[]): Uint8Array {
  const [before = '', after = ''] = text.split('MARK');
  return Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
}
