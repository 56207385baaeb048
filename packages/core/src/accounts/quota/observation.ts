import type { InventoryMode, QuotaSource, SnapshotWindow } from '../../contract/quotas/snapshots.ts';
import type { QuotaProvider } from '../provider.ts';

/** Quota windows of one account from one source at one time; checked and normalized. */
export interface QuotaObservation {
  readonly accountKey: string;
  readonly provider: QuotaProvider;
  readonly source: QuotaSource;
  /** '' = not set. */
  readonly observationId: string;
  readonly observedAtMs: number;
  /** The inventory of the windows: a source can report only its own windows as gone. */
  readonly inventoryScope: string;
  readonly inventoryMode: InventoryMode;
  readonly windows: readonly SnapshotWindow[];
  /** Keys of windows that are gone (`windowKey`); only with `delta`. */
  readonly removed: readonly string[];
}

export const CODEX_INVENTORY = 'codex:rate-limits';
export const XAI_FREE_INVENTORY = 'xai:included-free';
export const XAI_FREE_WINDOW_ID = 'included-free-rolling-24h';

/** Inventory of an observation without one. */
export function defaultInventory(provider: QuotaProvider): string {
  return provider === 'codex' ? CODEX_INVENTORY : `${provider}:quota-windows`;
}

/**
 * Equal for equal observations, whatever the order of windows and members: its hash makes writes idempotent and decides
 * between two observations of the same time.
 */
export function observationText(observation: QuotaObservation): string {
  const windows = observation.windows.map((window) =>
    JSON.stringify(Object.entries(window).sort(([left], [right]) => (left < right ? -1 : 1))),
  );
  return JSON.stringify([
    observation.accountKey,
    observation.provider,
    observation.source,
    observation.observationId,
    observation.observedAtMs,
    observation.inventoryScope,
    observation.inventoryMode,
    windows.sort(),
    [...observation.removed].sort(),
  ]);
}
