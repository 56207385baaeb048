/** Distinct, not empty, in the order of their UTF-8 bytes. */
export function sortTexts(texts: Iterable<string>): string[] {
  const distinct = new Set(texts);
  distinct.delete('');
  return [...distinct].sort(byBytes);
}

const FIRST_SURROGATE = 0xd800;
const AFTER_SURROGATES = 0xe000;

/**
 * The order of the UTF-8 bytes, without encoding: that of the code units, except that characters beyond the basic
 * plane, which are written as surrogates, come last.
 */
export function byBytes(left: string, right: string): number {
  if (left === right) return 0;
  const shared = Math.min(left.length, right.length);
  let at = 0;
  while (at < shared && left.charCodeAt(at) === right.charCodeAt(at)) at++;
  if (at === shared) return left.length - right.length;
  return byteRank(left.charCodeAt(at)) - byteRank(right.charCodeAt(at));
}

function byteRank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit < AFTER_SURROGATES ? unit + 0x1_0000 : unit;
}
