import type { Database } from 'bun:sqlite';
import type { AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { type ViewerAnalytics, viewerAnalyticsResponseSchema } from '@manager/core/contract/viewer-links/viewer';
import { decodeDetail } from '../../events/detail/detail-codec.ts';
import { createWordReader } from '../../events/detail/words.ts';
import { createFactReader } from '../../facts/reader.ts';
import { answerAnalytics } from '../monitoring/queries/analytics.ts';
import { createPriceReader } from '../prices/price-book.ts';
import { answerViewer } from './answer.ts';
import type { ViewerQuestion } from './question.ts';

export const CURSOR_KEY = new Uint8Array(32).fill(7);

type Asked = Omit<ViewerQuestion, 'cursorKey'>;

/** Answers viewers as the analytics worker does, over a database that tests fill. */
export function openViewerAnswers(db: Database): {
  ask(question: Asked): ViewerAnalytics;
  /** What the operator gets. */
  askAll(request: object): AnalyticsResponse;
} {
  const words = createWordReader(db);
  const context = {
    facts: createFactReader(db, { cacheBytes: 200_000 }),
    prices: createPriceReader(db),
    now: () => 0,
    checkStopped: () => {},
    decode: (detail: Uint8Array, withRaw = false) => decodeDetail(detail, words, { raw: withRaw }),
  };
  return {
    ask(question) {
      const bytes = answerViewer({ ...question, cursorKey: CURSOR_KEY }, context.prices().book, (body) =>
        answerAnalytics(context, { body }),
      );
      return viewerAnalyticsResponseSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
    },
    askAll: (request) =>
      JSON.parse(Buffer.concat(answerAnalytics(context, { body: JSON.stringify(request) })).toString()),
  };
}
