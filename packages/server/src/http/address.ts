import { isIP } from 'node:net';

/** One spelling per peer address: IPv4 on an IPv6 socket (`::ffff:10.0.0.1`) is IPv4. */
export function plainAddress(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

export function isLoopback(plain: string): boolean {
  return plain === '::1' || plain.startsWith('127.');
}

/**
 * Whom wrong keys are counted against: an IPv4 address, or the /64 of an IPv6 address, which one person has whole.
 *
 * @example addressGroup('2001:db8::1:2') // '2001:db8:0:0::/64'
 */
export function addressGroup(plain: string): string {
  const address = plain.replace(/%.*/, '');
  if (isIP(address) !== 6) return plain;
  const [left = '', right = ''] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail];
  // IPv4 inside IPv6 (`::ffff:a00:1`): the first half is the same for everyone.
  return groups.slice(0, 5).every((group) => group === '0') ? groups.join(':') : `${groups.slice(0, 4).join(':')}::/64`;
}
