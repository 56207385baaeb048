import type { Database } from 'bun:sqlite';
import { correctStoredEvent } from '@manager/core/usage/stored-event';
import { eventDecoder } from '../detail/event-decoder.ts';
import { factTokens, TOKEN_FLAGS, tokenFlags } from '../ingest/fact-row.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { stepSinglePass } from './single-pass.ts';
import type { DataMigrationState } from './state.ts';
import type { StepResult } from './step-result.ts';

/**
 * Events of an earlier version get the rules of today for counts and for sources that are keys: raw row, fact and
 * hourly rollup together. The facts of events that were deleted before keep what they have.
 */
export function stepStoredEventRules(context: IngestContext, state: DataMigrationState): StepResult {
  const { db, events: writer } = context;
  return stepSinglePass(context, state, {
    correct: correctStoredEvent,
    factOf: (event) => ({
      values: {
        ...factTokens(event),
        source: writer.symbols.idOf(event.source),
        fail_summary: event.fail_summary,
      },
      flags: { mask: TOKEN_FLAGS, bits: tokenFlags(event) },
    }),
    finish: () => correctKeptSnapshots(db, writer),
  });
}

/** The newest headers of an account outlive their raw row. */
function correctKeptSnapshots(db: Database, { detailOf }: IngestContext['events']): void {
  // One row per account.
  const rows = db
    .query<{ key: string; detail: Uint8Array }, []>(
      `SELECT snapshot_key AS key, detail
       FROM latest_header_snapshots
       WHERE detail IS NOT NULL`,
    )
    .all();
  const decode = eventDecoder(db);
  const update = db.query('UPDATE latest_header_snapshots SET detail = ? WHERE snapshot_key = ?');
  for (const { key, detail } of rows) {
    const stored = decode(detail);
    const event = correctStoredEvent(stored);
    if (event !== stored) update.run(detailOf(event), key);
  }
}
