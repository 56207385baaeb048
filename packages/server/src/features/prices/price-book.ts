import type { Database } from 'bun:sqlite';
import type { ModelPrice } from '@manager/core/pricing/price';
import { createPriceBook, type PriceBook } from '@manager/core/pricing/price-book';

export interface CurrentPrices {
  /** Counts the changes of the price table. */
  readonly revision: number;
  readonly book: PriceBook;
}

/**
 * Reads the prices through a separate connection; the book is rebuilt only after a change of a price. Call it inside the read
 * transaction of a request, so that the whole answer has the same prices.
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
