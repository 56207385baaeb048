import type { Database } from 'bun:sqlite';
import type { ModelPriceSyncResponse } from '@manager/core/contract/prices';
import {
  type ChosenEntry,
  preservedModels,
  type StoredSource,
  type SyncPlan,
} from '@manager/core/pricing/catalogue/sync-plan';
import type { PriceMap } from '@manager/core/pricing/price';
import type { ReaderContext, WriterContext } from '../../../sqlite/contexts.ts';
import { Transfer } from '../../../sqlite/worker/transfer.ts';
import { countChange, readPrices, writePrice } from '../store.ts';

/** The result of a sync, before it is stored. */
export interface SyncFindings {
  /** JSON of a `SyncPlan`. */
  readonly plan: Uint8Array;
  /** Of every requested source. */
  readonly sourceResults: ModelPriceSyncResponse['sourceResults'];
  readonly proxyUsed: boolean;
}

/** Result of storing a plan: models whose price was written, and those that were kept. */
export interface SyncOutcome {
  readonly written: readonly string[];
  /** Sorted. */
  readonly preserved: readonly string[];
}

/** By the primary key. */
export const SOURCES_SQL = `
SELECT
  model,
  source,
  CASE WHEN chosen = 1 THEN coalesce(price ->> '$.sourceModelId', '') ELSE '' END AS chosenId
FROM model_prices
ORDER BY model`;

/** Read operation: the entries that people chose. */
export function chosenPriceEntries({ db }: ReaderContext, _args: null): readonly ChosenEntry[] {
  const stored = db.query<StoredSource, []>(SOURCES_SQL).all();
  return stored.flatMap(({ model, source, chosenId }) => (chosenId === '' ? [] : [{ model, source, id: chosenId }]));
}

/**
 * Write operation: stores the prices of a plan. The prices to keep are determined inside the transaction: a price that was
 * entered while the catalogues were read stays.
 */
export function applyPriceSync(
  { db, now }: WriterContext,
  { plan: text, sourceResults }: Pick<SyncFindings, 'plan' | 'sourceResults'>,
): SyncOutcome {
  const plan = parsePlan(text);
  const failed = sourceResults.filter(({ error }) => error !== undefined).map(({ source }) => source);
  return db
    .transaction(() => {
      const stored = db.query<StoredSource, []>(SOURCES_SQL).all();
      const preserved = preservedModels(stored, plan, failed);
      const chosen = new Set(stored.filter(({ chosenId }) => chosenId !== '').map(({ model }) => model));
      return { written: writeMatches(db, plan, new Set(preserved), chosen, now()), preserved };
    })
    .immediate();
}

function writeMatches(
  db: Database,
  plan: SyncPlan,
  preserved: ReadonlySet<string>,
  chosen: ReadonlySet<string>,
  nowMs: number,
): readonly string[] {
  const matches = plan.matched.filter(({ model }) => !preserved.has(model));
  for (const { model, price } of matches) {
    const written = { ...price, source: price.source || 'sync', updatedAtMs: nowMs, syncedAtMs: nowMs };
    writePrice(db, model, written, chosen.has(model));
  }
  if (matches.length > 0) countChange(db);
  return matches.map(({ model }) => model);
}

function parsePlan(text: Uint8Array): SyncPlan {
  return JSON.parse(new TextDecoder().decode(text)) as SyncPlan;
}

/** Read operation: the answer to a sync, as JSON. It has the whole table, so the writer does not serialize it. */
export function priceSyncBody(
  { db }: ReaderContext,
  { plan, ...outcome }: SyncFindings & SyncOutcome,
): Transfer<Uint8Array<ArrayBuffer>> {
  const answer = toAnswer(parsePlan(plan), outcome, readPrices(db));
  const body = new TextEncoder().encode(JSON.stringify(answer));
  return new Transfer(body, [body.buffer]);
}

function toAnswer(
  plan: SyncPlan,
  { written, preserved, sourceResults, proxyUsed }: Omit<SyncFindings, 'plan'> & SyncOutcome,
  prices: PriceMap,
): ModelPriceSyncResponse {
  const sources = sourceResults.filter(({ error }) => error === undefined).map(({ source }) => source);
  const [source = '', ...others] = sources;
  const matched = written.flatMap((model) => {
    const price = prices[model];
    return price === undefined ? [] : [[model, price] as const];
  });
  return {
    source: others.length === 0 ? source : 'multi',
    sources,
    imported: written.length,
    skipped: sourceResults.reduce((sum, { skipped }) => sum + skipped, plan.invalid),
    ...(matched.length === 0 ? {} : { matched: Object.fromEntries(matched) }),
    ...(plan.candidates.length === 0 ? {} : { candidates: plan.candidates }),
    ...(plan.unmatched.length === 0 ? {} : { unmatched: plan.unmatched }),
    ...(preserved.length === 0 ? {} : { preserved }),
    proxyUsed,
    sourceResults,
    prices,
  };
}
