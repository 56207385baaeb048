/** No sender of ours nests nearly as deep, and what walks values (validation, writing them again) would exhaust the stack far above it. */
export const MAX_JSON_DEPTH = 1000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Most texts have so few brackets that looking for each of them is faster than reading every character. */
const CHARACTERS_PER_BRACKET = 64;

/**
 * Whether JSON text is nested deeper than `MAX_JSON_DEPTH`. The parser of the runtime accepts any depth.
 *
 * @example isTooDeep('[]') // false
 */
export function isTooDeep(json: string): boolean {
  const { length } = json;
  if (length <= MAX_JSON_DEPTH) return false;
  const few = Math.min(MAX_JSON_DEPTH, Math.floor(length / CHARACTERS_PER_BRACKET));
  if (countUpTo(json, '{', few) + countUpTo(json, '[', few) <= few) return false;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < length; at++) {
    const code = json.charCodeAt(at);
    if (inText) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) inText = false;
    } else if (code === QUOTE) inText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > MAX_JSON_DEPTH) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
  }
  return false;
}

/** How often a character occurs; the count ends above `most`. */
function countUpTo(text: string, character: string, most: number): number {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count;
}
