import type { FailureRow } from '@manager/core/contract/monitoring/analytics';
import { useNavigate } from '@tanstack/react-router';
import { useServices } from '../../platform/api/services.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { useHref } from '../../platform/browser/use-href.ts';
import { writeRange } from '../../platform/range/range-url.ts';
import { REQUEST_RANGES } from '../../platform/requests/request-filters.ts';

const MINUTE_MS = 60_000;
/** Failures of one millisecond. */
const MOST = 20;

/** The failures of the minute around a failed request. */
function aroundOf({ timestamp_ms: atMs }: FailureRow): UrlSearch {
  const span = { name: 'custom', fromMs: atMs - MINUTE_MS, toMs: atMs + MINUTE_MS } as const;
  return writeRange(span, REQUEST_RANGES, { status: ['failed'] });
}

/** Opens a failed request in monitoring: its drawer when it is found, else the minute around it, which is its address. */
export function useFailureLink() {
  const { manager } = useServices();
  const navigate = useNavigate();
  const href = useHref();
  const open = async (row: FailureRow): Promise<void> => {
    const atMs = row.timestamp_ms;
    const search = aroundOf(row);
    // Failure lists lack the hash that the address of a request needs.
    const found = await manager
      .analytics({
        from_ms: atMs,
        to_ms: atMs + 1,
        filters: { failed_only: true, models: [row.model] },
        include: { events_page: { limit: MOST } },
      })
      .then(({ events }) => events?.items ?? [])
      .catch(() => []);
    const event = found.find((one) => one.source_hash === row.source_hash && one.endpoint === row.endpoint) ?? found[0];
    if (event === undefined) return navigate({ to: '/monitoring', search });
    return navigate({
      to: '/monitoring/event/$eventHash',
      params: { eventHash: event.event_hash },
      search: { ...search, at: [String(atMs)] },
    });
  };
  return { open, href: (row: FailureRow) => href({ to: '/monitoring', search: aroundOf(row) }) };
}
