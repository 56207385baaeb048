import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { hashKey } from '../../../events/ingest/hash-key.ts';
import { createOfflineImportInserter } from '../../../events/ingest/import-events.ts';
import { SEGMENT_ROWS } from '../../../facts/columns.ts';
import { sealTail } from '../../../facts/seal.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { stopPoint } from '../../../platform/stop-point.ts';
import { createCheckpoint, emptyProgress, type ImportProgress } from './checkpoint.ts';
import type { EventRows } from './event-rows.ts';
import type { ForeignFormat } from './format.ts';
import { eventOfA, type MappedRow } from './format-a.ts';
import { createReaderOfB } from './format-b.ts';
import { createOverlapFinder } from './overlap.ts';
import type { ForeignSource } from './source.ts';
import { createForeignTimes } from './times.ts';
import { createCellReader, type ForeignRow } from './values.ts';

export interface RowImportOptions {
  readonly format: ForeignFormat;
  readonly hourlyRollup: boolean;
  readonly timeZone: string | null;
  /** Leaves out events that both tools recorded; only where identities cannot show it. */
  readonly skipOverlap: boolean;
  readonly now: () => number;
  /** Called before every page; throws to stop. */
  readonly beforePage: () => Promise<void>;
  readonly onProgress: (progress: ImportProgress) => void;
}

export interface RowImport extends ImportProgress {
  /** The row after which this run continued; null = it started at the beginning. */
  readonly resumedAfter: number | null;
}

/** Copies the events of a source page by page, each page and its checkpoint in one transaction. */
export async function importRows(
  db: Database,
  source: ForeignSource,
  rows: EventRows,
  options: RowImportOptions,
): Promise<RowImport> {
  const oldest = await source.read((foreign) => rows.oldest(foreign));
  if (oldest === null) return { ...emptyProgress(0), resumedAfter: null };
  const checkpoint = createCheckpoint(db, fingerprintOf(options.format, oldest), options.now);
  const stored = checkpoint.read();
  let progress = stored ?? emptyProgress(lastEventId(db));
  const write = createPageWriter(db, oldest, progress.eventsUntil, options);
  let unsealed = 0;
  for (;;) {
    await options.beforePage();
    const page = await source.read((foreign) => rows.page(foreign, progress.lastRowId));
    if (page.length === 0) break;
    const before = progress;
    progress = db
      .transaction(() => {
        const next = write(page, before);
        checkpoint.write(next);
        stopPoint('foreign_page_written');
        return next;
      })
      .immediate();
    stopPoint('foreign_page_committed');
    options.onProgress(progress);
    unsealed += progress.added - before.added;
    if (unsealed >= SEGMENT_ROWS) {
      sealAll(db, options.now);
      unsealed = 0;
    }
  }
  sealAll(db, options.now);
  checkpoint.remove();
  return { ...progress, resumedAfter: stored?.lastRowId ?? null };
}

type PageWriter = (page: readonly ForeignRow[], progress: ImportProgress) => ImportProgress;

function createPageWriter(
  db: Database,
  oldest: ForeignRow,
  eventsUntil: number,
  options: RowImportOptions,
): PageWriter {
  const { format, now } = options;
  const cells = createCellReader();
  const inserter = createOfflineImportInserter(db, { hourlyRollup: options.hourlyRollup, now });
  const isKnown = db.query<{ known: number }, [string | Uint8Array]>(
    'SELECT 1 AS known FROM usage_event_identity_ledger WHERE event_hash = ?',
  );
  const overlap = format === 'B' && options.skipOverlap ? createOverlapFinder(db, eventsUntil) : null;
  const ofB = format === 'B' ? createReaderOfB(oldest, cells, createForeignTimes(options.timeZone)) : null;
  const read = (row: ForeignRow): MappedRow => (ofB === null ? eventOfA(row, cells, now()) : ofB.read(row, now()));

  return (page, progress) => {
    const repairedBefore = cells.repairedTexts;
    const notMapped = { ...progress.notMapped };
    const events: UsageEvent[] = [];
    let recounted = 0;
    let skipped = 0;
    for (const row of page) {
      cells.countTooLong(row);
      // Before the row is read completely: in a second import most rows are known.
      if (format === 'A' && isKnown.get(hashKey(cells.text(row, 'event_hash').trim())) !== null) {
        skipped += 1;
        continue;
      }
      const mapped = read(row);
      if (mapped.kind === 'not_mapped') {
        notMapped[mapped.reason] = (notMapped[mapped.reason] ?? 0) + 1;
        continue;
      }
      if (mapped.recounted) recounted += 1;
      // Before overlaps are searched: an event from an earlier import is no overlap.
      if (overlap !== null && isKnown.get(hashKey(mapped.event.event_hash)) !== null) skipped += 1;
      else events.push(mapped.event);
    }
    const doubles = overlap?.find(events);
    const wanted = doubles === undefined ? events : events.filter((_, index) => doubles[index] === false);
    const inserted = inserter.insert(wanted);
    if (inserted.failed > 0) {
      notMapped[CANNOT_BE_STORED] = (notMapped[CANNOT_BE_STORED] ?? 0) + inserted.failed;
    }
    return {
      lastRowId: Number(page.at(-1)?.row_id ?? progress.lastRowId),
      eventsUntil,
      read: progress.read + page.length,
      added: progress.added + inserted.added,
      skipped: progress.skipped + skipped + inserted.skipped,
      skippedOverlap: progress.skippedOverlap + events.length - wanted.length,
      notMapped,
      recounted: progress.recounted + recounted,
      repairedTexts: progress.repairedTexts + cells.repairedTexts - repairedBefore,
    };
  };
}

const CANNOT_BE_STORED = 'the row cannot be stored';

/** Identifies a source whatever its file name: its oldest row stays. */
function fingerprintOf(format: ForeignFormat, oldest: ForeignRow): string {
  const parts = [format, oldest.row_id, oldest.timestamp, oldest.event_hash ?? null, oldest.model];
  return sha256Hex(JSON.stringify(parts.map(String))).slice(0, 32);
}

function lastEventId(db: Database): number {
  return db.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'usage_events'").get()?.seq ?? 0;
}

function sealAll(db: Database, now: () => number): void {
  while (sealTail({ db, now })) {
    // The rows of a segment would stay as garbage for a long time.
    Bun.gc(true);
  }
}
