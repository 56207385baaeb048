/** Start value and factor of FNV-1a with 32 bits; good enough for tables that compare the texts as well. */
export const HASH_START = 0x811c9dc5 | 0;
export const HASH_FACTOR = 0x01000193;

export function hashText(text: string): number {
  let hash = HASH_START;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), HASH_FACTOR);
  return hash;
}

/** Whether `source` has `text` at `from`. */
export function matchesAt(source: string, from: number, text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (source.charCodeAt(from + at) !== text.charCodeAt(at)) return false;
  }
  return true;
}
