/**
 * The token of an `Authorization: Bearer …` header, '' = none. The manager accepts no other way.
 *
 * @example bearer('bearer  abc ') // 'abc'
 */
export function bearer(header: string | null | undefined): string {
  const text = (header ?? '').trim();
  if (text.slice(0, 7).toLowerCase() !== 'bearer ') return '';
  return text.slice(7).trim();
}
