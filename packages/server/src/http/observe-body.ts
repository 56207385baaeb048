export type BodyEnd = 'sent' | 'failed' | 'aborted';

/**
 * The same answer, with a callback after the end of its streamed body. Chunks pass as they arrive; nothing is read ahead of the
 * caller.
 */
export function observeBody(response: Response, onEnd: (end: BodyEnd) => void): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    onEnd('sent');
    return response;
  }
  let ended = false;
  // A pending read also ends when the caller disconnects.
  const end = (how: BodyEnd) => {
    if (!ended) onEnd(how);
    ended = true;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // A stream may fail while its caller reads nothing, and nobody would request the next chunk.
        reader.closed.catch((error: unknown) => {
          end('failed');
          controller.error(error);
        });
      },
      async pull(controller) {
        const next = await reader.read().catch((error: unknown) => {
          end('failed');
          throw error;
        });
        if (!next.done) return controller.enqueue(next.value);
        end('sent');
        controller.close();
      },
      cancel(reason) {
        end('aborted');
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}
