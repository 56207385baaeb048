import { useQuery } from '@tanstack/react-query';
import { useServices } from '../api/services.ts';
import { pricingOf } from './event-cost.ts';

const MINUTE_MS = 60_000;

/** Prices for requests on screen; loaded only while a cost is shown. */
export function usePricing(enabled: boolean) {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['model-prices'],
    enabled,
    queryFn: async ({ signal }) => pricingOf((await manager.prices(signal)).prices),
    // A price book caches its plans: all users share one.
    structuralSharing: false,
    staleTime: MINUTE_MS,
    refetchInterval: 5 * MINUTE_MS,
  });
}
