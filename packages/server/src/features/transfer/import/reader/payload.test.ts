import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createTestFolder, type TestFolder } from '../../../../platform/testing/test-folder.ts';
import { type Payload, type ReadResult, readWhole, WAYS } from './testing.ts';

let folder: TestFolder;
beforeAll(() => {
  folder = createTestFolder();
});
afterAll(() => folder.dispose());

const line = (hash: string, members: object = {}) =>
  JSON.stringify({ event_hash: hash, timestamp_ms: 1_788_000_000_000, model: 'acme', input_tokens: 5, ...members });
const detail = (members: object = {}) => ({
  timestamp: '2026-01-01T00:00:00Z',
  tokens: { input_tokens: 5 },
  ...members,
});
const BOM = '\ufeff';
const JSONL = 'usage_service_jsonl';
const EXPORT = 'legacy_usage_export';
const DIRECT = 'legacy_usage_payload';
const WARNINGS = ['legacy_usage_metadata_is_partial', 'legacy_usage_source_matching_may_be_approximate'];

interface Case {
  readonly name: string;
  readonly payload: Payload;
  /** Hashes, or for raw records and details the request ids. */
  readonly ids?: readonly string[];
  readonly failures?: readonly string[];
  readonly format?: string | null;
  readonly unsupported?: number;
  readonly refused?: RegExp;
  /** Default: those of a snapshot if the format is one. */
  readonly warnings?: readonly string[];
}

const records: readonly Case[] = [
  { name: 'lines', payload: `${line('a')}\n${line('b')}\n`, ids: ['a', 'b'] },
  { name: 'a last line without an end', payload: `${line('a')}\n${line('b')}`, ids: ['a', 'b'] },
  {
    name: 'a last line that was cut off',
    payload: `${line('a')}\n${line('b').slice(0, 30)}`,
    ids: ['a'],
    failures: ['line 2: not valid JSON'],
  },
  { name: 'lines that end with CRLF', payload: `${line('a')}\r\n${line('b')}\r\n`, ids: ['a', 'b'] },
  { name: 'a carriage return before the end', payload: `${line('a')}\n${line('b')}\r`, ids: ['a', 'b'] },
  { name: 'a byte order mark', payload: `${BOM}${line('a')}\n`, ids: ['a'] },
  {
    name: 'a second byte order mark is content',
    payload: `${line('a')}\n${BOM}${line('b')}`,
    ids: ['a'],
    failures: ['line 2: not valid JSON'],
  },
  {
    name: 'blank lines are neither counted nor failures',
    payload: `\n \t\r\n${line('a')}\n\n\r\n  \n${line('b')}\nx\n`,
    ids: ['a', 'b'],
    failures: ['line 8: not valid JSON'],
  },
  {
    name: 'malformed lines, also the first one',
    payload: `{"event_hash":\n${line('a')}\n{]\n"text"\n7\nnull\n[1]\n${line('b')}`,
    ids: ['a', 'b'],
    failures: [
      'line 1: not valid JSON',
      'line 3: not valid JSON',
      'line 4: not a JSON object',
      'line 5: not a JSON object',
      'line 6: not a JSON object',
      'line 7: not a JSON object',
    ],
  },
  {
    name: 'a first line that is no object',
    payload: `oops\n${line('a')}`,
    ids: ['a'],
    failures: ['line 1: not valid JSON'],
  },
  {
    name: 'nothing but malformed lines',
    payload: 'a\nb\nc',
    failures: ['line 1: not valid JSON', 'line 2: not valid JSON', 'line 3: not valid JSON'],
  },
  {
    name: 'a line that is not UTF-8',
    payload: Buffer.concat([
      Buffer.from(`${line('a')}\n{"event_hash":"`),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(`"}\n${line('b')}`),
    ]),
    ids: ['a', 'b'],
    failures: ['line 2: not valid UTF-8'],
  },
  {
    name: 'hashes that cannot be stored',
    payload: [line('a'), line('x'.repeat(257)), line('b\u0001'), line('y'.repeat(256))].join('\n'),
    ids: ['a', 'y'.repeat(256)],
    failures: [2, 3].map(
      (number) => `line ${number}: event_hash: 1 to 256 characters without control characters expected`,
    ),
  },
  { name: 'a hash in upper case stays as it is', payload: line('AB CD'), ids: ['AB CD'] },
  { name: 'names in camel case', payload: '{"eventHash":"a","timestampMs":1788000000000,"inputTokens":5}', ids: ['a'] },
  {
    name: 'raw queue records',
    payload: '{"request_id":"r1","tokens":{},"time":1788000000}\n{"requestId":"r2"}',
    ids: ['r1', 'r2'],
    warnings: ['records_without_time:1'],
  },
  {
    name: 'a raw record whose first line has usage with tokens',
    payload: '{"usage":{"input_tokens":3},"id":"r1"}',
    ids: ['r1'],
    warnings: ['records_without_time:1'],
  },
  { name: 'a hash wins over nested usage', payload: line('a', { usage: { apis: { x: {} } } }), ids: ['a'] },
  { name: 'a list', payload: ` [${line('a')},\n ${line('b')}\n]\n`, ids: ['a', 'b'] },
  { name: 'an empty list', payload: '[]' },
  {
    name: 'elements of a list that are no records',
    payload: `[${line('a')}, 3, "]", {"model":"\\"]"},\n[${line('c')}], true, {"event_hash":"b"} ]`,
    ids: ['a', '', 'b'],
    warnings: ['records_without_time:2'],
    failures: [
      'line 1: not a JSON object',
      'line 1: not a JSON object',
      'line 2: not a JSON object',
      'line 2: not a JSON object',
    ],
  },
  {
    name: 'an element with broken content',
    payload: `[${line('a')},{"a" 1},${line('b')}]`,
    ids: ['a', 'b'],
    failures: ['line 1: not valid JSON'],
  },
  {
    name: 'a record over many lines, then lines',
    payload: `{\n "event_hash":"a",\n "model": "{\\n}"\n}\n${line('b')}\nx`,
    ids: ['a', 'b'],
    warnings: ['records_without_time:1'],
    failures: ['line 6: not valid JSON'],
  },
  {
    name: 'a second record on the first line',
    payload: `${line('a')} ${line('b')}\n${line('c')}`,
    ids: ['a', 'b', 'c'],
  },
  {
    name: 'broken lines with commas, then events',
    payload: `no, event\nnone, either\n${line('a')}`,
    ids: ['a'],
    failures: ['line 1: not valid JSON', 'line 2: not valid JSON'],
  },
  {
    name: 'something behind the first record',
    payload: `${line('a')} x\n${line('b')}`,
    ids: ['a', 'b'],
    failures: ['line 1: not valid JSON'],
  },
];

