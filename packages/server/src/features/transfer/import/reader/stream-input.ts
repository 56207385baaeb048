import type { PayloadInput } from './input.ts';
import { createSpool, type Spool, type SpoolOptions } from './spool.ts';

export interface StreamInput extends PayloadInput {
  /** Passes the next bytes of the stream. */
  feed(bytes: Uint8Array): void;
  /** Signals the end of the stream. */
  end(): void;
}

const REPLAY_BYTES = 64 * 1024;

/** A stream can be read once, so marked bytes are kept. */
export function createStreamInput(options: SpoolOptions): StreamInput {
  const waiting: Uint8Array[] = [];
  let ended = false;
  let kept: Spool | null = null;
  /** Offset in `kept` of the next read; `null` while new bytes are added. */
  let replay: number | null = null;
  const buffer = new Uint8Array(REPLAY_BYTES);

  function forget(): void {
    kept?.dispose();
    kept = null;
    replay = null;
  }

  return {
    feed(bytes) {
      waiting.push(bytes);
    },
    end() {
      ended = true;
    },
    read() {
      if (kept !== null && replay !== null) {
        const found = kept.readAt(replay, buffer);
        if (found > 0) {
          replay += found;
          return buffer.subarray(0, found);
        }
        forget();
      }
      const next = waiting.shift();
      if (next === undefined) return ended ? null : undefined;
      kept?.append(next);
      return next;
    },
    mark(unread) {
      forget();
      kept = createSpool(options);
      kept.append(unread);
    },
    readAt: (offset, target) => kept?.readAt(offset, target) ?? 0,
    rewind(offset) {
      replay = offset;
    },
    close: forget,
  };
}
