import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback, plainAddress } from '../address.ts';

/**
 * Whether the gateway would count a caller's refused key against the manager: the address is of this host, or none that the
 * gateway could count.
 */
export function isOwnAddress(address: string): boolean {
  if (isIP(address) === 0) return true;
  const plain = plainAddress(address);
  return isLoopback(plain) || isInterface(plain);
}

function isInterface(address: string): boolean {
  return Object.values(networkInterfaces()).some((list) => list?.some((one) => plainAddress(one.address) === address));
}
