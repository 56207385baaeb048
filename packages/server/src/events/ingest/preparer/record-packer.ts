import { enrich } from '@manager/core/usage/enrich';
import type { AccountSnapshotTable } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { sha256Hex } from '../../../platform/sha256.ts';
import type { WordMirror } from '../../detail/word-mirror.ts';
import { createEventPacker } from '../event-packer.ts';
import type { PackedEvents } from '../packed-events.ts';
import { CHUNK_RECORDS, type PackedRecords } from './protocol.ts';

/** Packs the events of records, one row for each record. */
export type RecordPacker = (records: PackedRecords, snapshots: AccountSnapshotTable | null) => PackedEvents;

/** Reads records and packs their events. What is no event, or fails, is left to whoever stores them. */
export function createRecordPacker(words: WordMirror): RecordPacker {
  const events = createEventPacker(words, CHUNK_RECORDS);

  function pack(text: string, receivedAtMs: number, snapshots: AccountSnapshotTable | null): void {
    const outcome = readRecord(text, { nowMs: receivedAtMs, sha256Hex });
    if (outcome.kind !== 'event') {
      events.skip();
      return;
    }
    const { event, cut } = prepareForInsert(snapshots === null ? outcome.event : enrich(outcome.event, snapshots));
    const { hashComputed, repaired } = outcome;
    events.add(event, { receivedAtMs, hashComputed: hashComputed && !cut, repaired, cut });
  }

  return (records, snapshots) => {
    for (const [index, text] of records.texts.entries()) {
      try {
        pack(text, records.receivedAtMs[index] ?? 0, snapshots);
      } catch {
        // Whoever stores it fails as well, and finds out whether the record is the cause.
        events.skip();
      }
    }
    return events.take();
  };
}
