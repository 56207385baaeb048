import { useQuery } from '@tanstack/react-query';
import { useServices } from '../api/services.ts';
import { pricingOf } from './event-cost.ts';

const MINUTE_MS = 60_000;

/** Prices of the manager for requests on screen; asked only while something on screen shows a cost. */
export function usePricing(enabled: boolean) {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['model-prices'],
    enabled,
    queryFn: async ({ signal }) => pricingOf((await manager.prices(signal)).prices),
    // A book remembers its plans: one for all who look.
    structuralSharing: false,
    staleTime: MINUTE_MS,
    refetchInterval: 5 * MINUTE_MS,
  });
}
