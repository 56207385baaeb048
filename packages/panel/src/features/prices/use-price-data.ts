import type { EventRow } from '@manager/core/contract/monitoring/analytics';
import type { PriceMap } from '@manager/core/pricing/price';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../platform/api/services.ts';
import { pricingOf } from '../../platform/requests/event-cost.ts';
import type { PriceEdits } from './price-changes.ts';
import { savePrices } from './save-prices.ts';

const MINUTE_MS = 60_000;

/** Number of newest requests that show under which names prices are looked up. */
const LOOKUP_EVENTS = 300;

/** Which models the newest requests name. */
export function usePriceUsage() {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['model-prices-usage'],
    queryFn: ({ signal }) => manager.priceUsage(signal),
    staleTime: MINUTE_MS,
  });
}

/** The newest requests, of one model when given. */
export function useLookupEvents(model: string | null, enabled: boolean) {
  const { manager, client } = useServices();
  return useQuery({
    queryKey: ['model-prices-lookups', model],
    enabled,
    queryFn: async ({ signal }): Promise<readonly EventRow[]> => {
      const answer = await manager.analytics(
        {
          from_ms: 1,
          to_ms: Math.ceil(client.now()) + 1,
          ...(model === null ? {} : { filters: { models: [model] } }),
          include: { events_page: { limit: LOOKUP_EVENTS } },
        },
        signal,
      );
      return answer.events?.items ?? [];
    },
    staleTime: MINUTE_MS,
  });
}

/** Models the gateway offers, loaded only while a sync is prepared. */
export function useGatewayModels(enabled: boolean) {
  const { manager } = useServices();
  return useQuery({
    queryKey: ['gateway-models'],
    enabled,
    queryFn: ({ signal }) => manager.gatewayModels(signal),
    staleTime: 5 * MINUTE_MS,
  });
}

/** Saves prices, and updates every page that shows a cost. */
export function usePriceWriter() {
  const { manager } = useServices();
  const queries = useQueryClient();
  const show = async (prices: PriceMap) => {
    queries.setQueryData(['model-prices'], pricingOf(prices));
    // Every sum of costs is outdated now.
    await queries.invalidateQueries();
  };
  return {
    show,
    save: async (base: PriceMap, edits: PriceEdits) => {
      const outcome = await savePrices(manager, base, edits);
      await show(outcome.prices);
      return outcome;
    },
  };
}
