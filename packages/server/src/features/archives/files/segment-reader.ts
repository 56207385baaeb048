import { isArchiveRecord, readArchiveRecord } from '@manager/core/usage/archive-record';
import { ARCHIVE_RECORD_BYTES } from '@manager/core/usage/archive-size';
import type { PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { ArchiveDamaged } from './damaged.ts';
import { createEventDigest, type EventDigest } from './event-digest.ts';
import { readSingleMember } from './gzip.ts';
import { SEGMENT_BYTES, SEGMENT_EVENTS, type SegmentFacts } from './segment-writer.ts';

export interface SegmentExpectation {
  /** Base name. */
  readonly fileName: string;
  readonly facts: SegmentFacts;
  /** Last id of the previous segment. */
  readonly afterEventId: number;
  /** Every event is older. */
  readonly cutoffMs: number;
}

const LINE_FEED = 10;
/** Bytes of content after which garbage is collected: an idle thread keeps several times as much. */
const GARBAGE_BYTES = 8 * 1024 * 1024;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads a published segment as a restore would and compares it with its row.
 *
 * @param running collects every event for the digest of the whole run
 * @throws ArchiveDamaged; errors of the file system, such as a missing file
 */
export async function inspectSegment(
  directory: PrivateDirectory,
  expected: SegmentExpectation,
  running: EventDigest,
): Promise<void> {
  try {
    const file = await readPrivate(directory, expected.fileName, expected.facts.compressedBytes);
    requireEqual('checksum of the file', sha256Hex(file), expected.facts.contentSha256);
    const content = readSingleMember(file, {
      limitBytes: SEGMENT_BYTES,
      expectedBytes: expected.facts.uncompressedBytes,
    });
    compare(inspectLines(content, expected, running), expected.facts);
  } catch (error) {
    if (error instanceof ArchiveDamaged) throw new ArchiveDamaged(`${expected.fileName}: ${error.message}`);
    throw error;
  }
}

/** A file of exactly this size that nobody else may read. */
async function readPrivate(directory: PrivateDirectory, name: string, bytes: number): Promise<Uint8Array> {
  const file = await directory.read(name, { limitBytes: bytes, requirePrivate: true });
  requireEqual('size', file.length, bytes);
  return file;
}

type Found = Omit<SegmentFacts, 'sequence' | 'compressedBytes' | 'contentSha256'>;

function inspectLines(content: Uint8Array, expected: SegmentExpectation, running: EventDigest): Found {
  const digest = createEventDigest();
  let firstEventId = 0;
  let lastEventId = expected.afterEventId;
  let minTimestampMs = Number.POSITIVE_INFINITY;
  let maxTimestampMs = Number.NEGATIVE_INFINITY;
  let eventCount = 0;
  let unpackedBytes = 0;
  for (const line of linesOf(content)) {
    unpackedBytes += line.length;
    if (unpackedBytes > GARBAGE_BYTES) {
      unpackedBytes = 0;
      Bun.gc(true);
    }
    const { archiveEventId: id, event } = readLine(line);
    if (id <= lastEventId) throw new ArchiveDamaged(`event ${id} follows event ${lastEventId}`);
    if (event.timestamp_ms >= expected.cutoffMs) throw new ArchiveDamaged(`event ${id} is too new`);
    if (eventCount === 0) firstEventId = id;
    lastEventId = id;
    minTimestampMs = Math.min(minTimestampMs, event.timestamp_ms);
    maxTimestampMs = Math.max(maxTimestampMs, event.timestamp_ms);
    eventCount += 1;
    digest.add(id, event.event_hash);
    running.add(id, event.event_hash);
  }
  if (eventCount > SEGMENT_EVENTS) throw new ArchiveDamaged(`${eventCount} events in one file`);
  return {
    firstEventId,
    lastEventId,
    minTimestampMs,
    maxTimestampMs,
    eventCount,
    uncompressedBytes: content.length,
    eventHashDigest: digest.hex(),
  };
}

function* linesOf(content: Uint8Array): Generator<Uint8Array, void> {
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(LINE_FEED, start);
    if (end < 0) throw new ArchiveDamaged('the last line has no end');
    if (end - start > ARCHIVE_RECORD_BYTES) throw new ArchiveDamaged('a record is too large');
    yield content.subarray(start, end);
    start = end + 1;
  }
}

function readLine(line: Uint8Array) {
  const value = parse(line);
  if (!isArchiveRecord(value)) throw new ArchiveDamaged('a line is not an archive record');
  const record = readArchiveRecord(value);
  if (record.kind === 'refused') throw new ArchiveDamaged(`a record is rejected: ${record.error}`);
  return record;
}

function parse(line: Uint8Array): unknown {
  try {
    return JSON.parse(decoder.decode(line));
  } catch (error) {
    throw new ArchiveDamaged('a line is not JSON', { cause: error });
  }
}

function compare(found: Found, expected: SegmentFacts): void {
  for (const [name, value] of Object.entries(found)) requireEqual(name, value, expected[name as keyof Found]);
}

function requireEqual(name: string, found: number | string, expected: number | string): void {
  if (found !== expected) throw new ArchiveDamaged(`${name}: ${found} instead of ${expected}`);
}

function sha256Hex(bytes: Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
}
