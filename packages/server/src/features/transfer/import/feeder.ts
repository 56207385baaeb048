import type { ImportSource } from './importer.ts';
import type { ReaderInput } from './reader/operations.ts';

/** Passes the bytes of a source to the reader, one piece per request. */
export interface Feeder {
  next(): Promise<ReaderInput>;
  /** Discards unread bytes. */
  close(): void;
}

/** A chunk is copied on its way, and a body in memory can arrive as one chunk. */
const PIECE_BYTES = 1024 * 1024;

export function createFeeder(source: ImportSource, signal: AbortSignal | undefined): Feeder {
  // The parser reads a file directly.
  if (source.kind === 'file') return { next: async () => null, close: () => {} };
  const reader = source.body.getReader();
  // A read that waits for a silent client ends with the signal.
  const cancel = () => void reader.cancel(signal?.reason).catch(() => undefined);
  signal?.addEventListener('abort', cancel, { once: true });
  let chunk: Uint8Array = new Uint8Array();
  let at = 0;
  return {
    async next() {
      while (at === chunk.length) {
        const { done, value } = await reader.read();
        if (done) return 'end';
        chunk = value;
        at = 0;
      }
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      at += piece.length;
      // A view would transfer its whole buffer.
      return piece.length === piece.buffer.byteLength ? piece : piece.slice();
    },
    close() {
      signal?.removeEventListener('abort', cancel);
      cancel();
    },
  };
}
