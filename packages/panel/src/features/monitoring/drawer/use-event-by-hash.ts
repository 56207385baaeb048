import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../platform/api/services.ts';

/** A shared link carries the time of its event, so that one minute to each side is enough to find it. */
const AROUND_MS = 60_000;

/** The event that an address names. */
export interface LinkedEvent {
  readonly hash: string;
  /** null = the address does not say. */
  readonly atMs: number | null;
}

/** The parts of an address that name an event; null = there is none. */
export function linkedEvent(hash: string | undefined, at: string | undefined): LinkedEvent | null {
  if (hash === undefined) return null;
  const atMs = Number(at);
  return { hash, atMs: Number.isInteger(atMs) && atMs > 0 ? atMs : null };
}

/** What is known of it. */
export interface SoughtEvent {
  /** null = it is not there. */
  readonly row: EventRow | null;
  /** It needed a question of its own: no other answer of the page had it. */
  readonly alone: boolean;
}

/** Where that is kept; whoever comes across the event may put it there. */
export const linkedEventKey = ({ hash, atMs }: LinkedEvent) => ['event', hash, atMs] as const;

/** The event of a link, which may lie outside of the loaded rows. */
export function useEventByHash(linked: LinkedEvent | null, enabled: boolean) {
  const { manager, client } = useServices();
  return useQuery({
    queryKey: linkedEventKey(linked ?? { hash: '', atMs: null }),
    enabled: enabled && linked !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }): Promise<SoughtEvent> => {
      if (linked === null) return { row: null, alone: false };
      const { hash, atMs } = linked;
      const answer = await manager.analytics(
        {
          from_ms: atMs === null ? 1 : Math.max(1, atMs - AROUND_MS),
          to_ms: (atMs ?? Math.ceil(client.now())) + AROUND_MS,
          search_query: hash,
          include: { events_page: { limit: 20 } },
        },
        signal,
      );
      return { row: answer.events?.items.find((row) => row.event_hash === hash) ?? null, alone: true };
    },
  });
}
