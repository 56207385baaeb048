import type { UsageSummaryResponse } from '@manager/core/contract/prices';
import type { PriceSync } from './ports.ts';
import { parseSyncModels } from './request.ts';

/** Bodies of answers are already JSON: price tables with catalogue entries are large. */
export interface PriceServiceDeps {
  readonly read: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly replace: (body: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>;
  readonly usageSummary: (limit: number, signal: AbortSignal) => Promise<UsageSummaryResponse>;
  /** Number of newest events in a summary. */
  readonly queryLimit: () => number;
  readonly sync: PriceSync;
}

export interface PriceService {
  list(): Promise<Uint8Array<ArrayBuffer>>;
  replace(body: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  usageSummary(signal: AbortSignal): Promise<UsageSummaryResponse>;
  sync(body: Uint8Array, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

export function createPriceService(deps: PriceServiceDeps): PriceService {
  return {
    list: deps.read,
    replace: deps.replace,
    usageSummary: (signal) => deps.usageSummary(deps.queryLimit(), signal),
    sync: async (body, signal) => deps.sync(parseSyncModels(body), signal),
  };
}
