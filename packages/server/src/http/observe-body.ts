export type BodyEnd = 'sent' | 'failed' | 'aborted';

/**
 * The same answer, with a call once its streamed body has ended in one way or another. Chunks pass as they come; nothing is
 * read ahead of the caller.
 */
export function observeBody(response: Response, onEnd: (end: BodyEnd) => void): Response {
  const reader = response.body?.getReader();
  if (reader === undefined) {
    onEnd('sent');
    return response;
  }
  let ended = false;
  // A read that was pending when the caller left ends as well.
  const end = (how: BodyEnd) => {
    if (!ended) onEnd(how);
    ended = true;
  };
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // A stream may fail of itself while its caller takes nothing, and nobody would ask for the next chunk.
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
