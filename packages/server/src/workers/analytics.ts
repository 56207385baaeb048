import type { AnalyticsContext } from '../facts/context.ts';
import { createFactReader } from '../facts/reader.ts';
import { createSecondScanner } from '../facts/second-scanner/second-scanner.ts';
import { availableProcessors } from '../platform/processors.ts';
import { openDatabase } from '../sqlite/open.ts';
import { workerEntry } from '../sqlite/worker/entry.ts';
import { serveOperations } from '../sqlite/worker/serve.ts';
import { type AnalyticsWorkerInit, readersOf, type SecondScannerInit } from './analytics-context.ts';
import { DATABASE_WORKERS } from './entries.ts';
import { createGarbageWatch } from './garbage-watch.ts';
import { createIdleTimer } from './idle-timer.ts';
import { ANALYTICS_OPERATIONS } from './operations/analytics.ts';

const EXPORT_GROWTH_BYTES = 8 * 1024 * 1024;
/** Longer than a panel that is seen takes to ask again. */
const IDLE_MS = 60_000;
serveOperations<AnalyticsWorkerInit, AnalyticsContext>((init, control) => {
  const { memory } = init;
  const db = openDatabase(init.databasePath, { readonly: true, cacheBytes: memory.readerPageBytes });
  const garbage = createGarbageWatch({
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => Bun.gc(true),
    // A collection takes about 10 ms.
    growthBytes: memory.garbageBytes,
  });
  // An export makes garbage without a pause: what it takes should not depend on how large the heap is otherwise.
  const exportGarbage = createGarbageWatch({
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => Bun.gc(true),
    growthBytes: EXPORT_GROWTH_BYTES,
  });
  const second = createSecondScanner({
    entry: workerEntry(DATABASE_WORKERS.secondScanner),
    init: {
      databasePath: init.databasePath,
      columnBytes: memory.secondColumnBytes,
    } satisfies SecondScannerInit,
    cores: memory.secondColumnBytes === 0 ? 1 : availableProcessors(),
    restMs: IDLE_MS,
  });
  const facts = createFactReader(db, {
    cacheBytes: memory.columnBytes,
    partialBytes: memory.sumBytes,
    sharing: second,
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
    ...readersOf(db),
    facts,
    checkStopped: () => {
      if (control.stopped()) throw new Error('no request waits for this response');
      garbage.check();
    },
  };
  return {
    operations: ANALYTICS_OPERATIONS,
    context,
    around: (operation, invoke, { name, args }) => {
      // After the answer is sent.
      setTimeout(operation === ANALYTICS_OPERATIONS.requestExportPage ? exportGarbage.check : garbage.check, 0);
      idle.touch();
      second.asked({ operation: name, args });
      return invoke();
    },
    close: () => {
      idle.stop();
      second.close();
      db.close();
    },
  };
});
