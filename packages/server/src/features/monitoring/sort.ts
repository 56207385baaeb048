/** Distinct, not empty, in the order of their UTF-8 bytes. */
export function sortTexts(texts: readonly string[]): string[] {
  const distinct = new Set(texts);
  distinct.delete('');
  return [...distinct].sort(byBytes);
}

/** UTF-16 order differs from byte order only where surrogates are involved. */
export function byBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
