import type { Database } from 'bun:sqlite';
import { isCatalogueSource } from '@manager/core/pricing/catalogue/sync-plan';
import type { ModelPrice, PriceMap } from '@manager/core/pricing/price';
import { addToCounter } from '../../events/ingest/counters.ts';
import type { ReaderContext, WriterContext } from '../../sqlite/contexts.ts';
import { Transfer } from '../../sqlite/worker/transfer.ts';
import { parsePrices } from './request.ts';

interface Row {
  readonly model: string;
  readonly source: string;
  readonly price: string;
  readonly updated_at_ms: number;
  readonly synced_at_ms: number | null;
}

/** Rates, tiers and catalogue entry as JSON, without the members that have their own column. */
type StoredPrice = Omit<ModelPrice, 'source' | 'updatedAtMs' | 'syncedAtMs'>;

/** By the primary key. */
export const LIST_PRICES_SQL = `
SELECT model, source, price, updated_at_ms, synced_at_ms
FROM model_prices
ORDER BY model`;

const UPSERT_SQL = `
INSERT INTO model_prices (model, source, price, updated_at_ms, synced_at_ms, chosen)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (model) DO UPDATE SET
  source = excluded.source,
  price = excluded.price,
  updated_at_ms = excluded.updated_at_ms,
  synced_at_ms = excluded.synced_at_ms,
  chosen = excluded.chosen`;

/** By the primary key. */
export const ENTRIES_SQL = `
SELECT model, source, coalesce(price ->> '$.sourceModelId', '') AS id, chosen
FROM model_prices`;

/** The catalogue entry of a price. */
interface StoredEntry {
  readonly model: string;
  readonly source: string;
  readonly id: string;
  readonly chosen: number;
}

/** Read operation: the answer to GET, as JSON. */
export function modelPricesBody({ db }: ReaderContext, _args: null): Transfer<Uint8Array<ArrayBuffer>> {
  return answerBody(db);
}

/**
 * Write operation: replaces all prices by those of a PUT body. The body is parsed here, because it may be large.
 *
 * @returns the answer, as JSON
 * @throws AppError 400 without a change
 */
export function replaceModelPrices({ db, now }: WriterContext, body: Uint8Array): Transfer<Uint8Array<ArrayBuffer>> {
  const prices = Object.entries(parsePrices(body));
  return db
    .transaction(() => {
      const nowMs = now();
      const entries = new Map(
        db
          .query<StoredEntry, []>(ENTRIES_SQL)
          .all()
          .map((entry) => [entry.model, entry]),
      );
      db.query('DELETE FROM model_prices').run();
      for (const [model, price] of prices) {
        writePrice(db, model, { ...price, updatedAtMs: nowMs }, isChosen(price, entries.get(model)));
      }
      countChange(db);
      return answerBody(db);
    })
    .immediate();
}

/**
 * Whether a person chose the catalogue entry of a price: it differs from the stored one. A client writes all prices back
 * that it read, so the others keep what they are.
 */
function isChosen({ source = '', sourceModelId = '' }: ModelPrice, stored: StoredEntry | undefined): boolean {
  if (!isCatalogueSource(source) || sourceModelId === '') return false;
  return stored === undefined || stored.source !== source || stored.id !== sourceModelId || stored.chosen === 1;
}

/**
 * Writes the built-in prices. Once, and only if neither a price nor an event was ever written: a cleared table stays empty, and
 * an upgrade must not change the cost of history.
 *
 * @param prices called only when they are written
 */
export function seedModelPrices({ db, now }: WriterContext, prices: () => PriceMap): void {
  db.transaction(() => {
    if (db.query<{ used: number }, []>(USED_SQL).get()?.used === 1) return;
    const nowMs = now();
    for (const [model, price] of Object.entries(prices())) writePrice(db, model, { ...price, updatedAtMs: nowMs });
    countChange(db);
  }).immediate();
}

/** Each branch stops at its first row. */
const USED_SQL = `
SELECT EXISTS (SELECT 1 FROM model_prices)
  OR EXISTS (SELECT 1 FROM counters WHERE name = 'price_revision')
  OR EXISTS (SELECT 1 FROM usage_event_identity_ledger)
  OR EXISTS (SELECT 1 FROM dead_letters) AS used`;

/** In the transaction of every write: caches that depend on prices detect the change by it. */
export function countChange(db: Database): void {
  addToCounter(db, 'price_revision', 1);
}

/** @param chosen whether a person chose its catalogue entry */
export function writePrice(db: Database, model: string, price: ModelPrice, chosen = false): void {
  const { source = '', updatedAtMs = 0, syncedAtMs = null, ...stored } = price;
  const text = JSON.stringify(stored satisfies StoredPrice);
  db.query(UPSERT_SQL).run(model, source, text, updatedAtMs, syncedAtMs, Number(chosen));
}

export function readPrices(db: Database): PriceMap {
  const rows = db.query<Row, []>(LIST_PRICES_SQL).all();
  return Object.fromEntries(rows.map((row) => [row.model, toPrice(row)]));
}

function toPrice(row: Row): ModelPrice {
  const stored = JSON.parse(row.price) as StoredPrice;
  return {
    ...stored,
    ...(row.source === '' ? {} : { source: row.source }),
    updatedAtMs: row.updated_at_ms,
    ...(row.synced_at_ms === null ? {} : { syncedAtMs: row.synced_at_ms }),
  };
}

function answerBody(db: Database): Transfer<Uint8Array<ArrayBuffer>> {
  const body = new TextEncoder().encode(JSON.stringify({ prices: readPrices(db) }));
  return new Transfer(body, [body.buffer]);
}
