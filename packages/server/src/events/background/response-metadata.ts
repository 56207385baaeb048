import { restoreMetadata } from '@manager/core/usage/restore-metadata';
import { readCounter } from '../ingest/counters.ts';
import { factHeaders } from '../ingest/fact-row.ts';
import { HeaderSnapshots } from '../ingest/header-snapshots.ts';
import type { IngestContext } from '../ingest/operations.ts';
import { stepSinglePass } from './single-pass.ts';
import type { DataMigrationState } from './state.ts';
import type { StepResult } from './step-result.ts';

/**
 * Events of an earlier format get the response metadata that is read from headers and failures today: raw row, columns
 * of the fact and newest headers of the account together.
 */
export function stepResponseMetadata(context: IngestContext, state: DataMigrationState): StepResult {
  const { db, now, events: writer } = context;
  const headers = new HeaderSnapshots();
  // Older events are not in that table yet.
  const pending = readCounter(db, 'header_snapshots_pending_id');
  const result = stepSinglePass(context, state, {
    correct: restoreMetadata,
    factOf: (event) => ({ values: factHeaders(event, writer.symbols) }),
    corrected(event, id) {
      if (id > pending) headers.add(event, id, now());
    },
  });
  headers.writeTo(db);
  return result;
}
