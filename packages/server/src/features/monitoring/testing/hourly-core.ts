import type { Database } from 'bun:sqlite';
import { catchUpHourlyCore } from '../../../events/ingest/hourly-catch-up.ts';

/** Brings the hourly core up to date, as the background of the writer does. */
export function fillHourlyCore(db: Database): void {
  const context = { db } as Parameters<typeof catchUpHourlyCore>[0];
  while (catchUpHourlyCore(context, null).behind);
}
