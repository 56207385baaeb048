/** What a representation is compared by. */
export interface Validators {
  /** Strong, with quotes; absent when the document has none. */
  readonly etag?: string;
  /** ms, at a full second because headers have no smaller unit. */
  readonly lastModifiedMs?: number;
}

/** True when the caller's copy is still valid (RFC 9110 §13.1.2, §13.1.3): answer 304. */
export function notModified(request: Headers, validators: Validators): boolean {
  const ifNoneMatch = request.get('if-none-match');
  if (ifNoneMatch !== null) return matchesAny(ifNoneMatch, validators.etag);
  const since = parseDate(request.get('if-modified-since'));
  return since !== null && validators.lastModifiedMs !== undefined && validators.lastModifiedMs <= since;
}

/** True when a `Range` applies: there is no `If-Range`, or it names exactly this representation. */
export function rangeApplies(request: Headers, validators: Validators): boolean {
  const ifRange = request.get('if-range');
  if (ifRange === null) return true;
  if (ifRange.includes('"')) return ifRange.trim() === validators.etag;
  const date = parseDate(ifRange);
  return date !== null && date === validators.lastModifiedMs;
}

/** Weak comparison: `W/"x"` is the same as `"x"`. */
function matchesAny(header: string, etag: string | undefined): boolean {
  if (header.trim() === '*') return true;
  if (etag === undefined) return false;
  return [...header.matchAll(/"[^"]*"/g)].some(([candidate]) => candidate === etag);
}

function parseDate(text: string | null): number | null {
  const ms = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}
