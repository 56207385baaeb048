const ESCAPE = /%([0-9a-f]{2})/gi;
const UNRESERVED = /[a-z0-9\-._~]/i;
const ENCODED_SLASH = /%(?:2f|5c)/i;

/**
 * Path of a request for routing: as sent, except that escapes of letters, digits and `-._~` are decoded, because they mean the
 * same (RFC 3986 §6.2.2.2) and a server behind us treats them so: `/v0/management/%75sage` must not bypass its area. `..`
 * is already resolved.
 */
export function routingPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start < 0) return '/';
  const path = url.slice(start).replace(/[?#].*$/s, '');
  if (!path.includes('%')) return path;
  return path.replace(ESCAPE, (sent, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return UNRESERVED.test(character) ? character : sent;
  });
}

/** An escaped slash in a segment: servers interpret it differently, so such a path is unknown. */
export function hasEncodedSlash(path: string): boolean {
  return ENCODED_SLASH.test(path);
}

/** Without trailing slashes; the root stays. */
export function trimSlashes(path: string): string {
  return path.replace(/\/+$/, '') || '/';
}
