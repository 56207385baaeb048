import { HOP_HEADER } from '../../gateway/http-call.ts';

const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Request headers that never reach the gateway: its client sets the host, the others are meant for the manager. */
const NEVER_FORWARDED = [
  'host',
  'x-cpamp-auth-file-mutation-identity',
  'x-cpamp-auth-file-physical-name',
  'x-cpamp-auth-file-delete-identities',
  'x-cpamp-auth-file-write-identities',
  'x-cpamp-auth-file-write-content-sha256',
];

/** Where the gateway looks for a management key. */
const KEY_HEADERS = ['authorization', 'x-management-key'];

const ADDRESS_HEADERS = ['x-forwarded-for', 'x-real-ip', 'forwarded'];

export interface OutgoingHeaderOptions {
  readonly incoming: Headers;
  /** Set = the saved key replaces the caller's; null = the caller's own key passes. */
  readonly savedKey: string | null;
  /** Whether a value contains the admin key, which never leaves the manager. */
  readonly hasAdminKey: (value: string) => boolean;
  /** null = the manager's own. */
  readonly callerAddress: string | null;
  readonly instanceId: string;
}

/** Headers of the forwarded request (the HTTP client sets `Host` from the target URL). */
export function outgoingHeaders(options: OutgoingHeaderOptions): Headers {
  const headers = new Headers(options.incoming);
  const trailers = /(?:^|,)\s*trailers\s*(?:,|;|$)/i.test(headers.get('te') ?? '');
  removeHopByHop(headers);
  if (trailers) headers.set('te', 'trailers');
  for (const name of NEVER_FORWARDED) headers.delete(name);
  if (options.savedKey !== null) for (const name of KEY_HEADERS) headers.delete(name);
  // The two that carry keys first, in case there is more than can be checked.
  for (const name of [...KEY_HEADERS, ...headers.keys()]) {
    if (options.hasAdminKey(headers.get(name) ?? '')) headers.delete(name);
  }
  if (options.savedKey !== null) headers.set('authorization', `Bearer ${options.savedKey}`);
  // The gateway counts, bans and trusts by these: nobody chooses whom it bans, and with the saved key it sees the manager itself.
  for (const name of ADDRESS_HEADERS) headers.delete(name);
  if (options.savedKey === null && options.callerAddress !== null)
    headers.set('x-forwarded-for', options.callerAddress);
  const hops = headers.get(HOP_HEADER);
  headers.set(HOP_HEADER, hops ? `${hops}, ${options.instanceId}` : options.instanceId);
  return headers;
}

/** Headers of the answer to the caller: the gateway's own, without hop-by-hop and CORS ones. */
export function answerHeaders(gateway: Headers): Headers {
  const headers = new Headers(gateway);
  removeHopByHop(headers);
  for (const name of [...headers.keys()]) if (name.startsWith('access-control-')) headers.delete(name);
  return headers;
}

/** True when the request has already passed through this process. */
export function passedThrough(headers: Headers, instanceId: string): boolean {
  return (headers.get(HOP_HEADER) ?? '').split(',').some((hop) => hop.trim() === instanceId);
}

function removeHopByHop(headers: Headers): void {
  const named = (headers.get('connection') ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...HOP_BY_HOP, 'te', ...named]) {
    // An invalid header name cannot exist and must not throw here.
    if (/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name)) headers.delete(name);
  }
}
