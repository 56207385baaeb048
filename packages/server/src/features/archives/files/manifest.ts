import { isJsonObject, parseJson } from '@manager/core/json/json';
import { ARCHIVE_SCHEMA_VERSION } from '@manager/core/usage/archive-record';
import { ArchiveDamaged } from './damaged.ts';
import type { SegmentFacts } from './segment-writer.ts';

export const MANIFEST_FILE = 'manifest.json';
/** Limits a run to about 8,000 segments. */
export const MANIFEST_BYTES = 4 * 1024 * 1024;
export const ARCHIVE_FORMAT = 'gzip-jsonl-v1';

export interface ManifestRun {
  readonly id: string;
  readonly mode: string;
  readonly cutoffMs: number;
  readonly targetEventId: number;
  /** Of the ids and hashes of all segments. */
  readonly eventHashDigest: string;
  readonly generatedAtMs: number;
}

export interface ManifestSegment {
  /** Run id, '/', base name. */
  readonly fileName: string;
  readonly facts: SegmentFacts;
}

/** The text of a manifest: the content of an archive, so that it can be read back without a database. */
export function manifestText(run: ManifestRun, files: readonly ManifestSegment[]): string {
  const segments = files.map(({ facts }) => facts);
  const sum = (name: 'eventCount' | 'uncompressedBytes' | 'compressedBytes') =>
    segments.reduce((total, segment) => total + segment[name], 0);
  const manifest = {
    schema_version: ARCHIVE_SCHEMA_VERSION,
    format: ARCHIVE_FORMAT,
    run_id: run.id,
    mode: run.mode,
    cutoff_timestamp_ms: run.cutoffMs,
    first_event_id: segments[0]?.firstEventId ?? 0,
    last_event_id: segments.at(-1)?.lastEventId ?? 0,
    min_timestamp_ms: segments.reduce((least, each) => Math.min(least, each.minTimestampMs), Number.POSITIVE_INFINITY),
    max_timestamp_ms: segments.reduce((most, each) => Math.max(most, each.maxTimestampMs), Number.NEGATIVE_INFINITY),
    target_event_id: run.targetEventId,
    event_count: sum('eventCount'),
    uncompressed_bytes: sum('uncompressedBytes'),
    compressed_bytes: sum('compressedBytes'),
    event_hash_digest: run.eventHashDigest,
    generated_at_ms: run.generatedAtMs,
    segments: files.map(({ fileName, facts: segment }) => ({
      sequence: segment.sequence,
      file_name: fileName,
      first_event_id: segment.firstEventId,
      last_event_id: segment.lastEventId,
      min_timestamp_ms: segment.minTimestampMs,
      max_timestamp_ms: segment.maxTimestampMs,
      event_count: segment.eventCount,
      uncompressed_bytes: segment.uncompressedBytes,
      compressed_bytes: segment.compressedBytes,
      content_sha256: segment.contentSha256,
      event_hash_digest: segment.eventHashDigest,
    })),
  };
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  if (Buffer.byteLength(text) > MANIFEST_BYTES) throw new Error(`a manifest of more than ${MANIFEST_BYTES} bytes`);
  return text;
}

/**
 * A manifest must equal, byte for byte, the text from the rows of its run: that leaves no room for unknown, repeated, missing
 * or different members, nor for anything after it. The format never changes its text.
 *
 * @throws ArchiveDamaged
 */
export function requireManifest(file: Uint8Array, expected: { readonly text: string; readonly sha256: string }): void {
  if (new Bun.CryptoHasher('sha256').update(file).digest('hex') !== expected.sha256) {
    throw new ArchiveDamaged('the checksum of the manifest is wrong');
  }
  const text = Buffer.from(file).toString('utf8');
  if (text === expected.text) return;
  throw new ArchiveDamaged(`the manifest differs from the run: ${differenceOf(text, expected.text)}`);
}

/** For the log. */
function differenceOf(text: string, expected: string): string {
  const found = parseJson(text);
  const wanted = parseJson(expected);
  if (!isJsonObject(found) || !isJsonObject(wanted)) return 'it is not a JSON object';
  const names = new Set([...Object.keys(found), ...Object.keys(wanted)]);
  const different = [...names].filter((name) => !Bun.deepEquals(found[name], wanted[name]));
  return different.join(', ') || 'members are duplicated or in another order';
}
