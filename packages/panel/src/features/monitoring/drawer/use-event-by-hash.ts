import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../../platform/api/services.ts';

/** A shared link has the time of its event, so one minute before and after is enough to find it. */
const AROUND_MS = 60_000;

/** The event that an address names. */
export interface LinkedEvent {
  readonly hash: string;
  /** null = missing in the address. */
  readonly atMs: number | null;
}

/** The parts of an address that name an event; null = there is none. */
export function linkedEvent(hash: string | undefined, at: string | undefined): LinkedEvent | null {
  if (hash === undefined) return null;
  const atMs = Number(at);
  return { hash, atMs: Number.isInteger(atMs) && atMs > 0 ? atMs : null };
}

/** What is known about it. */
export interface SoughtEvent {
  /** null = not found. */
  readonly row: EventRow | null;
  /** It needed its own request: no other answer of the page had it. */
  readonly alone: boolean;
}

/** Query key of the event; other answers that contain it store it there. */
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
