import { invalidRequest } from './session.ts';

export interface PieceOptions {
  /** The first abort stops the reading; its reason is thrown. */
  readonly signals: readonly AbortSignal[];
  /** Silence for this long ends it too. */
  readonly stallMs: number;
}

/**
 * The pieces of a request body as they arrive, without empty ones.
 *
 * @throws AppError 400 when the client disconnected or fell silent
 */
export async function* readPieces(
  body: ReadableStream<Uint8Array>,
  { signals, stallMs }: PieceOptions,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = Promise.withResolvers<never>();
  // It may end while nobody awaits it.
  stop.promise.catch(() => {});
  const listeners = signals.map((signal) => {
    const listener = () => stop.reject(signal.reason);
    if (signal.aborted) listener();
    signal.addEventListener('abort', listener);
    return () => signal.removeEventListener('abort', listener);
  });
  let stall: Timer | undefined;
  try {
    for (;;) {
      clearTimeout(stall);
      stall = setTimeout(() => stop.reject(invalidRequest('the chunk stopped arriving')), stallMs);
      const { done, value } = await Promise.race([reader.read(), stop.promise]);
      clearTimeout(stall);
      if (done) return;
      if (value.length > 0) yield value;
    }
  } finally {
    clearTimeout(stall);
    for (const remove of listeners) remove();
    // Discards later bytes; the connection stays usable.
    reader.cancel().catch(() => {});
  }
}
