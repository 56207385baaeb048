import { addressOf } from '../../gateway/address.ts';
import { dial } from '../../gateway/dial.ts';

export const CONNECT_TIMEOUT_MS = 30_000;
const FRESH_MS = 30_000;

export interface Dialer {
  ensure(url: URL, tlsSkipVerify: boolean): Promise<void>;
  heardFrom(url: URL): void;
}

/**
 * Makes sure that an origin accepts a connection within 30 s. The HTTP client has no connect timeout and would wait for
 * minutes, so an origin without an answer for 30 s is dialed once before a request.
 */
export function createDialer(now: () => number): Dialer {
  const lastHeard = new Map<string, number>();
  return {
    async ensure(url, tlsSkipVerify) {
      const last = lastHeard.get(url.origin);
      if (last !== undefined && Math.abs(now() - last) < FRESH_MS) return;
      (await dial(addressOf(url.href), { timeoutMs: CONNECT_TIMEOUT_MS, tlsSkipVerify })).destroy();
      lastHeard.set(url.origin, now());
    },
    heardFrom(url) {
      lastHeard.set(url.origin, now());
    },
  };
}
