import type { Database } from 'bun:sqlite';
import { decodeDetail } from '../events/detail/detail-codec.ts';
import { createWordReader } from '../events/detail/words.ts';
import type { AnalyticsContext } from '../facts/context.ts';
import { createPriceReader } from '../features/prices/price-book.ts';
import type { MemoryShares } from '../platform/memory/budget.ts';

/** What the analytics worker is started with. */
export interface AnalyticsWorkerInit {
  readonly databasePath: string;
  readonly memory: AnalyticsMemory;
}

export type AnalyticsMemory = Pick<
  MemoryShares,
  'columnBytes' | 'secondColumnBytes' | 'sumBytes' | 'garbageBytes' | 'readerPageBytes'
>;

/** What the second scanner is started with. */
export interface SecondScannerInit {
  readonly databasePath: string;
  /** Of its decoded columns. */
  readonly columnBytes: number;
}

/** What the questions of a thread read besides facts. */
export function readersOf(db: Database): Pick<AnalyticsContext, 'decode' | 'prices' | 'now'> {
  const words = createWordReader(db);
  return {
    decode: (detail, withRaw = false) => decodeDetail(detail, words, { raw: withRaw }),
    prices: createPriceReader(db),
    now: Date.now,
  };
}
