import { isRecord, readStored, writeStored } from '../../../platform/browser/storage.ts';
import { type Density, usePreferences } from '../../../platform/preferences/preferences.ts';
import { createStore, useStore } from '../../../platform/store.ts';
import { type MonitoringSearch, readColumns } from '../monitoring-search.ts';
import type { ColumnId } from './columns.ts';

/** Display of the table where the address does not set it. */
interface ViewPreferences {
  /** null = the default columns. */
  readonly columns: readonly ColumnId[] | null;
}

export function parseViewPreferences(stored: unknown): ViewPreferences {
  const live = isRecord(stored) && isRecord(stored.live) ? stored.live : {};
  return { columns: typeof live.columns === 'string' ? readColumns(live.columns) : null };
}

const store = createStore(parseViewPreferences(readStored('browser', 'ui')));

export function rememberView(change: Partial<ViewPreferences>): void {
  const next = { ...store.get(), ...change };
  store.set(next);
  const stored = readStored('browser', 'ui');
  const live = next.columns === null ? {} : { columns: next.columns.join(',') };
  writeStored('browser', 'ui', { ...(isRecord(stored) ? stored : {}), live });
}

/** The address overrides the stored choice. */
export function useView(search: MonitoringSearch): ViewPreferences & { readonly density: Density } {
  const { columns } = useStore(store);
  const { density } = usePreferences();
  return { columns: search.columns ?? columns, density: search.density ?? density };
}
