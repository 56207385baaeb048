import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { archivableEvent, archiveLine, isArchiveRecord, readArchiveRecord } from './archive-record.ts';
import { ARCHIVE_RECORD_BYTES, archiveRecordBytes } from './archive-size.ts';
import type { UsageEvent } from './event.ts';
import { EVENT_MEMBERS, MEMBER_NAMES } from './event-members.ts';
import { exportLine } from './export-line.ts';
import vectors from './fixtures/token-vectors.json';
import { prepareForInsert } from './insert.ts';
import { readRecord } from './record.ts';
import { context, eventOf } from './testing/context.ts';

const gatewayLines = readFileSync(join(import.meta.dir, 'fixtures/usage-events.jsonl'), 'utf8')
  .trim()
  .split('\n');
const events: readonly UsageEvent[] = [
  ...gatewayLines.map((line) => {
    const outcome = readRecord(line, context);
    if (outcome.kind !== 'event') throw new Error(outcome.kind);
    return prepareForInsert(outcome.event).event;
  }),
  ...vectors.raw_events.map(({ payload }) => prepareForInsert(eventOf(payload)).event),
];

/** An event in which every member differs from its default. */
const FULL: UsageEvent = {
  ...Object.assign(eventOf({ timestamp: '2026-03-01T12:00:00.5Z' })),
  ...Object.fromEntries(
    MEMBER_NAMES.filter((name) => EVENT_MEMBERS[name] === 'text').map((name) => [name, `${name} "text"\n`]),
  ),
  ...Object.fromEntries(
    MEMBER_NAMES.filter((name) => ['count', 'optional'].includes(EVENT_MEMBERS[name])).map((name, index) => [
      name,
      index + 1,
    ]),
  ),
  event_hash: 'opaque',
  header_quota_used_percent: 12.5,
  cache_input_mode: 'separate_from_input',
  token_quality: 'inconsistent',
  failed: true,
  response_metadata_json: '{"b": 1,"a":2}',
};

function record(event: UsageEvent, id = 7): JsonObject {
  const parsed: unknown = JSON.parse(archiveLine(event, id));
  if (!isJsonObject(parsed)) throw new Error('not an object');
  return parsed;
}

function refusal(members: JsonObject): string {
  const outcome = readArchiveRecord({ ...record(FULL), ...members });
  return outcome.kind === 'refused' ? outcome.error : '';
}

describe('a record', () => {
  test('restores every event exactly', () => {
    for (const event of [...events, FULL]) {
      const line = archiveLine(event, 12);
      expect(line).not.toContain('\n');
      const value: unknown = JSON.parse(line);
      if (!isArchiveRecord(value)) throw new Error('not recognised');
      expect(readArchiveRecord(value)).toEqual({ kind: 'event', event, archiveEventId: 12 });
    }
  });

  test('starts with the envelope and has every member of a stored event, and those of an export', () => {
    const names = Object.keys(record(FULL));
    expect(names.slice(0, 2)).toEqual(['_archive_schema_version', '_archive_event_id']);
    expect(new Set(names.slice(2))).toEqual(
      new Set([...Object.keys(FULL), 'analytics_model', 'response_metadata'] as const),
    );
    const exported = Object.keys(JSON.parse(exportLine(FULL)));
    expect(exported.filter((name) => !names.includes(name))).toEqual([]);
  });

  test('always has what readers require, and shows an unknown status as 0', () => {
    const plain = record({ ...eventOf({}), fail_body: '', raw_json: '' });
    expect(plain).toMatchObject({ failed: 0, fail_status_code: 0, fail_body: '', fail_summary: '', raw_json: '' });
    for (const name of ['latency_ms', 'ttft_ms', 'provider', 'response_metadata', 'auth_snapshot_at_ms']) {
      expect(plain).not.toHaveProperty(name);
    }
    expect(record(FULL)).toMatchObject({ failed: 1, response_metadata: { b: 1, a: 2 } });
  });

  test('is never larger than the estimate of an insert', () => {
    for (const event of [...events, FULL]) {
      expect(Buffer.byteLength(archiveLine(event, Number.MAX_SAFE_INTEGER))).toBeLessThan(archiveRecordBytes(event));
    }
    const huge = prepareForInsert(eventOf({ failed: true, fail: { body: '\u0001"é😀'.repeat(2_000_000) } })).event;
    expect(Buffer.byteLength(archiveLine(huge, 1))).toBeLessThanOrEqual(ARCHIVE_RECORD_BYTES);
  });
});

