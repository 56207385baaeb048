import type { RecordContext } from '@manager/core/usage/context';
import type { UsageEvent } from '@manager/core/usage/event';
import type { ImportFormat } from '@manager/core/usage/import-record';
import type { DetailPosition } from '@manager/core/usage/legacy-snapshot';
import type { EventPacker } from '../../../../events/ingest/event-packer.ts';
import { IMPORT_BATCH_BYTES, IMPORT_BATCH_EVENTS, receivedAt } from '../../../../events/ingest/import-events.ts';
import type { PackedEvents } from '../../../../events/ingest/packed-events.ts';
import { NEEDS_INPUT } from './input.ts';
import { aggregatesOnly } from './payload.ts';
import type { PayloadItem, ReadItem } from './payload-item.ts';
import { createRecordReader, RECORD_NOTES, type ReadRecord, type RecordNote } from './record-reader.ts';
import { createRemarks, type Place, type RecordRemark } from './record-remarks.ts';
import { PayloadRefused } from './refused.ts';

/** A step of reading; the counts are those of the whole payload so far. */
export interface ImportStep {
  /** Events, ready to be stored. */
  readonly batch: PackedEvents | null;
  readonly state: 'more' | 'needs_input' | 'done' | 'refused';
  /** Why the payload was refused; '' = it was not. */
  readonly message: string;
  readonly format: ImportFormat | null;
  readonly failed: number;
  readonly unsupported: number;
  readonly warnings: readonly string[];
  /** Kinds of changes to records that became events, with counts. */
  readonly notes: readonly string[];
  /** The first failed records since the previous step. */
  readonly failures: readonly RecordRemark[];
  /** The first of the records in `notes`, since the previous step. */
  readonly noted: readonly RecordRemark[];
}

export interface BatchReader {
  /** Reads until a batch is full or nothing more can be read. */
  next(): ImportStep;
}

/** In UTF-16 units. */
const HEAVY_EVENT_LENGTH = 2 * 1024 * 1024;

/** The API defines exactly these, so other notes on a snapshot are only in the log. */
const SNAPSHOT_WARNINGS = [
  'legacy_usage_metadata_is_partial',
  'legacy_usage_source_matching_may_be_approximate',
] as const;

/** Converts the records of a payload to events and packs them for the writer: all slow work that needs no database. */
export function createBatchReader(
  items: Generator<ReadItem, void>,
  packer: EventPacker,
  context: () => RecordContext,
): BatchReader {
  const records = createRecordReader(context);
  /** Bytes of the records in the packer. */
  let packedBytes = 0;
  let events = 0;
  let format: ImportFormat | null = null;
  /** `null` = the counted ones. */
  let warnings: readonly string[] | null = null;
  let failed = 0;
  let unsupported = 0;
  const failures = createRemarks();
  const noted = createRemarks();
  const notes = new Map<RecordNote, number>();

  function fail(where: () => Place, reason: string): void {
    failed += 1;
    failures.add(where, reason);
  }

  function note(kind: RecordNote, where: () => Place): void {
    notes.set(kind, (notes.get(kind) ?? 0) + 1);
    noted.add(where, RECORD_NOTES[kind]);
  }

  function counted(): readonly string[] {
    return Array.from(notes, ([kind, count]) => `${kind}:${count}`).sort();
  }

  /** False when the event cannot be stored. */
  function add(event: UsageEvent, bytes: number): boolean {
    events += 1;
    // There are several copies of its record by now.
    if (event.raw_json.length + event.fail_body.length >= HEAVY_EVENT_LENGTH) Bun.gc(true);
    try {
      packer.add(event, { receivedAtMs: receivedAt(event, context().nowMs) });
    } catch {
      return false;
    }
    packedBytes += bytes;
    return true;
  }

  function takeRecord(read: ReadRecord, bytes: number, where: () => Place): void {
    if (read.kind === 'event') {
      if (!add(read.event, bytes)) failed += 1;
      for (const kind of read.notes) note(kind, where);
    } else if (read.kind === 'failed') fail(where, read.reason);
    else if (read.kind === 'fatal') throw new PayloadRefused(`${where().where}: ${read.reason}`);
  }

  function take(item: PayloadItem): void {
    switch (item.kind) {
      case 'format':
        format = item.format;
        if (isSnapshot(format)) warnings = SNAPSHOT_WARNINGS;
        return;
      case 'record':
        takeRecord(records.record(item.bytes), item.bytes.length, () => ({
          where: `line ${item.line}`,
          line: item.line,
        }));
        return;
      case 'detail':
        takeRecord(records.detail(item.bytes, item.position), item.bytes.length, () => ({
          where: placeOf(item.position),
          line: null,
        }));
        return;
      case 'failed':
        fail(() => ({ where: item.where, line: null }), item.reason);
        return;
      case 'unsupported':
        unsupported += 1;
    }
  }

  /** A batch that is not full is never stored before an end that refuses the payload. */
  function takeBatch(state: ImportStep['state']): ImportStep['batch'] {
    if (packer.count === 0 || state === 'needs_input' || state === 'refused') return null;
    packedBytes = 0;
    return packer.take();
  }

  function step(state: ImportStep['state'], message = ''): ImportStep {
    return {
      batch: takeBatch(state),
      state,
      message,
      format,
      failed,
      unsupported,
      warnings: warnings ?? counted(),
      notes: counted(),
      failures: failures.take(),
      noted: noted.take(),
    };
  }

  function readOn(): ImportStep {
    while (packer.count < IMPORT_BATCH_EVENTS && packedBytes < IMPORT_BATCH_BYTES) {
      const { value, done } = items.next();
      if (done === true) {
        if (isSnapshot(format) && events === 0) throw aggregatesOnly(format, 0);
        return step('done');
      }
      if (value === NEEDS_INPUT) return step('needs_input');
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

function isSnapshot(format: ImportFormat | null): format is ImportFormat {
  return format !== null && format !== 'usage_service_jsonl';
}

function placeOf({ detailIndex, modelRank, endpointRank }: DetailPosition): string {
  return `detail ${detailIndex + 1} of model ${modelRank} of endpoint ${endpointRank}`;
}
