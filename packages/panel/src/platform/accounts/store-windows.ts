import type { QuotaWindowView, SnapshotEntryRequest } from '@manager/core/contract/quotas/snapshots';
import type { QueryClient } from '@tanstack/react-query';
import type { Client } from '../api/client.ts';
import { ACCOUNTS_KEY, writeWindows } from './account-calls.ts';

/** Windows that no manager stores: kept in memory until the sign-out. */
export const OBSERVED_KEY = [ACCOUNTS_KEY, 'observed'];
export type ObservedWindows = ReadonlyMap<string, readonly QuotaWindowView[]>;
const NONE: ObservedWindows = new Map();

/** Keeps a provider's answer: at the manager, or in this page without one. */
export async function storeWindows(client: Client, queries: QueryClient, entry: SnapshotEntryRequest): Promise<void> {
  if (client.managed()) {
    await writeWindows(client, [entry]);
    return;
  }
  queries.setQueryData<ObservedWindows>(OBSERVED_KEY, (before = NONE) => withEntry(before, entry));
}

/** A complete answer replaces all windows of the account, a partial one those it names. */
export function withEntry(before: ObservedWindows, entry: SnapshotEntryRequest): ObservedWindows {
  const key = entry.row_key ?? '';
  const fresh = windowsOf(entry);
  const names = new Set(fresh.map(nameOf));
  const kept =
    entry.observation?.inventory_mode === 'complete'
      ? []
      : (before.get(key) ?? []).filter((window) => !names.has(nameOf(window)));
  return new Map(before).set(key, [...kept, ...fresh]);
}

const nameOf = ({ provider_window_id, model_scope_kind, model_scope_key = '' }: QuotaWindowView): string =>
  [provider_window_id, model_scope_kind, model_scope_key].join();

function windowsOf({ observation, windows }: SnapshotEntryRequest): readonly QuotaWindowView[] {
  const atMs = observation?.observed_at_ms ?? 0;
  return (windows ?? []).map((window) => ({
    ...(withoutNulls(window) as Partial<QuotaWindowView>),
    provider_window_id: window.provider_window_id,
    window_mode: window.window_mode ?? 'unknown',
    model_scope_kind: window.model_scope_kind ?? 'all',
    source: 'api_query',
    observed_at_ms: atMs,
    boundary_accuracy: window.boundary_accuracy ?? 'unknown',
    stale: false,
    field_sources: {},
    // The server gives it.
    logical_window_id: 0,
    activation_generation: 1,
    availability: 'active',
    first_seen_at_ms: atMs,
    last_seen_at_ms: atMs,
  }));
}

function withoutNulls(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined));
}
