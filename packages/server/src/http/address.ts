import { isIP } from 'node:net';

/**
 * One spelling per address, whoever wrote it: IPv4 inside IPv6 (`::ffff:10.0.0.1`, `::ffff:a00:1`) is IPv4, and a zone (`fe80::1%eth0`),
 * which other programs cannot read, is left out. What is no address stays as it is.
 */
export function plainAddress(address: string): string {
  if (!address.includes(':')) return address;
  const bare = address.replace(/%.*/s, '');
  if (isIP(bare) !== 6) return address;
  const plain = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(plain) ?? [];
  if (high === undefined || low === undefined) return plain;
  return [high, low].flatMap((half) => [Number.parseInt(half, 16) >> 8, Number.parseInt(half, 16) & 255]).join('.');
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
  if (isIP(plain) !== 6) return plain;
  const [left = '', right = ''] = new URL(`http://[${plain}]/`).hostname.slice(1, -1).split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === '' ? [] : right.split(':');
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail];
  // IPv4 inside IPv6 (`::ffff:a00:1`): the first half is the same for everyone.
  return groups.slice(0, 5).every((group) => group === '0') ? groups.join(':') : `${groups.slice(0, 4).join(':')}::/64`;
}
