import type { FileHandle } from 'node:fs/promises';
import { archiveLine } from '@manager/core/usage/archive-record';
import { ARCHIVE_RECORD_BYTES } from '@manager/core/usage/archive-size';
import type { UsageEvent } from '@manager/core/usage/event';
import { isAcceptableHash } from '@manager/core/usage/identity';
import type { PrivateDirectory } from '../../../platform/files/private-directory.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { createEventDigest } from './event-digest.ts';
import { createGzipWriter } from './gzip.ts';
import { segmentFileName } from './segment-name.ts';

/** Most events of a segment. */
export const SEGMENT_EVENTS = 10_000;
/** Largest content of a segment. */
export const SEGMENT_BYTES = 64 * 1024 * 1024;
/** Content per compression call, in UTF-16 units. */
const CHUNK_UNITS = 128 * 1024;

/** Members of a segment in its row and in the manifest. */
export interface SegmentFacts {
  readonly sequence: number;
  readonly firstEventId: number;
  readonly lastEventId: number;
  readonly minTimestampMs: number;
  readonly maxTimestampMs: number;
  readonly eventCount: number;
  /** Content with its line feeds. */
  readonly uncompressedBytes: number;
  /** Size of the file. */
  readonly compressedBytes: number;
  /** Of the file. */
  readonly contentSha256: string;
  /** Over ids and hashes. */
  readonly eventHashDigest: string;
}

/** The events of a segment, all lists in the same order. */
export interface SegmentEvents {
  readonly ids: Float64Array<ArrayBuffer>;
  readonly timestampsMs: Float64Array<ArrayBuffer>;
  readonly hashes: readonly string[];
}

export interface WrittenSegment {
  readonly fileName: string;
  readonly facts: SegmentFacts;
  readonly events: SegmentEvents;
}

export interface StoredEvent {
  readonly id: number;
  /** Unpacks the event: a page of large ones must not be in memory at once. */
  readonly read: () => UsageEvent;
}

export interface SegmentSource {
  readonly sequence: number;
  /** The next events after an id, in id order; empty = there are no more. */
  readonly eventsAfter: (id: number) => readonly StoredEvent[];
  readonly afterEventId: number;
}

/** Smaller ones only in tests. */
export interface SegmentLimits {
  readonly events: number;
  readonly bytes: number;
}

export const SEGMENT_LIMITS: SegmentLimits = { events: SEGMENT_EVENTS, bytes: SEGMENT_BYTES };
const encoder = new TextEncoder();

/**
 * Writes the next segment of a run and publishes it: complete and durable, or not at all. A file of the same name is replaced.
 * Null when there are no more events.
 */
export async function writeSegment(
  directory: PrivateDirectory,
  source: SegmentSource,
  limits: SegmentLimits = SEGMENT_LIMITS,
): Promise<WrittenSegment | null> {
  const firstPage = source.eventsAfter(source.afterEventId);
  if (firstPage.length === 0) return null;
  const collected = createCollector(source.sequence, limits);
  await directory.publish(
    () => collected.fileName(),
    async (file) => {
      const gzip = createGzipWriter(async (bytes) => {
        await writeAll(file, bytes);
        collected.addFileBytes(bytes);
        stopPoint('archive_segment_half');
      });
      let chunk = '';
      for (let page = firstPage; page.length > 0; page = source.eventsAfter(collected.lastEventId())) {
        const isFull = page.some((stored) => {
          const line = collected.add(stored);
          if (line !== null) chunk += line;
          return line === null;
        });
        if (chunk.length >= CHUNK_UNITS || isFull) {
          await gzip.write(encoder.encode(chunk));
          chunk = '';
        }
        if (isFull) break;
      }
      await gzip.write(encoder.encode(chunk));
      await gzip.end();
    },
    { beforeRename: () => stopPoint('archive_segment_written') },
  );
  return collected.segment();
}

/** Members of a segment that are known only when it is complete. */
function createCollector(sequence: number, limits: SegmentLimits) {
  const ids: number[] = [];
  const timestampsMs: number[] = [];
  const hashes: string[] = [];
  const digest = createEventDigest();
  const file = new Bun.CryptoHasher('sha256');
  let contentBytes = 0;
  let fileBytes = 0;

  return {
    /** The line of an event with its line feed; null when it belongs to the next segment. */
    add({ id, read }: StoredEvent): string | null {
      if (ids.length >= limits.events) return null;
      const event = read();
      requireArchivable(id, event, ids.at(-1) ?? 0);
      const line = `${archiveLine(event, id)}\n`;
      const bytes = Buffer.byteLength(line);
      if (bytes - 1 > ARCHIVE_RECORD_BYTES) {
        throw new Error(`the record of event ${id} is larger than ${ARCHIVE_RECORD_BYTES} bytes`);
      }
      if (ids.length > 0 && contentBytes + bytes > limits.bytes) return null;
      ids.push(id);
      timestampsMs.push(event.timestamp_ms);
      hashes.push(event.event_hash);
      digest.add(id, event.event_hash);
      contentBytes += bytes;
      return line;
    },
    addFileBytes(bytes: Uint8Array) {
      fileBytes += bytes.length;
      file.update(bytes);
    },
    lastEventId: () => ids.at(-1) ?? 0,
    fileName: () => segmentFileName(sequence, ids[0] ?? 0, ids.at(-1) ?? 0),
    segment(): WrittenSegment {
      return {
        fileName: this.fileName(),
        facts: {
          sequence,
          firstEventId: ids[0] ?? 0,
          lastEventId: ids.at(-1) ?? 0,
          minTimestampMs: timestampsMs.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY),
          maxTimestampMs: timestampsMs.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY),
          eventCount: ids.length,
          uncompressedBytes: contentBytes,
          compressedBytes: fileBytes,
          contentSha256: file.digest('hex'),
          eventHashDigest: digest.hex(),
        },
        events: { ids: Float64Array.from(ids), timestampsMs: Float64Array.from(timestampsMs), hashes },
      };
    },
  };
}

/** A record that readers would refuse must not get into an archive. */
function requireArchivable(id: number, event: UsageEvent, previousId: number): void {
  if (id <= previousId) throw new Error(`event ${id} follows event ${previousId}`);
  if (!isAcceptableHash(event.event_hash)) throw new Error(`event ${id} has no acceptable hash`);
  if (!(event.timestamp_ms > 0)) throw new Error(`event ${id} has no acceptable time`);
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await file.write(bytes, written)).bytesWritten;
  }
}
