import { describe, expect, test } from 'bun:test';
import { ArchiveDamaged } from './damaged.ts';
import { manifestText, requireManifest } from './manifest.ts';

const RUN = {
  id: '0199a000000070008000000000000001',
  mode: 'manual',
  cutoffMs: 1_767_225_600_000,
  targetEventId: 12,
  eventHashDigest: 'd'.repeat(64),
  generatedAtMs: 1_767_300_000_000,
};
const segment = (sequence: number, firstEventId: number, lastEventId: number) => ({
  fileName: `${RUN.id}/file-${sequence}`,
  facts: {
    sequence,
    firstEventId,
    lastEventId,
    minTimestampMs: 1_767_000_000_000 + firstEventId,
    maxTimestampMs: 1_767_000_000_000 + lastEventId,
    eventCount: 2,
    uncompressedBytes: 1_000,
    compressedBytes: 300,
    contentSha256: 'c'.repeat(64),
    eventHashDigest: 'e'.repeat(64),
  },
});
const TEXT = manifestText(RUN, [segment(1, 3, 7), segment(2, 9, 12)]);
const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');

test('a manifest has everything that is needed to read an archive back', () => {
  expect(TEXT).toEndWith('}\n');
  expect(TEXT).toStartWith('{\n  "schema_version": 1,\n');
  expect(JSON.parse(TEXT)).toEqual({
    schema_version: 1,
    format: 'gzip-jsonl-v1',
    run_id: RUN.id,
    mode: 'manual',
    cutoff_timestamp_ms: RUN.cutoffMs,
    first_event_id: 3,
    last_event_id: 12,
    min_timestamp_ms: 1_767_000_000_003,
    max_timestamp_ms: 1_767_000_000_012,
    target_event_id: 12,
    event_count: 4,
    uncompressed_bytes: 2_000,
    compressed_bytes: 600,
    event_hash_digest: RUN.eventHashDigest,
    generated_at_ms: RUN.generatedAtMs,
    segments: [
      {
        sequence: 1,
        file_name: `${RUN.id}/file-1`,
        first_event_id: 3,
        last_event_id: 7,
        min_timestamp_ms: 1_767_000_000_003,
        max_timestamp_ms: 1_767_000_000_007,
        event_count: 2,
        uncompressed_bytes: 1_000,
        compressed_bytes: 300,
        content_sha256: 'c'.repeat(64),
        event_hash_digest: 'e'.repeat(64),
      },
      expect.objectContaining({ sequence: 2, first_event_id: 9, last_event_id: 12 }),
    ],
  });
});

test('one of more than 4 MiB is not written', () => {
  const segments = Array.from({ length: 12_000 }, (_, index) => segment(index + 1, index * 2 + 1, index * 2 + 2));
  expect(() => manifestText(RUN, segments)).toThrow('a manifest of more than');
  expect(Buffer.byteLength(manifestText(RUN, segments.slice(0, 8_000)))).toBeLessThan(4 * 1024 * 1024);
});

describe('a manifest is damaged', () => {
  const check = (found: string, checksum = sha256(found)) =>
    requireManifest(Buffer.from(found), { text: TEXT, sha256: checksum });

  test('unless nothing is wrong', () => {
    expect(() => check(TEXT)).not.toThrow();
  });

  test('when its checksum differs', () => {
    expect(() => check(TEXT, sha256('another'))).toThrow(ArchiveDamaged);
  });

  test.each([
    ['an unknown member', TEXT.replace('{\n', '{\n  "note": 1,\n')],
    ['a member twice', TEXT.replace('{\n', '{\n  "schema_version": 1,\n')],
    ['a member less', TEXT.replace('  "mode": "manual",\n', '')],
    ['a value behind it', `${TEXT}{}`],
    ['another line feed behind it', `${TEXT}\n`],
    ['another value', TEXT.replace('"event_count": 4', '"event_count": 5')],
    ['a value of another type', TEXT.replace('"event_count": 4', '"event_count": "4"')],
    ['another value of a segment', TEXT.replace('"last_event_id": 7', '"last_event_id": 8')],
    ['an unknown member of a segment', TEXT.replace('"sequence": 1', '"sequence": 1, "note": 1')],
    ['no content', ''],
  ])('when it has %s', (_name, text) => {
    expect(() => check(text)).toThrow(ArchiveDamaged);
  });
});
