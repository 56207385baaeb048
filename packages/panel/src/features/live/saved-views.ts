import { isRecord, readStored, writeStored } from '../../app/storage.ts';
import { createStore } from '../../app/store.ts';
import { parseUrlSearch, stringifyUrlSearch } from '../../app/url-search.ts';
import { type LiveSearch, readLiveSearch, writeLiveSearch } from './live-search.ts';

/** A view of the live page under a name: the query of its address. */
export interface SavedView {
  readonly name: string;
  readonly query: string;
}

const MOST_VIEWS = 50;
export const MOST_NAME = 60;

export function parseViews(stored: unknown): readonly SavedView[] {
  const list = isRecord(stored) ? stored.live : undefined;
  if (!Array.isArray(list)) return [];
  return list
    .flatMap((entry: unknown) => {
      if (!isRecord(entry)) return [];
      const { name, query } = entry;
      return typeof name === 'string' && name !== '' && typeof query === 'string' ? [{ name, query }] : [];
    })
    .slice(0, MOST_VIEWS);
}

export const viewsStore = createStore(parseViews(readStored('browser', 'views')));

function keep(views: readonly SavedView[]): void {
  viewsStore.set(views);
  const stored = readStored('browser', 'views');
  writeStored('browser', 'views', { ...(isRecord(stored) ? stored : {}), live: views });
}

/** What the address holds of a view; texts that must not stand in an address are left out. */
export const queryOf = (search: LiveSearch): string => stringifyUrlSearch(writeLiveSearch(search, {}));

/** A view of the same name is replaced; the newest stands first. */
export function saveView(name: string, search: LiveSearch): void {
  const view = { name: name.trim().slice(0, MOST_NAME), query: queryOf(search) };
  if (view.name === '') return;
  keep([view, ...viewsStore.get().filter((other) => other.name !== view.name)].slice(0, MOST_VIEWS));
}

export function removeView(name: string): void {
  keep(viewsStore.get().filter((view) => view.name !== name));
}

export const searchOf = (view: SavedView): LiveSearch => readLiveSearch(parseUrlSearch(view.query.replace(/^\?/, '')));
