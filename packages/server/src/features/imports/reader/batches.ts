import { isArchiveRecord, readArchiveRecord } from '@manager/core/usage/archive-record';
import type { RecordContext } from '@manager/core/usage/context';
import type { UsageEvent } from '@manager/core/usage/event';
import { type ImportFormat, readImportedRecord } from '@manager/core/usage/import-record';
import { prepareForInsert } from '@manager/core/usage/insert';
import { isJsonObject, parseJson } from '@manager/core/usage/json';
import { type DetailPosition, readLegacyDetail } from '@manager/core/usage/legacy-snapshot';
import { withoutLoneSurrogates } from '@manager/core/usage/well-formed';
import { IMPORT_BATCH_BYTES, IMPORT_BATCH_EVENTS } from '../../../db/ingest/import-events.ts';
import { HUNGRY } from './input.ts';
import { aggregatesOnly, type PayloadItem, type ReadItem } from './payload.ts';
import { PayloadRefused } from './refused.ts';

export interface RecordFailure {
  /** For example `line 7`. */
  readonly where: string;
  /** Repeats nothing of the record. */
  readonly reason: string;
}

/** What reading has come to; the counts are those of the whole payload so far. */
export interface ImportStep {
  /** JSON text of a list of events, ready to be stored. */
  readonly batch: Uint8Array<ArrayBuffer> | null;
  readonly state: 'more' | 'hungry' | 'done' | 'refused';
  /** Why it was refused; ''. */
  readonly message: string;
  readonly format: ImportFormat | null;
  readonly failed: number;
  readonly unsupported: number;
  readonly warnings: readonly string[];
  /** The first of those that failed since the step before. */
  readonly failures: readonly RecordFailure[];
}

export interface BatchReader {
  /** Reads on until a batch is full or nothing more can be read. */
  next(): ImportStep;
}

const REPORTED_FAILURES = 20;
const SNAPSHOT_WARNINGS = [
  'legacy_usage_metadata_is_partial',
  'legacy_usage_source_matching_may_be_approximate',
] as const;

/** Turns the records of a payload into events and packs them for the writer: all that is slow and needs no database. */
export function createBatchReader(items: Generator<ReadItem, void>, context: () => RecordContext): BatchReader {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const encoder = new TextEncoder();
  let texts: string[] = [];
  let bytes = 0;
  /** An event that found no room in the batch before. */
  let waiting: string | null = null;
  let events = 0;
  let format: ImportFormat | null = null;
  let failed = 0;
  let unsupported = 0;
  let reported = 0;
  let failures: RecordFailure[] = [];

  function fail(where: string, reason: string): void {
    failed += 1;
    if (reported >= REPORTED_FAILURES) return;
    reported += 1;
    failures.push({ where, reason });
  }

  function jsonOf(found: Uint8Array, where: string): unknown {
    let text: string;
    try {
      text = decoder.decode(found);
    } catch {
      fail(where, 'not valid UTF-8');
      return undefined;
    }
    if (text.trim() === '') return undefined;
    const value = parseJson(withoutLoneSurrogates(text).text);
    if (value === undefined) fail(where, 'not valid JSON');
    return value;
  }

  function readRecord(found: Uint8Array, line: number): void {
    const where = `line ${line}`;
    const value = jsonOf(found, where);
    if (value === undefined) return;
    if (isArchiveRecord(value)) {
      const archived = readArchiveRecord(value);
      // Half an archive must not look like a whole one.
      if (archived.kind === 'refused') throw new PayloadRefused(`${where}: ${archived.error}`);
      add(archived.event);
      return;
    }
    const record = readImportedRecord(value, context());
    if (record.kind === 'failed') fail(where, record.error);
    else add(prepareForInsert(record.event).event);
  }

  function readDetail(found: Uint8Array, position: DetailPosition): void {
    const where = `detail ${position.detailIndex + 1} of model ${position.modelRank} of endpoint ${position.endpointRank}`;
    const value = jsonOf(found, where);
    if (value === undefined) return;
    const event = isJsonObject(value) ? readLegacyDetail(value, position, context()) : null;
    if (event === null) fail(where, isJsonObject(value) ? 'no time' : 'not an object');
    else add(prepareForInsert(event).event);
  }

  function add(event: UsageEvent): void {
    events += 1;
    const text = JSON.stringify(event);
    const size = Buffer.byteLength(text);
    if (bytes > 0 && bytes + size > IMPORT_BATCH_BYTES) {
      waiting = text;
      return;
    }
    texts.push(text);
    bytes += size;
  }

  function take(item: PayloadItem): void {
    switch (item.kind) {
      case 'format':
        format = item.format;
        return;
      case 'record':
        readRecord(item.bytes, item.line);
        return;
      case 'detail':
        readDetail(item.bytes, item.position);
        return;
      case 'failed':
        fail(item.where, item.reason);
        return;
      case 'unsupported':
        unsupported += 1;
    }
  }

  function step(state: ImportStep['state'], message = ''): ImportStep {
    const news = failures;
    failures = [];
    // A batch that is not full is never stored before an end that refuses the payload.
    const complete = texts.length > 0 && (state === 'more' || state === 'done');
    const batch = complete ? encoder.encode(`[${texts.join(',')}]`) : null;
    if (complete) {
      texts = waiting === null ? [] : [waiting];
      bytes = waiting === null ? 0 : Buffer.byteLength(waiting);
      waiting = null;
    }
    const warnings = format === null || format === 'usage_service_jsonl' ? [] : SNAPSHOT_WARNINGS;
    return { batch, state, message, format, failed, unsupported, warnings, failures: news };
  }

  function readOn(): ImportStep {
    while (waiting === null && texts.length < IMPORT_BATCH_EVENTS) {
      const { value, done } = items.next();
      if (done === true) {
        const isSnapshot = format !== null && format !== 'usage_service_jsonl';
        if (isSnapshot && events === 0) throw aggregatesOnly(format ?? 'legacy_usage_payload', 0);
        return step('done');
      }
      if (value === HUNGRY) return step('hungry');
      take(value);
    }
    return step('more');
  }

  return {
    next() {
      try {
        return readOn();
      } catch (error) {
        if (!(error instanceof PayloadRefused)) throw error;
        format ??= error.format;
        unsupported += error.unsupported;
        return step('refused', error.message);
      }
    },
  };
}
