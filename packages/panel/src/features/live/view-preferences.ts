import { isRecord, readStored, writeStored } from '../../app/storage.ts';
import { createStore, useStore } from '../../app/store.ts';
import type { ColumnId } from './columns.ts';
import { type Density, type LiveSearch, readColumns } from './live-search.ts';

/** How the table looks where an address does not say it. */
interface ViewPreferences {
  /** null = the usual columns. */
  readonly columns: readonly ColumnId[] | null;
  readonly density: Density;
}

export function parseViewPreferences(stored: unknown): ViewPreferences {
  const live = isRecord(stored) && isRecord(stored.live) ? stored.live : {};
  return {
    columns: typeof live.columns === 'string' ? readColumns(live.columns) : null,
    density: live.density === 'comfortable' ? 'comfortable' : 'compact',
  };
}

const store = createStore(parseViewPreferences(readStored('browser', 'ui')));

export function rememberView(change: Partial<ViewPreferences>): void {
  const next = { ...store.get(), ...change };
  store.set(next);
  const stored = readStored('browser', 'ui');
  const live = { density: next.density, ...(next.columns === null ? {} : { columns: next.columns.join(',') }) };
  writeStored('browser', 'ui', { ...(isRecord(stored) ? stored : {}), live });
}

/** What an address says goes before what is remembered. */
export function useView(search: LiveSearch): ViewPreferences {
  const remembered = useStore(store);
  return { columns: search.columns ?? remembered.columns, density: search.density ?? remembered.density };
}

/** px of a row. */
export const ROW_HEIGHTS = { compact: 28, comfortable: 36 } as const satisfies Record<Density, number>;
