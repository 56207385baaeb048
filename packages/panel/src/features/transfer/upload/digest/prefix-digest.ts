import { readBytes, type UploadSource } from '../source.ts';
import type { Hasher } from './hasher.ts';

/** Bytes read and hashed at once. */
const PIECE_BYTES = 2 ** 20;

interface DigestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes that have been hashed so far. */
  readonly onProgress?: (bytes: number) => void;
}

/** SHA-256 of growing prefixes of a file. */
export interface PrefixDigest {
  /** Digest of the first `bytes`, in hex. Cheap as long as `bytes` grows. One call at a time. */
  readonly at: (bytes: number, options?: DigestOptions) => Promise<string>;
  readonly close: () => void;
}

export function createPrefixDigest(source: UploadSource, hasher: Hasher): PrefixDigest {
  let position = 0;

  return {
    at: async (bytes, { signal, onProgress } = {}) => {
      if (bytes < position) {
        // The server has lost bytes since: an incremental hash cannot go back.
        position = 0;
        await hasher.reset();
      }
      while (position < bytes) {
        signal?.throwIfAborted();
        const piece = await readBytes(source, position, Math.min(bytes, position + PIECE_BYTES));
        const { length } = piece;
        await hasher.update(piece);
        position += length;
        onProgress?.(position);
      }
      return hasher.hex();
    },
    close: hasher.close,
  };
}
