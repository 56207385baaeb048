/** One spelling per peer address: IPv4 on an IPv6 socket (`::ffff:10.0.0.1`) is IPv4. */
export function plainAddress(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

export function isLoopback(plain: string): boolean {
  return plain === '::1' || plain.startsWith('127.');
}
