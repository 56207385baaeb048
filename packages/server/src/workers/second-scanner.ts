import type { AnalyticsContext } from '../facts/context.ts';
import { createFactReader, withinSnapshot } from '../facts/reader.ts';
import type { Question } from '../facts/second-scanner/protocol.ts';
import { serveSecondScanner } from '../facts/second-scanner/serve.ts';
import { openDatabase } from '../sqlite/open.ts';
import { readersOf, type SecondScannerInit } from './analytics-context.ts';
import { createGarbageWatch } from './garbage-watch.ts';
import { createIdleTimer } from './idle-timer.ts';
import { ANALYTICS_OPERATIONS } from './operations/analytics.ts';

const MIB = 2 ** 20;
/** It reads whole segments, each page once. */
const PAGE_BYTES = 2 * MIB;
const GARBAGE_BYTES = 8 * MIB;
/** Longer than between the scans of one page. */
const IDLE_MS = 1_000;

serveSecondScanner<SecondScannerInit>(({ databasePath, columnBytes }) => {
  const db = openDatabase(databasePath, { readonly: true, cacheBytes: PAGE_BYTES });
  const facts = createFactReader(db, {
    cacheBytes: columnBytes,
    // It continues no results: they are the other thread's.
    partialBytes: 0,
    sealedOnly: true,
    onGarbage: () => Bun.gc(true),
  });
  const garbage = createGarbageWatch({
    residentBytes: () => process.memoryUsage.rss(),
    collect: () => Bun.gc(true),
    growthBytes: GARBAGE_BYTES,
  });
  const idle = createIdleTimer({
    afterMs: IDLE_MS,
    onIdle: () => {
      facts.rest();
      Bun.gc(true);
    },
  });
  const readers = readersOf(db);
  const operations: Readonly<Record<string, (context: AnalyticsContext, args: never) => unknown>> =
    ANALYTICS_OPERATIONS;
  return {
    read: (body) => {
      facts.read(body);
      idle.touch();
      // After the result is sent.
      setTimeout(garbage.check, 0);
    },
    plan: ({ operation, args }: Question, snapshot) => {
      operations[operation]?.({ ...readers, facts: withinSnapshot(snapshot), checkStopped: () => {} }, args as never);
    },
  };
});
