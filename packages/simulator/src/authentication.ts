import { type Bans, durationText } from './bans.ts';

/** Why a management request is refused; the texts are part of the wire. */
interface Refusal {
  readonly status: 401 | 403;
  readonly text: string;
}

interface AccessState {
  readonly hasKey: () => boolean;
  readonly matches: (candidate: string) => boolean;
  readonly remoteAllowed: () => boolean;
}

/** Checks a key in the gateway's order and updates the failure counters; null = accepted. */
export type KeyCheck = (address: string, key: string) => Refusal | null;

export function createKeyCheck(access: AccessState, bans: Bans): KeyCheck {
  return (address, key) => {
    const remaining = bans.remainingMs(address);
    if (remaining > 0) {
      const wait = durationText(remaining);
      return { status: 403, text: `IP banned due to too many failed attempts. Try again in ${wait}` };
    }
    if (!isLocal(address) && !access.remoteAllowed()) return { status: 403, text: 'remote management disabled' };
    if (!access.hasKey()) return { status: 403, text: 'remote management key not set' };
    if (key === '') {
      bans.countFailure(address);
      return { status: 401, text: 'missing management key' };
    }
    if (!access.matches(key)) {
      bans.countFailure(address);
      return { status: 401, text: 'invalid management key' };
    }
    bans.clear(address);
    return null;
  };
}

function isLocal(address: string): boolean {
  return address === '127.0.0.1' || address === '::1';
}

/** The key of a request: a bearer token, else the whole `Authorization`, else `X-Management-Key`. */
export function keyOfRequest(authorization: string, managementKey: string): string {
  const trimmed = authorization.trim();
  const space = trimmed.indexOf(' ');
  const isBearer = space > 0 && trimmed.slice(0, space).toLowerCase() === 'bearer';
  const key = isBearer ? trimmed.slice(space + 1).trim() : trimmed;
  return key !== '' ? key : managementKey.trim();
}

/** First `X-Forwarded-For`, else `X-Real-IP`, else the socket: forwarding headers are always trusted. */
export function callerAddress(forwardedFor: string, realIp: string, socketAddress: string): string {
  const first = forwardedFor.split(',')[0]?.trim() ?? '';
  if (first !== '') return first;
  return realIp.trim() !== '' ? realIp.trim() : socketAddress;
}
