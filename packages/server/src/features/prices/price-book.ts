import type { Database } from 'bun:sqlite';
import type { ModelPrice } from '@manager/core/pricing/price';
import { createPriceBook, type PriceBook } from '@manager/core/pricing/price-book';

export interface CurrentPrices {
  /** Counts the changes of the price table. */
  readonly revision: number;
  readonly book: PriceBook;
}

/**
 * Reads the prices through a connection of its own; the book is made anew only when a price has changed. Ask inside the read
 * transaction of a request, so that all of its answer has the same prices.
 */
export function createPriceReader(db: Database): () => CurrentPrices {
  const revisions = db.query<{ value: number }, []>(`SELECT value FROM counters WHERE name = 'price_revision'`);
  const rows = db.query<{ model: string; price: string }, []>('SELECT model, price FROM model_prices');
  let current: CurrentPrices | null = null;

  return () => {
    const revision = revisions.get()?.value ?? 0;
    if (current === null || current.revision !== revision) {
      const prices = rows.all().map(({ model, price }) => [model, JSON.parse(price) as ModelPrice] as const);
      current = { revision, book: createPriceBook(Object.fromEntries(prices)) };
    }
    return current;
  };
}
