import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { analyticsResponseSchema } from '@manager/core/contract/monitoring/analytics';
import type { ModelPrice } from '@manager/core/pricing/price';
import { decodeDetail } from '../../../events/detail/detail-codec.ts';
import { createWordReader } from '../../../events/detail/words.ts';
import { createFactReader, withinSnapshot } from '../../../facts/reader.ts';
import { sealTail } from '../../../facts/seal.ts';
import { sharingInPlace } from '../../../facts/testing/sharing-in-place.ts';
import { createTestDatabase, type StoredEvent } from '../../../facts/testing/test-database.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { createPriceReader } from '../../prices/price-book.ts';
import { answerAnalytics } from '../queries/analytics.ts';
import type { AnalyticsQuery } from '../request.ts';

/** One state of a database over time. */
export interface Moment {
  /** Every event so far. */
  readonly events: readonly StoredEvent[];
  /** Ids of those whose raw row still exists. */
  readonly live: ReadonlySet<number>;
  ask(query: AnalyticsQuery): AnalyticsResponse;
}

export interface HistoryPlan {
  readonly events: readonly StoredEvent[];
  /** Numbers of rows that are sealed together, after each half of the events. */
  readonly seals: readonly number[];
  /** Positions of events whose raw rows are deleted at the end. */
  readonly deleted: readonly number[];
  readonly prices?: Readonly<Record<string, ModelPrice>>;
}

/** One reader sees the tail grow, move into segments and grow again; then raw events are deleted. */
export function replayHistory(plan: HistoryPlan, look: (moment: Moment) => void): void {
  const { events, seals, deleted, prices } = plan;
  const database = createTestDatabase();
  const db = openDatabase(database.path, { readonly: true });
  const secondDb = openDatabase(database.path, { readonly: true });
  const secondPrices = createPriceReader(secondDb);
  try {
    const insert = database.db.query(
      `INSERT INTO model_prices (model, source, price, updated_at_ms) VALUES (?, 'manual', ?, 0)`,
    );
    for (const [model, price] of Object.entries(prices ?? {})) insert.run(model, JSON.stringify(price));
    const words = createWordReader(db);
    const context = {
      facts: createFactReader(db, { cacheBytes: 200_000 }),
      prices: createPriceReader(db),
      now: () => 0,
      checkStopped: () => {},
      decode: (detail: Uint8Array) => decodeDetail(detail, words),
    };
    let asked: AnalyticsQuery | null = null;
    const sharing = sharingInPlace(createFactReader(secondDb, { cacheBytes: 200_000 }), (snapshot) => {
      if (asked !== null)
        answerAnalytics({ ...context, prices: secondPrices, facts: withinSnapshot(snapshot) }, { query: asked });
    });
    const shared = { ...context, facts: createFactReader(db, { cacheBytes: 200_000, sharing }) };
    let turn = 0;
    const ask = (query: AnalyticsQuery) => {
      asked = query;
      // Every third answer from two scans: tests ask two or four questions a time, and each of them must come to it.
      const answer = answerAnalytics(turn++ % 3 === 0 ? shared : context, { query });
      return analyticsResponseSchema.parse(JSON.parse(Buffer.concat(answer).toString()));
    };
    const seal = () => {
      for (const rows of seals) sealTail({ db: database.db, now: () => 0 }, rows);
    };

    const half = Math.ceil(events.length / 2);
    const early = events.slice(0, half);
    database.insert(early);
    look({ events: early, live: idsOf(early), ask });
    seal();
    database.insert(events.slice(half));
    seal();
    const live = idsOf(events);
    look({ events, live, ask });
    for (const place of deleted) {
      const id = events[place % events.length]?.id ?? 0;
      database.db.query('DELETE FROM usage_events WHERE id = ?').run(id);
      live.delete(id);
      look({ events, live, ask });
    }
  } finally {
    secondDb.close();
    db.close();
    database.dispose();
  }
}

function idsOf(events: readonly StoredEvent[]): Set<number> {
  return new Set(events.map(({ id }) => id));
}
