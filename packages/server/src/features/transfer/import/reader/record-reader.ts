import { isUtf8 } from 'node:buffer';
import { isJsonObject, parseJson } from '@manager/core/json/json';
import { withoutLoneSurrogates } from '@manager/core/json/well-formed';
import { isMaskedRecord } from '@manager/core/masking/masked-record';
import { archivableEvent, isArchiveRecord, readArchiveRecord } from '@manager/core/usage/archive-record';
import { ARCHIVE_RECORD_BYTES } from '@manager/core/usage/archive-size';
import type { RecordContext } from '@manager/core/usage/context';
import type { UsageEvent } from '@manager/core/usage/event';
import { RECORD_PROBLEMS } from '@manager/core/usage/import-problems';
import { readImportedRecord } from '@manager/core/usage/import-record';
import { type PreparedEvent, prepareForInsert } from '@manager/core/usage/insert';
import { type DetailPosition, readLegacyDetail } from '@manager/core/usage/legacy-snapshot';
import { correctStoredEvent } from '@manager/core/usage/stored-event';
import { reportsUnusableTokens } from '@manager/core/usage/tokens';

/** How an event differs from its record, and why. The names are part of the warnings of an import. */
export const RECORD_NOTES = {
  unusable_token_counts: 'a token count below 0 or above 2^53: counts as 0',
  records_without_time: 'no readable time: the time of the import is used',
  names_masked: 'names are masked: they are stored as they are',
  records_shortened: 'longer than an archive can hold: the ends of its longest texts are cut',
} as const;
export type RecordNote = keyof typeof RECORD_NOTES;

/** Reasons repeat no value of the record. */
export type ReadRecord =
  | { readonly kind: 'event'; readonly event: UsageEvent; readonly notes: readonly RecordNote[] }
  | { readonly kind: 'blank' }
  | { readonly kind: 'failed'; readonly reason: string }
  /** The whole payload is not trusted any more. */
  | { readonly kind: 'fatal'; readonly reason: string };

export interface RecordReader {
  record(bytes: Uint8Array): ReadRecord;
  detail(bytes: Uint8Array, position: DetailPosition): ReadRecord;
}

const NOT_ARCHIVABLE = `the stored event would be larger than ${ARCHIVE_RECORD_BYTES} bytes and could not be archived`;
const HEAVY_RECORD_BYTES = 64 * 1024;
const HEAVY_BYTES = 4 * 1024 * 1024;

/** Converts the bytes of records to events that are ready to be stored. */
export function createRecordReader(context: () => RecordContext): RecordReader {
  let heavy = 0;

  /** Copies of large texts stay longer than the memory limit allows. */
  function collectGarbage(size: number): void {
    if (size < HEAVY_RECORD_BYTES) return;
    heavy += size;
    if (heavy < HEAVY_BYTES) return;
    heavy = 0;
    Bun.gc(true);
  }

  function parse(bytes: Uint8Array, read: (value: unknown) => ReadRecord): ReadRecord {
    collectGarbage(bytes.length);
    // Both are several times faster than a decoder that fails.
    if (!isUtf8(bytes)) return failed(RECORD_PROBLEMS.not_utf8);
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
    if (text.trim() === '') return { kind: 'blank' };
    const value = parseJson(withoutLoneSurrogates(text).text);
    return value === undefined ? failed(RECORD_PROBLEMS.not_json) : read(value);
  }

  function readRecord(value: unknown): ReadRecord {
    if (isArchiveRecord(value)) {
      // Stored as archived, by the rules of today. A damaged archive must not look complete.
      const archived = readArchiveRecord(value);
      if (archived.kind !== 'event') return { kind: 'fatal', reason: archived.error };
      const archivable = archivableEvent(correctStoredEvent(archived.event));
      return archivable === null ? { kind: 'fatal', reason: NOT_ARCHIVABLE } : stored(archivable, value, []);
    }
    const record = readImportedRecord(value, context());
    if (record.kind === 'failed') return failed(record.error);
    return prepared(record.event, value, record.timed ? [] : ['records_without_time']);
  }

  return {
    record: (bytes) => parse(bytes, readRecord),
    detail: (bytes, position) =>
      parse(bytes, (value) => {
        if (!isJsonObject(value)) return failed(RECORD_PROBLEMS.not_object);
        const event = readLegacyDetail(value, position, context());
        return event === null ? failed(RECORD_PROBLEMS.no_time) : prepared(event, value, []);
      }),
  };
}

function prepared(event: UsageEvent, record: unknown, notes: readonly RecordNote[]): ReadRecord {
  return stored(prepareForInsert(event), record, notes);
}

function stored({ event, cut }: PreparedEvent, record: unknown, notes: readonly RecordNote[]): ReadRecord {
  const all = [...notes];
  if (cut) all.push('records_shortened');
  if (isJsonObject(record)) {
    if (isMaskedRecord(record)) all.push('names_masked');
    if (reportsUnusableTokens(record)) all.push('unusable_token_counts');
  }
  return { kind: 'event', event, notes: all };
}

function failed(reason: string): ReadRecord {
  return { kind: 'failed', reason };
}
