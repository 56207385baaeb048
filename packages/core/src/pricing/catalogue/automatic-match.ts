import type { Catalogue, CatalogueEntry } from './catalogue.ts';
import { canonicalName, tailName } from './names.ts';

export type Finding =
  /** Exactly one entry is this model. */
  | { readonly kind: 'match'; readonly entry: CatalogueEntry }
  /** Several entries match equally well, so none is chosen. */
  | { readonly kind: 'several'; readonly entries: readonly CatalogueEntry[] }
  | { readonly kind: 'none' };

type Find = (model: string) => Finding;
type Level = (model: string) => readonly CatalogueEntry[];

/** Prepares a catalogue for looking up many models. Similar names never count as equal. */
export function createFinder(catalogue: Catalogue): Find {
  return catalogue.canonicalIds === null
    ? byLevels(looseLevels(catalogue.entries))
    : byCanonicalId(catalogue.entries, catalogue.canonicalIds);
}

/** The first level that has the model decides. */
function byLevels(levels: readonly Level[]): Find {
  return (model) => {
    for (const level of levels) {
      const entries = level(model);
      if (entries.length > 0) return findingOf(entries);
    }
    return { kind: 'none' };
  };
}

function directLevels(entries: readonly CatalogueEntry[]): readonly Level[] {
  return [indexed(entries, ({ id }) => [id], same), indexed(entries, ({ id }) => [id.toLowerCase()], ignoringCase)];
}

function looseLevels(entries: readonly CatalogueEntry[]): readonly Level[] {
  return [
    ...directLevels(entries),
    indexed(entries, ({ alias }) => [alias], same),
    indexed(entries, ({ alias }) => [alias.toLowerCase()], ignoringCase),
    indexed(entries, ({ id, alias }) => [tailName(id), tailName(alias)], tailName),
    indexed(entries, ({ id, alias }) => [canonicalName(id), canonicalName(alias)], canonicalName),
  ];
}

/**
 * Resellers list the same models under other ids. Where the makers' ids are known only those count, or the exact id
 * with its provider.
 */
function byCanonicalId(entries: readonly CatalogueEntry[], canonicalIds: readonly string[]): Find {
  const canonicalOf = canonicalLookup(canonicalIds);
  const direct = directLevels(entries);
  const [, byIdIgnoringCase] = direct;
  const directly = byLevels(direct);
  return (model) => {
    const canonicalId = canonicalOf(model);
    const priced = canonicalId === null ? [] : (byIdIgnoringCase?.(canonicalId) ?? []);
    return priced.length !== 1 && model.includes('/') ? directly(model) : findingOf(priced);
  };
}

/** The canonical id of a name, in lower case. */
function canonicalLookup(canonicalIds: readonly string[]): (model: string) => string | null {
  const ids = new Set(canonicalIds.map(ignoringCase));
  const idsByTail = new Map<string, string[]>();
  for (const id of ids) {
    const slash = id.indexOf('/');
    if (slash >= 0) append(idsByTail, id.slice(slash + 1), id);
  }
  return (model) => {
    const name = ignoringCase(model);
    if (ids.has(name)) return name;
    const [id, ...others] = idsByTail.get(name) ?? [];
    return id !== undefined && others.length === 0 ? id : null;
  };
}

function findingOf(entries: readonly CatalogueEntry[]): Finding {
  const [entry, ...others] = entries;
  if (entry === undefined) return { kind: 'none' };
  return others.length === 0 ? { kind: 'match', entry } : { kind: 'several', entries };
}

function indexed(
  entries: readonly CatalogueEntry[],
  keysOf: (entry: CatalogueEntry) => readonly string[],
  keyOf: (model: string) => string,
): Level {
  const byKey = new Map<string, CatalogueEntry[]>();
  for (const entry of entries) {
    // An id of punctuation only has an empty name, which matches nothing.
    for (const key of new Set(keysOf(entry))) if (key !== '') append(byKey, key, entry);
  }
  return (model) => byKey.get(keyOf(model)) ?? [];
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

function same(text: string): string {
  return text;
}

function ignoringCase(text: string): string {
  return text.toLowerCase();
}
