import type { PriceBook } from '@manager/core/pricing/price-book';
import type { UsageEvent } from '@manager/core/usage/event';
import type { FactReader } from './reader.ts';

/** What a question to the analytics worker gets. */
export interface AnalyticsContext {
  readonly facts: FactReader;
  /** Unpacks the detail of a raw event; its original item only when asked to, which takes longer. */
  readonly decode: (detail: Uint8Array, withRaw?: boolean) => UsageEvent;
  /** The current prices; inside the read transaction of a request, so that one answer has one set of prices. */
  readonly prices: () => { readonly revision: number; readonly book: PriceBook };
  /**
   * Events that a scan would have to read at least before sums are taken from the hourly rollup instead; absent = never.
   * What is kept of earlier scans answers faster than it, and short ranges are scanned at once.
   */
  readonly hourlyRollupFromEvents?: number | undefined;
  readonly now: () => number;
  /** Throws once nobody waits for the answer; call it between chunks and batches. */
  readonly checkStopped: () => void;
}