/** UTF-16 with the high byte first. */
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();

const refusals: readonly Case[] = [
  { name: 'nothing', payload: '', format: null, refused: /empty/ },
  { name: 'a byte order mark alone', payload: BOM, format: null, refused: /empty/ },
  { name: 'white space alone', payload: ' \n\t\r\n', format: null, refused: /empty/ },
  { name: 'gzip', payload: Bun.gzipSync(Buffer.from(line('a'))), format: null, refused: /decompress/ },
  { name: 'zstd', payload: Bun.zstdCompressSync(Buffer.from(line('a'))), format: null, refused: /decompress/ },
  { name: 'a ZIP archive', payload: 'PK\u0003\u0004rest', format: null, refused: /ZIP/ },
  { name: 'a database', payload: 'SQLite format 3\0rest', format: null, refused: /import-database/ },
  {
    name: 'UTF-16 with a mark',
    payload: Buffer.from(`\ufeff${line('a')}`, 'utf16le'),
    format: null,
    refused: /UTF-16/,
  },
  { name: 'UTF-16, high byte first', payload: swapped(`\ufeff${line('a')}`), format: null, refused: /UTF-16/ },
  { name: 'UTF-16 without a mark', payload: Buffer.from(line('a'), 'utf16le'), format: null, refused: /UTF-16/ },
  { name: 'UTF-16 without a mark, high byte first', payload: swapped(line('a')), format: null, refused: /UTF-16/ },
  { name: 'UTF-32', payload: Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), format: null, refused: /UTF-32/ },
  {
    name: 'UTF-32 without a mark',
    payload: Buffer.from([0x7b, 0, 0, 0, 0x22, 0, 0, 0]),
    format: null,
    refused: /UTF-32/,
  },
  { name: 'a web page', payload: '\n<!DOCTYPE html>\n<html>', format: null, refused: /HTML/ },
  { name: 'XML after a mark', payload: `${BOM}<?xml version="1.0"?>`, format: null, refused: /HTML or XML/ },
  { name: 'a table', payload: 'time,model,tokens\n2026-01-01,m,5\n2026-01-02,m,6\n', format: null, refused: /CSV/ },
  { name: 'a table with quotes', payload: '"time";"model, or {"\r\n"1";"a;b"\r\n', format: null, refused: /CSV/ },
  { name: 'the head of a table', payload: 'time,model,input_tokens', format: null, refused: /CSV/ },
  {
    name: 'a usage object without tokens',
    warnings: [],
    payload: '{"usage":{"total_tokens":7}}',
    format: EXPORT,
    unsupported: 1,
    refused: /^aggregates only/,
  },
  {
    name: 'counts of requests',
    warnings: [],
    payload: '{"total_requests":7,"apis":{}}',
    format: DIRECT,
    unsupported: 1,
    refused: /^aggregates only/,
  },
  { name: 'a list that is cut off', payload: `[${line('a')},{"event`, refused: /cut off/ },
  { name: 'a list without its end', payload: `[${line('a')}\n`, refused: /cut off/ },
  { name: 'a list with something behind it', payload: `[${line('a')}]\nx`, refused: /after the list/ },
  { name: 'a list without commas', payload: `[${line('a')} ${line('b')}]`, refused: /not valid JSON/ },
  { name: 'a list with an empty place', payload: `[${line('a')},]`, refused: /not valid JSON/ },
];

