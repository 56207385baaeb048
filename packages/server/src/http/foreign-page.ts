import { isIP } from 'node:net';
import { AppError } from '@manager/core/contract/errors';

/**
 * Whether a web page of another address made the browser send this. Programs send neither header. A sandboxed page has the
 * origin `null`.
 */
export function isFromForeignPage({ headers }: Request): boolean {
  const site = headers.get('sec-fetch-site')?.trim().toLowerCase();
  if (site === 'cross-site' || site === 'same-site') return true;
  // Behind a proxy that sends its own `Host`, only the browser knows the address of the page; no page can set this header.
  if (site === 'same-origin') return false;
  const origin = headers.get('origin');
  return origin !== null && !isHost(origin, headers.get('host') ?? '');
}

/**
 * For a request that changes something or calls out, and has no admin key: any web page could otherwise make the browser of the
 * operator send it. A form can send every type of body but JSON, and JSON of another page needs our permission first.
 *
 * @throws AppError 403 or 415
 */
export function requireOwnPage(request: Request): void {
  if (isFromForeignPage(request)) throw new AppError('cross_site_refused');
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new AppError('json_required');
}

/** Names that nobody outside can have. */
const PRIVATE_NAME = /^[^.]+$|\.(?:localhost|local|internal|home\.arpa)$/;

/**
 * Whether a web page of a name that anybody can own made the browser send this. Its owner may point the name at the manager (DNS
 * rebinding), and then the page counts as the manager's own.
 */
export function isFromPublicName({ headers }: Request): boolean {
  if (!headers.has('origin') && !headers.has('sec-fetch-site')) return false;
  const name = (headers.get('host') ?? '').replace(/:\d+$/, '').replace(/\.$/, '').toLowerCase();
  return !name.startsWith('[') && isIP(name) === 0 && !PRIVATE_NAME.test(name);
}

/** Default ports are the same as none. */
function isHost(origin: string, host: string): boolean {
  try {
    const { protocol, host: expected } = new URL(origin);
    return expected !== '' && new URL(`${protocol}//${host}`).host === expected;
  } catch {
    return false;
  }
}
