import type { AnalyticsResponse } from '@manager/core/contract/monitoring';
import { Transfer } from '../../../db/worker/transfer.ts';
import type { AnalyticsContext } from '../../../facts/operations.ts';
import { type AnalyticsInput, parseAnalyticsRequest } from '../request.ts';
import { readEventsPage } from './events-page.ts';
import { readFilterSelectors } from './filter-selectors.ts';

/** Answers one analytics question with its JSON body. All sections come from one read transaction. */
export function answerAnalytics(context: AnalyticsContext, input: AnalyticsInput): Transfer<Uint8Array<ArrayBuffer>> {
  const query = 'query' in input ? input.query : parseAnalyticsRequest(input.body);
  const response = context.facts.read((snapshot): AnalyticsResponse => {
    return {
      generated_at_ms: context.now(),
      granularity: query.granularity,
      ...(query.eventsPage === null ? {} : { events: readEventsPage(snapshot, query, query.eventsPage, context) }),
      ...(query.filterSelectors ? { filter_options: readFilterSelectors(snapshot, query, context.checkStopped) } : {}),
    };
  });
  const body = new TextEncoder().encode(JSON.stringify(response));
  return new Transfer(body, [body.buffer]);
}
