import { BlockList, isIP } from 'node:net';
import { isLoopback, plainAddress } from './address.ts';

/** Who sent a request, as far as the manager itself knows. */
export interface Caller {
  /** The socket's address; behind trusted proxies the one that the outermost of them saw. */
  readonly address: string;
  /** From this host and not through a proxy, so from somebody who may use the machine anyway. */
  readonly isLocal: boolean;
}

export type FindCaller = (headers: Headers, peerAddress: string) => Caller;

const FORWARDING_HEADERS = ['x-forwarded-for', 'x-real-ip', 'forwarded'];

/**
 * Each proxy appends the address it saw to `X-Forwarded-For`; whatever is left of that was claimed by the caller. So entries are read
 * from the right, for as long as their writer is trusted.
 *
 * @param trustedProxies addresses and networks (`10.0.0.0/8`) as `readTrustedProxies` returns them
 */
export function createCallerFinder(trustedProxies: readonly string[]): FindCaller {
  const trusted = new BlockList();
  for (const entry of trustedProxies) {
    const [network = '', prefix] = entry.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    if (prefix === undefined) trusted.addAddress(network, family);
    else trusted.addSubnet(network, Number(prefix), family);
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

  return (headers, peerAddress) => {
    const peer = plainAddress(peerAddress);
    const isForwarded = FORWARDING_HEADERS.some((name) => headers.has(name));
    if (!isForwarded) return { address: peer, isLocal: isLoopback(peer) };
    const seen = (headers.get('x-forwarded-for') ?? '').split(',').map((entry) => plainAddress(entry.trim()));
    let address = peer;
    while (isIP(address) !== 0 && isTrusted(address)) {
      const next = seen.pop();
      if (next === undefined || isIP(next) === 0) break;
      address = next;
    }
    return { address, isLocal: false };
  };
}
