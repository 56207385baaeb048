import { maskKey } from '../format/mask-key.ts';

/** A client key whose name contains the search text. */
export interface NamedKey {
  readonly hash: string;
  readonly name: string;
}

/** Maximum shown as buttons. */
const MAX_NAMED = 3;

/**
 * Client keys whose name contains the text, names that start with it first. The request search ignores names: only the panel
 * knows them. `keyNames` are aliases or masked keys by hash, `keys` the keys in use by hash: those with an alias are found by
 * their masked form too.
 */
export function namedKeys(
  text: string,
  keyNames: ReadonlyMap<string, string>,
  keys: ReadonlyMap<string, string>,
): readonly NamedKey[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return [];
  const found = [...keyNames].flatMap(([hash, name]) => {
    const key = keys.get(hash);
    const places = [name, key === undefined ? '' : maskKey(key)]
      .map((form) => form.toLowerCase().indexOf(wanted))
      .filter((place) => place >= 0);
    return places.length === 0 ? [] : [{ hash, name, place: Math.min(...places) }];
  });
  return found
    .sort((one, other) => Math.sign(one.place) - Math.sign(other.place) || one.name.localeCompare(other.name))
    .slice(0, MAX_NAMED)
    .map(({ hash, name }) => ({ hash, name }));
}