describe('a record of another program', () => {
  const own = record(FULL);
  const { _archive_schema_version, _archive_event_id, ...members } = own;

  test('may have a prefix on the names of its envelope', () => {
    const foreign = { ...members, _word1_archive_schema_version: 1, _word1_archive_event_id: 9 };
    expect(isArchiveRecord(foreign)).toBe(true);
    expect(readArchiveRecord(foreign)).toEqual({ kind: 'event', event: FULL, archiveEventId: 9 });
  });

  test.each([
    { _word_archive_schema_version: 1 },
    { _word_archive_event_id: 9 },
    { _a_archive_schema_version: 1, _b_archive_event_id: 9 },
    { _archive_schema_version: 1, _b_archive_event_id: 9 },
    { _word_archive_schema_version: 2, _word_archive_event_id: 9 },
    { _word_archive_schema_version: '1', _word_archive_event_id: 9 },
    { _archive_schema_version: 1, _archive_event_id: 0 },
    { _archive_schema_version: 1, _archive_event_id: 1.5 },
    { _archive_schema_version: 1, _archive_event_id: '9' },
    { _archive_schema_version: 1, _archive_event_id: 9, _b_archive_schema_version: 1, _b_archive_event_id: 9 },
  ])('with the envelope %j is refused', (envelope) => {
    const value = { ...members, ...envelope };
    expect(isArchiveRecord(value)).toBe(true);
    expect(readArchiveRecord(value).kind).toBe('refused');
  });

  test('may lack the members that only ours have', () => {
    const { billable_output_tokens, unclassified_tokens, token_quality, ...foreign } = own;
    expect(readArchiveRecord(foreign)).toEqual({
      kind: 'event',
      event: { ...FULL, billable_output_tokens: FULL.output_tokens, unclassified_tokens: 0, token_quality: '' },
      archiveEventId: 7,
    });
  });

  test('may have null or 0 for unknown values', () => {
    const outcome = readArchiveRecord({
      ...own,
      provider: null,
      latency_ms: null,
      header_quota_used_percent: null,
      auth_snapshot_at_ms: 0,
      header_quota_recover_at_ms: 0,
      fail_status_code: 0,
    });
    expect(outcome).toMatchObject({
      event: {
        provider: '',
        latency_ms: null,
        header_quota_used_percent: null,
        auth_snapshot_at_ms: null,
        header_quota_recover_at_ms: null,
        fail_status_code: null,
      },
    });
  });
});

describe('refused are', () => {
  test.each([
    ...MEMBER_NAMES.filter((name) => EVENT_MEMBERS[name] === 'count').map((name) => [name, '5'] as const),
    ...MEMBER_NAMES.filter((name) => EVENT_MEMBERS[name] === 'text').map((name) => [name, 5] as const),
    ['total_tokens', -1],
    ['normalized_total_input_tokens', -1],
    ['input_tokens', 1.5],
    ['input_tokens', null],
    ['input_tokens', 2 ** 53],
    ['timestamp_ms', 0],
    ['timestamp_ms', 253_402_300_800_000],
    ['timestamp_ms', Number.MAX_SAFE_INTEGER],
    ['event_hash', '\ud800'],
    ['fail_status_code', null],
    ['fail_status_code', '0'],
    ['created_at_ms', null],
    ['event_hash', ''],
    ['event_hash', 'a\u0000b'],
    ['event_hash', 'x'.repeat(257)],
    ['model', null],
    ['raw_json', null],
    ['fail_body', null],
    ['fail_summary', null],
    ['timestamp', null],
    ['failed', true],
    ['failed', 2],
    ['failed', null],
    ['cache_input_mode', ''],
    ['cache_input_mode', null],
    ['latency_ms', '5'],
    ['ttft_ms', 0.5],
    ['header_quota_used_percent', '5'],
    ['token_quality', 'perfect'],
  ] as const)('%s = %j', (name, value) => {
    expect(refusal({ [name]: value })).toStartWith(`${name}: `);
  });

  test('metadata that is no object, where its text is missing', () => {
    expect(refusal({ response_metadata_json: null, response_metadata: [] })).toStartWith('response_metadata: ');
    expect(refusal({ response_metadata_json: null })).toBe('');
  });
});

test('other values are no archive records', () => {
  for (const value of [null, 1, 'x', [], {}, { event_hash: 'h', _archive_event: 1 }, { archive_schema_version: 1 }]) {
    expect(isArchiveRecord(value)).toBe(false);
  }
});

describe('an archived event near the limit of a record', () => {
  const lineBytes = (event: UsageEvent) => Buffer.byteLength(archiveLine(event, Number.MAX_SAFE_INTEGER));
  const sized = (bytes: number): UsageEvent => {
    const empty = { ...FULL, fail_body: '' };
    return { ...empty, fail_body: 'é'.repeat(2).padEnd(bytes - lineBytes(empty) - 2, 'x') };
  };

  test('is stored unchanged up to the last byte', () => {
    const largest = sized(ARCHIVE_RECORD_BYTES);
    expect(lineBytes(largest)).toBe(ARCHIVE_RECORD_BYTES);
    expect(archivableEvent(largest)).toEqual({ event: largest, cut: false });
    expect(archivableEvent(FULL)?.event).toBe(FULL);
  });

  test('is cut when another program wrote it with fewer bytes', () => {
    const larger = sized(ARCHIVE_RECORD_BYTES + 1);
    const { event, cut } = archivableEvent(larger) ?? { event: larger, cut: false };
    expect(cut).toBe(true);
    expect(lineBytes(event)).toBeLessThanOrEqual(ARCHIVE_RECORD_BYTES);
    expect(event.fail_body).toEndWith('...(truncated)');
    expect({ ...event, fail_body: '' }).toEqual({ ...larger, fail_body: '' });
  });

  test('has its names cut', () => {
    const { event, cut } = archivableEvent({ ...FULL, model: 'm'.repeat(5_000) }) ?? { event: FULL, cut: false };
    expect({ cut, model: event.model }).toEqual({ cut: true, model: `${'m'.repeat(1_024)}...` });
  });

  test('is refused when nothing can be cut', () => {
    const metadata = JSON.stringify({ trace: { via: 'x'.repeat(6 * 1024 * 1024) } });
    expect(archivableEvent({ ...FULL, response_metadata_json: metadata })).toBeNull();
  });
});
