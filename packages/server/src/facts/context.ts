import type { PriceBook } from '@manager/core/pricing/price-book';
import type { UsageEvent } from '@manager/core/usage/event';
import type { FactReader } from './reader.ts';

/** Context of a query in the analytics worker. */
export interface AnalyticsContext {
  readonly facts: Pick<FactReader, 'read'>;
  /** Unpacks the detail of a raw event; its original item only on request, because that takes longer. */
  readonly decode: (detail: Uint8Array, withRaw?: boolean) => UsageEvent;
  /** The current prices; inside the read transaction of a request, so that one answer uses one set of prices. */
  readonly prices: () => { readonly revision: number; readonly book: PriceBook };
  readonly now: () => number;
  /** Throws when nobody waits for the answer any more; call it between chunks and batches. */
  readonly checkStopped: () => void;
}
