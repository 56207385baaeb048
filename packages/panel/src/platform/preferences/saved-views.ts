import { isRecord, readStored, writeStored } from '../browser/storage.ts';
import { createStore, useStore } from '../store.ts';

/** A named page state. */
export interface SavedView {
  readonly name: string;
  /** Query of the address, which never holds names of persons or keys. */
  readonly query: string;
}

type Views = Readonly<Record<string, readonly SavedView[]>>;

const MAX_VIEWS = 30;
const MAX_NAME = 60;
const MAX_QUERY = 4_000;

/** Takes the valid parts of the stored value. */
export function parseViews(stored: unknown): Views {
  if (!isRecord(stored)) return {};
  const views: Record<string, readonly SavedView[]> = {};
  for (const [page, list] of Object.entries(stored)) {
    if (!Array.isArray(list)) continue;
    views[page] = list.filter(isView).slice(0, MAX_VIEWS);
  }
  return views;
}

const isView = (view: unknown): view is SavedView =>
  isRecord(view) &&
  typeof view.name === 'string' &&
  view.name !== '' &&
  view.name.length <= MAX_NAME &&
  typeof view.query === 'string' &&
  view.query.length <= MAX_QUERY;

/** Adds a view; one of the same name is replaced, the oldest are dropped. */
export function withView(views: Views, page: string, view: SavedView): Views {
  const name = view.name.trim().slice(0, MAX_NAME);
  if (name === '' || view.query.length > MAX_QUERY) return views;
  const others = (views[page] ?? []).filter((one) => one.name !== name);
  return { ...views, [page]: [...others, { name, query: view.query }].slice(-MAX_VIEWS) };
}

export function withoutView(views: Views, page: string, name: string): Views {
  return { ...views, [page]: (views[page] ?? []).filter((one) => one.name !== name) };
}

const store = createStore(parseViews(readStored('browser', 'views')));

function keep(next: Views): void {
  store.set(next);
  writeStored('browser', 'views', next);
}

/** Views of one page, kept in this browser. */
export function useSavedViews(page: string) {
  const views = useStore(store);
  return {
    views: views[page] ?? NONE,
    save: (view: SavedView) => keep(withView(store.get(), page, view)),
    remove: (name: string) => keep(withoutView(store.get(), page, name)),
  };
}

const NONE: readonly SavedView[] = [];
