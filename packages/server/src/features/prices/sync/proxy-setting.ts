import { AppError } from '@manager/core/contract/errors';
import type { GatewayAddress } from '../../../gateway/address.ts';

/** The proxy that the gateway itself uses. */
export type ProxySetting =
  | { readonly kind: 'direct' }
  /** Supported by `fetch`. */
  | { readonly kind: 'http'; readonly url: string }
  | { readonly kind: 'socks'; readonly address: GatewayAddress; readonly login: SocksLogin | null };

export interface SocksLogin {
  readonly user: string;
  readonly password: string;
}

/** Words in the gateway's settings for no proxy. */
const DIRECT_WORDS = ['', 'direct', 'none'];
const SOCKS_PORT = 1080;

/**
 * Reads `proxy-url` of the gateway. The text may contain a password, so no message repeats it.
 *
 * @throws AppError `model_price_sync_failed` when it is invalid
 */
export function parseProxySetting(text: string): ProxySetting {
  const trimmed = text.trim();
  if (DIRECT_WORDS.includes(trimmed.toLowerCase())) return { kind: 'direct' };
  const url = URL.parse(trimmed);
  if (url === null || url.hostname === '') throw unusable('expected scheme and host, such as http://host:port');
  switch (url.protocol) {
    case 'http:':
    case 'https:':
      return { kind: 'http', url: url.href };
    case 'socks5:':
    case 'socks5h:':
      return { kind: 'socks', address: socksAddress(url), login: loginOf(url) };
    default:
      throw unusable('its scheme must be http, https, socks5 or socks5h');
  }
}

function socksAddress(url: URL): GatewayAddress {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return { host, port: url.port === '' ? SOCKS_PORT : Number(url.port), secure: false, origin: '' };
}

function loginOf(url: URL): SocksLogin | null {
  if (url.username === '' && url.password === '') return null;
  return { user: decoded(url.username), password: decoded(url.password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function unusable(why: string): AppError {
  return new AppError('model_price_sync_failed', {
    message: `the proxy-url of the gateway cannot be used: ${why}; correct it in the gateway configuration`,
  });
}
