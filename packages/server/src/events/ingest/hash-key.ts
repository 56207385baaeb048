const COMPUTED_HASH = /^[0-9a-f]{64}$/;

/** The key of an event hash in ledger and facts: 32 bytes for a computed hash, else the opaque text itself. */
export function hashKey(hash: string): Uint8Array | string {
  return COMPUTED_HASH.test(hash) ? Buffer.from(hash, 'hex') : hash;
}

export function hashOfKey(key: Uint8Array | string): string {
  return typeof key === 'string' ? key : Buffer.from(key).toString('hex');
}
