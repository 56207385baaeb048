import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback, plainAddress } from '../address.ts';

/**
 * Whether the gateway attributes a request with the caller's own key to the manager's address. It uses the first
 * `X-Forwarded-For` entry, which anyone can set; when that is no address, the peer, which is the manager.
 */
export function countsAsOurs(headers: Headers, remoteAddress: string): boolean {
  const seen = headers.get('x-forwarded-for');
  const chain = [...(seen === null ? [] : seen.split(',')), remoteAddress].map((entry) => plainAddress(entry.trim()));
  const [first = ''] = chain;
  return chain.some((entry) => isIP(entry) === 0) || isOwn(first);
}

function isOwn(address: string): boolean {
  const plain = expand(address);
  return isLoopback(plain) || isInterface(plain);
}

function isInterface(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => expand(one.address) === address));
}

/** One spelling for an IPv6 address: `0:0::1` is `::1`. */
function expand(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address;
  return plainAddress(new URL(`http://[${address}]/`).hostname.slice(1, -1));
}
