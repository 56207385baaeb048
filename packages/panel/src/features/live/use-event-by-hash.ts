import type { EventRow } from '@manager/core/contract/monitoring';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../app/services.ts';

/** A shared link carries the time of its event, so that one minute to each side is enough to find it. */
const AROUND_MS = 60_000;

/** The event of a link, which may lie outside of the loaded rows; `data` null = it is not there. */
export function useEventByHash(hash: string | undefined, at: string | undefined) {
  const { manager, client } = useServices();
  const atMs = Number(at);
  const known = Number.isInteger(atMs) && atMs > 0;
  return useQuery({
    queryKey: ['event', hash, known ? atMs : null],
    enabled: hash !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<EventRow | null> => {
      const answer = await manager.analytics(
        {
          from_ms: known ? Math.max(1, atMs - AROUND_MS) : 1,
          to_ms: known ? atMs + AROUND_MS : Math.ceil(client.now()) + AROUND_MS,
          search_query: hash,
          include: { events_page: { limit: 20 } },
        },
        signal,
      );
      return answer.events?.items.find((row) => row.event_hash === hash) ?? null;
    },
  });
}
