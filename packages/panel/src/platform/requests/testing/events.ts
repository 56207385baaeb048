import type { EventRow, EventsPage } from '@manager/core/contract/monitoring/analytics';

/** A row for tests; its hash contains its number. */
export function testEvent(id: number, change: Partial<EventRow> = {}): EventRow {
  return {
    event_hash: `h${id}`,
    timestamp_ms: 1_770_000_000_000 + id * 1000,
    model: 'alpha-1',
    endpoint: 'POST /v1/messages',
    method: 'POST',
    path: '/v1/messages',
    auth_index: '',
    source: '',
    source_hash: '',
    api_key_hash: '',
    account_snapshot: '',
    auth_label_snapshot: '',
    auth_provider_snapshot: '',
    input_tokens: 10,
    output_tokens: 5,
    cached_tokens: 0,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    reasoning_tokens: 0,
    total_tokens: 15,
    latency_ms: 1200,
    ttft_ms: 300,
    failed: false,
    ...change,
  };
}

/** The answer of a server with the rows `all` (newest first) to a request for one page. */
export function testPage(all: readonly EventRow[], limit: number, beforeMs = 0, beforeHash = ''): EventsPage {
  const start = beforeMs === 0 ? 0 : all.findIndex((row) => row.event_hash === beforeHash) + 1;
  const items = all.slice(start, start + limit);
  const last = items.at(-1);
  const more = start + limit < all.length;
  return {
    items: [...items],
    next_before_ms: more ? (last?.timestamp_ms ?? 0) : 0,
    next_before_id: more ? Number(last?.event_hash.slice(1)) : 0,
    has_more: more,
    total_count: all.length,
  };
}
