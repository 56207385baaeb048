import type { Database } from 'bun:sqlite';
import { catchUpHourlyRollup } from '../../../events/ingest/hourly-catch-up.ts';

/** Updates the hourly rollup as the writer does in the background. */
export function fillHourlyRollup(db: Database): void {
  const context = { db } as Parameters<typeof catchUpHourlyRollup>[0];
  while (catchUpHourlyRollup(context, null).behind);
}
