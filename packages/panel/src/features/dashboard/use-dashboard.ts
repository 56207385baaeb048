import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../platform/api/services.ts';
import { startOfDay } from '../../platform/format/time.ts';

const REFRESH_MS = 60_000;

/** The day so far, from midnight in the panel's time zone; a new day loads automatically. */
export function useDashboard(zone: string) {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['dashboard', zone],
    queryFn: ({ signal }) => {
      const nowMs = Date.now();
      return manager.dashboard(startOfDay(nowMs, zone), nowMs, signal);
    },
    refetchInterval: REFRESH_MS,
  });
}
