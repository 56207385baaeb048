import type { PriceMap } from '@manager/core/pricing/price';
import { useMemo } from 'react';
import { type DataSource, fromQuery, mapSource } from '../../platform/api/data-source.ts';
import { usePricing } from '../../platform/requests/use-pricing.ts';
import { lookupsOf, type PriceRow, priceRows } from './price-rows.ts';
import { useLookupEvents, usePriceUsage } from './use-price-data.ts';

interface PriceData {
  readonly source: DataSource<readonly PriceRow[]>;
  readonly prices: PriceMap | undefined;
  readonly usage: ReturnType<typeof usePriceUsage>;
  readonly refresh: () => void;
}

const NO_ROWS: readonly PriceRow[] = [];

/** Prices, use and the newest lookups as rows. The last two are optional. */
export function usePriceRows(candidates: ReadonlySet<string>, conflict: string | null): PriceData {
  const pricing = usePricing(true);
  const usage = usePriceUsage();
  const lookups = useLookupEvents(null, true);
  const rows = useMemo(() => {
    if (pricing.data === undefined) return NO_ROWS;
    const { prices, book } = pricing.data;
    return priceRows({
      prices,
      usage: usage.data,
      lookups: lookupsOf(lookups.data ?? [], prices, book),
      candidates,
      conflicts: new Set(conflict === null ? [] : [conflict]),
    });
  }, [pricing.data, usage.data, lookups.data, candidates, conflict]);
  const source = mapSource(fromQuery(pricing), () => rows);
  return {
    // Until use is known, rows would move between the filters.
    source: usage.isPending ? { ...source, data: undefined } : source,
    prices: pricing.data?.prices,
    usage,
    refresh: () => {
      for (const query of [pricing, usage, lookups]) void query.refetch();
    },
  };
}
