import { decodeDetail } from '../events/detail/detail-codec.ts';
import { createWordReader } from '../events/detail/words.ts';
import type { AnalyticsContext } from '../facts/context.ts';
import { createFactReader } from '../facts/reader.ts';
import { createPriceReader } from '../features/prices/price-book.ts';
import type { MemoryShares } from '../platform/memory/budget.ts';
import { openDatabase } from '../sqlite/open.ts';
import { serveOperations } from '../sqlite/worker/serve.ts';
import { createGarbageWatch } from './garbage-watch.ts';
import { createIdleTimer } from './idle-timer.ts';
import { ANALYTICS_OPERATIONS } from './operations/analytics.ts';

/** What the analytics worker is started with. */
export interface AnalyticsWorkerInit {
  readonly databasePath: string;
  readonly memory: AnalyticsMemory;
}

export type AnalyticsMemory = Pick<MemoryShares, 'columnBytes' | 'sumBytes' | 'garbageBytes' | 'readerPageBytes'>;

/** Longer than a panel that is seen takes to ask again. */
const IDLE_MS = 60_000;

serveOperations<AnalyticsWorkerInit, AnalyticsContext>((init, control) => {
  const { memory } = init;
  const db = openDatabase(init.databasePath, { readonly: true, cacheBytes: memory.readerPageBytes });
  const words = createWordReader(db);
  const garbage = createGarbageWatch({
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => Bun.gc(true),
    // A collection takes about 10 ms.
    growthBytes: memory.garbageBytes,
  });
  const facts = createFactReader(db, {
    cacheBytes: memory.columnBytes,
    partialBytes: memory.sumBytes,
    onGarbage: () => Bun.gc(true),
  });
  const idle = createIdleTimer({
    afterMs: IDLE_MS,
    onIdle: () => {
      facts.rest();
      Bun.gc(true);
    },
  });
  const context: AnalyticsContext = {
    facts,
    decode: (detail, withRaw = false) => decodeDetail(detail, words, { raw: withRaw }),
    prices: createPriceReader(db),
    now: Date.now,
    checkStopped: () => {
      if (control.stopped()) throw new Error('no request waits for this response');
      garbage.check();
    },
  };
  return {
    operations: ANALYTICS_OPERATIONS,
    context,
    around: (_operation, invoke) => {
      // After the answer is sent.
      setTimeout(garbage.check, 0);
      idle.touch();
      return invoke();
    },
    close: () => {
      idle.stop();
      db.close();
    },
  };
});
