import { keepInMemory } from '../listener/body-memory.ts';
import { Pieces } from '../listener/pieces.ts';
import { replaceMember } from './replace-member.ts';

const MAX_BUFFERED_BYTES = 10 * 1024 * 1024;
const INVITE_HEADER = 'x-codex-invite-origin';

/** The body of a plugin request after its origins were rewritten. */
export interface PluginBody {
  readonly body: ReadableStream<Uint8Array> | Uint8Array | null;
  /** Set when the body was rewritten. */
  readonly contentLength?: number;
}

/**
 * Plugin pages send their backend the management origin; behind the manager that must be the gateway's. So the header
 * `X-Codex-Invite-Origin` and the JSON member `management_origin` are set to the gateway's origin. Every other body passes byte
 * for byte; one above 10 MiB passes unread.
 */
export async function rewritePluginRequest(
  request: Request,
  headers: Headers,
  gatewayOrigin: string,
): Promise<PluginBody> {
  if (headers.has(INVITE_HEADER)) headers.set(INVITE_HEADER, gatewayOrigin);
  if (request.body === null || !isJson(headers.get('content-type'))) return { body: request.body };
  const declared = Number(headers.get('content-length') ?? Number.NaN);
  if (declared > MAX_BUFFERED_BYTES) return { body: request.body };

  const { bytes, rest } = await readUpTo(request.body, MAX_BUFFERED_BYTES, (size) => keepInMemory(request, size));
  if (rest) return { body: rest };
  const rewritten = replaceMember(
    Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    'management_origin',
    JSON.stringify(gatewayOrigin),
  );
  if (rewritten === null) return { body: bytes };
  headers.set('content-length', String(rewritten.byteLength));
  return { body: rewritten, contentLength: rewritten.byteLength };
}

function isJson(contentType: string | null): boolean {
  return /^\s*(application\/json|[^;\s]+\+json)\s*(;|$)/i.test(contentType ?? '');
}

/** Reads a body up to a limit; `onPiece` counts what is kept. Above it, `rest` yields the whole body again: the part read so far, then the rest. */
export async function readUpTo(
  stream: ReadableStream<Uint8Array>,
  limit: number,
  onPiece: (bytes: number) => void = () => {},
): Promise<{ bytes: Uint8Array; rest: ReadableStream<Uint8Array> | null }> {
  const reader = stream.getReader();
  const pieces = new Pieces();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { bytes: pieces.joined(), rest: null };
    onPiece(value.byteLength);
    pieces.add(value);
    if (pieces.size > limit) break;
  }
  const blocks: Uint8Array[] = pieces.blocks();
  const rest = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const block = blocks.shift();
      if (block) return controller.enqueue(block);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  return { bytes: new Uint8Array(), rest };
}
