import type { ClientKey } from '../../platform/queries/client-keys.ts';

/**
 * Keys that a removal by position may have taken instead of the wanted one, because somebody else changed the list between its
 * reading and the removal. Keys that others removed on purpose are left out as far as positions tell them apart.
 *
 * The removal took a key at place `p` behind the wanted place `i` only if `p - i` keys before it went first. A list that became
 * longer at its front, or was sorted, shows no such key although the wanted one stayed: then each missing key may be the one.
 *
 * @param isConfirmed the gateway reported that it removed one
 * @example strayedFrom([a, b, c, d], [b, c], { hash: c.hash, index: 2 }, true) // [d]: without `a`, place 2 was `d`
 */
export function strayedFrom(
  before: readonly ClientKey[],
  after: readonly ClientKey[],
  wanted: { readonly hash: string; readonly index: number },
  isConfirmed: boolean,
): readonly ClientKey[] {
  const left = new Map<string, number>();
  for (const { key } of after) left.set(key, (left.get(key) ?? 0) + 1);
  // Of equal keys the last ones count as kept, so that none that may be missing is overlooked.
  const missing = before
    .toReversed()
    .filter(({ key }) => {
      const count = left.get(key) ?? 0;
      left.set(key, count - 1);
      return count <= 0;
    })
    .toReversed();
  const others = missing.filter(({ hash }) => hash !== wanted.hash);
  const behind = others.filter(({ index }) => {
    const gone = missing.filter((other) => other.index < index).length;
    return index > wanted.index && gone >= index - wanted.index;
  });
  const isWantedMissing = missing.some(({ hash }) => hash === wanted.hash);
  const strayed = behind.length > 0 || isWantedMissing || !isConfirmed ? behind : others;
  // One of several equal entries is enough.
  const listed = new Set(after.map(({ hash }) => hash));
  return strayed.filter(({ hash }) => !listed.has(hash));
}
