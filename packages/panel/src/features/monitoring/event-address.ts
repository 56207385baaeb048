import type { EventRow } from '@manager/core/contract/monitoring/analytics';

/** Address of one request within the page, with its time and without filters, so that it is always found. */
export const eventAddress = ({ event_hash, timestamp_ms }: Pick<EventRow, 'event_hash' | 'timestamp_ms'>): string =>
  `#/monitoring/event/${event_hash}?at=${timestamp_ms}`;