const apis = {
  'POST /b': {
    models: { m2: { details: [detail({ id: '3' }), detail({ id: '4' })] }, m1: { details: [detail({ id: '2' })] } },
  },
  'GET /a': { total: 1, models: { z: { details: [detail({ id: '1' })], count: 7 } } },
};

const snapshots: readonly Case[] = [
  {
    name: 'a wrapped snapshot',
    payload: JSON.stringify({ version: 1, usage: { total_requests: 4, apis }, exported: 1 }),
    format: EXPORT,
    ids: ['1', '2', '3', '4'],
  },
  {
    name: 'a direct snapshot over many lines',
    payload: ` ${JSON.stringify({ apis, total_requests: 4 }, null, 2)}\r\n \n`,
    format: DIRECT,
    ids: ['1', '2', '3', '4'],
  },
  {
    name: 'usage wins over a sibling',
    payload: JSON.stringify({ apis: { x: { models: {} } }, usage: { apis } }),
    format: EXPORT,
    ids: ['1', '2', '3', '4'],
  },
  {
    name: 'parts that can be no events',
    payload: JSON.stringify({
      apis: {
        a: 5,
        b: { models: [] },
        c: {
          models: {
            x: 1,
            y: {},
            z: { details: [] },
            za: { details: 3 },
            zb: { details: [1, {}, detail({ id: '1' }), { timestamp: ' ' }] },
          },
        },
      },
    }),
    format: DIRECT,
    ids: ['1'],
    failures: [
      'endpoint 1: no models',
      'endpoint 2: no models',
      'model 1 of endpoint 3: not a JSON object',
      'detail 1 of model 5 of endpoint 3: not a JSON object',
      'detail 2 of model 5 of endpoint 3: no time',
      'detail 4 of model 5 of endpoint 3: no time',
    ],
    unsupported: 3,
  },
  {
    name: 'keys in the order of code points, not of UTF-16 units',
    payload: JSON.stringify({
      apis: {
        '\u{10000}': { models: { m: { details: [detail({ id: 'last' })] } } },
        '\uffee': { models: { m: { details: [detail({ id: 'first' })] } } },
      },
    }),
    format: DIRECT,
    ids: ['first', 'last'],
  },
  {
    name: 'a snapshot without details',
    payload: '{"apis":{"a":{"models":{"m":{"count":4},"n":{}}}}}',
    format: DIRECT,
    unsupported: 2,
    refused: /^aggregates only/,
  },
  {
    name: 'a snapshot of endpoints without models',
    payload: '{"apis":{"a":{"requests":4}}}',
    format: DIRECT,
    failures: ['endpoint 1: no models'],
    refused: /^aggregates only/,
  },
  {
    name: 'a snapshot that is cut off',
    payload: JSON.stringify({ usage: { apis } }).slice(0, -3),
    format: EXPORT,
    refused: /cut off/,
  },
  {
    name: 'a snapshot with an invalid detail',
    payload: '{"apis":{"a":{"models":{"m":{"details":[{"timestamp":1},{"timestamp":tru}]}}}}}',
    format: DIRECT,
    refused: /not valid JSON/,
  },
  {
    name: 'something behind a snapshot',
    payload: `${JSON.stringify({ apis })}\n${line('a')}`,
    format: DIRECT,
    refused: /after the usage snapshot/,
  },
  ...[
    '{"usage":{"apis":{"a":{"models":{}}}},"usage":{"apis":{"a":{"models":{}}}}}',
    '{"usage":{"apis":{"a":{}},"apis":{"b":{}}}}',
    '{"apis":{"a":{}},"\\u0061pis":{"b":{}}}',
    '{"apis":{"a":{"models":{}},"\\u0061":{"models":{}}}}',
    '{"apis":{"a":{"models":{},"models":{}}}}',
    '{"apis":{"a":{"models":{"m":{"details":[]},"m":{"details":[]}}}}}',
    '{"apis":{"a":{"models":{"m":{"details":[],"details":[]}}}}}',
  ].map((payload) => ({
    name: `a part named twice: ${payload}`,
    payload,
    format: payload.startsWith('{"usage') ? EXPORT : DIRECT,
    refused: /twice/,
  })),
  {
    name: 'names that repeat where they mean nothing',
    payload:
      '{"apis":{"a":{"n":1,"n":2,"models":{"m":{"x":1,"x":2,"details":[{"timestamp":1788000000,"id":"1","id":"2"}]}}}}}',
    format: DIRECT,
    ids: ['2'],
  },
];

