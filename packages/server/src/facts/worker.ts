import { createWordReader } from '../db/detail/words.ts';
import { decodeDetail } from '../db/detail-codec.ts';
import { openDatabase } from '../db/open.ts';
import { createPriceReader } from '../db/price-book.ts';
import { serveOperations } from '../db/worker/serve.ts';
import { Transfer } from '../db/worker/transfer.ts';
import { ANALYTICS_OPERATIONS, type AnalyticsContext } from './operations.ts';
import { createFactReader } from './reader.ts';

/** What the analytics worker is started with. */
export interface AnalyticsWorkerInit {
  readonly databasePath: string;
  /** Bound of the decoded columns. */
  readonly cacheBytes: number;
  readonly hourlyCoreFromEvents: number;
}

const LONG_ANSWER_BYTES = 2 * 1024 * 1024;

function bytesOf({ buffers }: Transfer<unknown>): number {
  return buffers.reduce((sum, buffer) => sum + buffer.byteLength, 0);
}

serveOperations<AnalyticsWorkerInit, AnalyticsContext>((init, control) => {
  const db = openDatabase(init.databasePath, { readonly: true });
  const words = createWordReader(db);
  const context: AnalyticsContext = {
    facts: createFactReader(db, { cacheBytes: init.cacheBytes, onGarbage: () => Bun.gc(true) }),
    decode: (detail, withRaw = false) => decodeDetail(detail, words, { raw: withRaw }),
    prices: createPriceReader(db),
    hourlyCoreFromEvents: init.hourlyCoreFromEvents,
    now: Date.now,
    checkStopped: () => {
      if (control.stopped()) throw new Error('nobody waits for this answer');
    },
  };
  return {
    operations: ANALYTICS_OPERATIONS,
    context,
    around: (_operation, invoke) => {
      const result = invoke();
      // The rows and texts behind a long answer take several times its bytes. After the answer is on its way.
      if (result instanceof Transfer && bytesOf(result) > LONG_ANSWER_BYTES) setTimeout(() => Bun.gc(true), 0);
      return result;
    },
    close: () => db.close(),
  };
});
