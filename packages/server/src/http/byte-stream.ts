export interface ByteStreamOptions {
  /** A client that reads nothing for this long is disconnected. */
  readonly stallMs: number;
  /** Called once, however the stream ends. */
  readonly onEnd: (outcome: 'complete' | 'failed' | 'cancelled' | 'stalled', error?: unknown) => void;
}

/** Bytes per write: small enough that a slow client still shows activity. */
const CHUNK_BYTES = 64 * 1024;

/**
 * A response body over `pages`. The next page is requested only when the socket has taken the previous one, with one page
 * fetched ahead. An error after the first byte resets the connection, so that a client notices it.
 */
export function byteStream(
  pages: AsyncIterator<Uint8Array<ArrayBuffer>, void>,
  options: ByteStreamOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let page: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  let offset = 0;
  let stallTimer: Timer | undefined;
  let ended = false;

  function end(outcome: Parameters<ByteStreamOptions['onEnd']>[0], error?: unknown): void {
    if (ended) return;
    ended = true;
    clearTimeout(stallTimer);
    options.onEnd(outcome, error);
    void pages.return?.();
  }

  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        clearTimeout(stallTimer);
        try {
          while (offset >= page.length) {
            const next = await pages.next();
            if (ended) return;
            if (next.done === true) {
              controller.close();
              end('complete');
              return;
            }
            page = next.value;
            offset = 0;
          }
        } catch (error) {
          if (ended) return;
          end('failed', error);
          controller.error(error);
          return;
        }
        controller.enqueue(page.subarray(offset, offset + CHUNK_BYTES));
        offset += CHUNK_BYTES;
        stallTimer = setTimeout(() => {
          end('stalled');
          controller.error(new Error('the client reads no data'));
        }, options.stallMs);
      },
      cancel() {
        end('cancelled');
      },
    },
    { highWaterMark: 0 },
  );
}
