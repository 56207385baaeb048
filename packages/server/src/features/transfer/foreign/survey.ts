import type { WasCollecting } from './collected.ts';
import type { EventRows } from './event-rows.ts';
import { type ForeignSource, SourceRefused } from './source.ts';
import { createForeignTimes, lacksOffset } from './times.ts';

export interface Survey {
  readonly rows: number;
  /** Rows from times in which this manager was collecting. */
  readonly collected: number;
}

/**
 * Checks a source of format B before anything is written: an unreadable time must not be found halfway, and the operator should
 * know how many events may already be here.
 *
 * @throws SourceRefused when times have no offset and no time zone is given
 */
export async function surveyRows(
  source: ForeignSource,
  rows: EventRows,
  options: {
    readonly timeZone: string | null;
    readonly wasCollecting: WasCollecting;
    readonly beforePage: () => Promise<void>;
  },
): Promise<Survey> {
  const times = createForeignTimes(options.timeZone);
  let collected = 0;
  let count = 0;
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    await options.beforePage();
    const page = await source.read((db) => rows.page(db, after));
    for (const row of page) {
      if (options.timeZone === null && lacksOffset(row.timestamp)) {
        throw new SourceRefused(
          'the source contains times without an offset from UTC; set its time zone with --time-zone. Nothing was changed',
        );
      }
      const time = times.read(row.timestamp);
      if (time !== null && options.wasCollecting(time.ms)) collected += 1;
      count += 1;
      after = Number(row.row_id);
    }
    if (page.length === 0) return { rows: count, collected };
  }
}