const cases = [...records, ...refusals, ...snapshots];

describe.each(WAYS.map((way) => ({ way })))('read as $way', ({ way }) => {
  test.each(cases)('$name', (expected) => {
    const result = readWhole(folder, expected.payload, way);
    const isSnapshot = expected.format === EXPORT || expected.format === DIRECT;
    expect(shown(result, isSnapshot)).toEqual({
      ids: expected.ids ?? [],
      failures: expected.failures ?? [],
      failed: expected.failures?.length ?? 0,
      format: expected.format === undefined ? JSONL : expected.format,
      unsupported: expected.unsupported ?? 0,
      refused: expected.refused === undefined ? '' : expect.stringMatching(expected.refused),
      warnings: expected.warnings ?? (isSnapshot ? WARNINGS : []),
    });
  });
});

function shown(result: ReadResult, isSnapshot: boolean): Readonly<Record<string, unknown>> {
  const { events, failures, failed, format, unsupported, refused, warnings } = result;
  const ids = events.map((event) =>
    isSnapshot || event.request_id !== '' ? event.request_id : opaque(event.event_hash),
  );
  return {
    ids,
    failures: failures.map(({ where, reason }) => `${where}: ${reason}`),
    failed,
    format,
    unsupported,
    refused,
    warnings,
  };
}

/** A computed hash is not readable in these tables. */
function opaque(hash: string): string {
  return /^[0-9a-f]{64}$/.test(hash) ? '' : hash;
}

test('only the first 20 failures are kept, all are counted', () => {
  const { failed, failures } = readWhole(folder, 'x\n'.repeat(50), 'one chunk');
  expect(failed).toBe(50);
  expect(failures).toHaveLength(20);
  expect(failures.at(-1)).toEqual({ where: 'line 20', line: 20, reason: 'not valid JSON' });
});

test('the spelling of a detail decides its identity, not the order of keys in the file', () => {
  const one = readWhole(folder, JSON.stringify({ apis }), 'a file').events;
  const turned = Object.fromEntries(Object.entries(apis).reverse());
  const other = readWhole(folder, JSON.stringify({ apis: turned }), 'a file').events;
  expect(other.map((event) => event.event_hash)).toEqual(one.map((event) => event.event_hash));
});

test('the identity of a detail without an id', () => {
  const endpoint = 'POST /v1/chat/completions';
  const details = [{ timestamp: '2026-01-01T00:00:00Z', input_tokens: 5 }];
  const payload = JSON.stringify({ apis: { [endpoint]: { models: { 'gpt-x': { details } } } } });
  expect(readWhole(folder, payload, 'one chunk').events[0]?.request_id).toBe('legacy:4daf93315d484152');
});
