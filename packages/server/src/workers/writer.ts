import { createEventWriter } from '../events/ingest/event-writer.ts';
import { createImportInserter } from '../events/ingest/import-events.ts';
import { createIngester } from '../events/ingest/ingest.ts';
import type { IngestContext } from '../events/ingest/operations.ts';
import { createPreparer } from '../events/ingest/preparer/preparer.ts';
import { availableProcessors } from '../platform/processors.ts';
import { openDatabase } from '../sqlite/open.ts';
import { serveOperations } from '../sqlite/worker/serve.ts';
import { managesTransactions } from '../sqlite/worker/transactions.ts';
import { WRITES } from './operations/writes.ts';

export interface WriterInit {
  readonly path: string;
  readonly hourlyRollup: boolean;
  /** Pages of the database that it keeps: the ledger's random keys are its working set. Default 32 MiB. */
  readonly pageBytes?: number | undefined;
  /** Entry of the preparer's worker. */
  readonly preparer: string;
}

/** The checkpointer keeps the log short; this limit of 192 MiB applies if it fails. */
const AUTOMATIC_CHECKPOINT_PAGES = 49_152;
const PAGE_BYTES = 32 * 1024 * 1024;

serveOperations<WriterInit, IngestContext>((init) => {
  const db = openDatabase(init.path, { mustExist: true, cacheBytes: init.pageBytes ?? PAGE_BYTES });
  db.run(`PRAGMA wal_autocheckpoint = ${AUTOMATIC_CHECKPOINT_PAGES}`);
  const events = createEventWriter(db, { hourlyRollup: init.hourlyRollup });
  const preparer = createPreparer({ entry: init.preparer, cores: availableProcessors() });
  const context: IngestContext = {
    db,
    now: Date.now,
    events,
    ingester: createIngester(db, events, Date.now, preparer),
    imports: createImportInserter(db, events, Date.now),
  };
  return {
    operations: WRITES,
    context,
    around: (operation, invoke) => (managesTransactions(operation) ? invoke() : db.transaction(invoke).immediate()),
    close() {
      preparer.close();
      db.close();
    },
  };
});
