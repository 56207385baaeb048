import { maskKey } from '../format/mask.ts';

/** A client key whose name holds what was searched. */
export interface NamedKey {
  readonly hash: string;
  readonly name: string;
}

/** As many as have room as buttons. */
const MOST_NAMED = 3;

/**
 * Client keys whose name holds the text, those that begin with it first. The search of requests does not look at names:
 * only the panel knows them.
 *
 * @param keyNames alias or masked key, by hash
 * @param keys keys in use, by hash: those with an alias are found by their masked form too
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
    .slice(0, MOST_NAMED)
    .map(({ hash, name }) => ({ hash, name }));
}
