import type { Database } from 'bun:sqlite';
import { catchUpHourlyRollup } from '../../../events/ingest/hourly-catch-up.ts';

/** Brings the hourly rollup up to date, as the background of the writer does. */
export function fillHourlyRollup(db: Database): void {
  const context = { db } as Parameters<typeof catchUpHourlyRollup>[0];
  while (catchUpHourlyRollup(context, null).behind);
}
