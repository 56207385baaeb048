/** Identity of a sequence of events: for each its decimal id, a zero byte, its hash as it is stored, a line feed. */
export interface EventDigest {
  add(id: number, eventHash: string): void;
  /** Of all that was added; ends the digest. */
  hex(): string;
}

/** A hash holds no control characters, so the separators cannot be mistaken. */
export function createEventDigest(): EventDigest {
  const hasher = new Bun.CryptoHasher('sha256');
  return {
    add(id, eventHash) {
      hasher.update(`${id}\0${eventHash}\n`);
    },
    hex: () => hasher.digest('hex'),
  };
}
