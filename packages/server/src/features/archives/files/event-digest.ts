/** Digest of a sequence of events: for each its decimal id, a zero byte, its hash as stored, a line feed. */
export interface EventDigest {
  add(id: number, eventHash: string): void;
  /** The digest of all added events; ends it. */
  hex(): string;
}

/** A hash contains no control characters, so the separators are unambiguous. */
export function createEventDigest(): EventDigest {
  const hasher = new Bun.CryptoHasher('sha256');
  return {
    add(id, eventHash) {
      hasher.update(`${id}\0${eventHash}\n`);
    },
    hex: () => hasher.digest('hex'),
  };
}
