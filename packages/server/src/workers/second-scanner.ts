import type { AnalyticsContext } from '../facts/context.ts';
import { createFactReader } from '../facts/reader.ts';
import type { Question } from '../facts/second-scanner/protocol.ts';
import { serveSecondScanner } from '../facts/second-scanner/serve.ts';
import { openDatabase } from '../sqlite/open.ts';
import { type AnalyticsWorkerInit, readersOf } from './analytics-context.ts';
import { createGarbageWatch } from './garbage-watch.ts';
import { ANALYTICS_OPERATIONS } from './operations/analytics.ts';

serveSecondScanner<AnalyticsWorkerInit>(({ databasePath, memory }) => {
  const db = openDatabase(databasePath, { readonly: true, cacheBytes: memory.readerPageBytes });
  const facts = createFactReader(db, {
    cacheBytes: memory.columnBytes,
    // It continues no results: they are the other thread's.
    partialBytes: 0,
    sealedOnly: true,
    onGarbage: () => Bun.gc(true),
  });
  const garbage = createGarbageWatch({
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => Bun.gc(true),
    growthBytes: memory.garbageBytes,
  });
  const readers = readersOf(db);
  const operations: Readonly<Record<string, (context: AnalyticsContext, args: never) => unknown>> =
    ANALYTICS_OPERATIONS;
  return {
    read: (body) => {
      facts.read(body);
      // After the result is sent.
      setTimeout(garbage.check, 0);
    },
    plan: ({ operation, args }: Question, snapshot) => {
      const planning = { read: <Result>(body: (of: typeof snapshot) => Result) => body(snapshot) };
      operations[operation]?.({ ...readers, facts: planning, checkStopped: () => {} }, args as never);
    },
  };
});
