import { byteStream } from './byte-stream.ts';
import { jsonBytes } from './json.ts';

const NOT_MODIFIED = 304;
/** `{"generated_at_ms":` and up to 17 digits. */
const LONGEST_HEAD = 40;
const HEAD = /^\{"generated_at_ms":\d+/;

const decoder = new TextDecoder();

/** A JSON answer in consecutive chunks, with its tag. Responses may share it: nothing changes the chunks. */
export interface TaggedPieces {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly tag: string;
}

/** Longer answers are passed on in parts: copying one at once blocks everybody else. */
const LONG_BYTES = 256 * 1024;
/** A client that reads nothing for this long is disconnected. */
const STALL_MS = 120_000;

/**
 * A JSON answer with a weak `ETag` over all of it except its creation time; 304 without a body when the client has it. Clients
 * without `If-None-Match` see no difference.
 */
export function taggedJson(answer: Uint8Array<ArrayBuffer> | TaggedPieces, ifNoneMatch: string | undefined): Response {
  const { pieces, tag } = answer instanceof Uint8Array ? { pieces: [answer], tag: entityTag([answer]) } : answer;
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, tag)) {
    return new Response(null, { status: NOT_MODIFIED, headers: { ETag: tag, 'Cache-Control': 'no-store' } });
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const response = jsonBytes(bodyOf(pieces, bytes));
  response.headers.set('ETag', tag);
  response.headers.set('Content-Length', String(bytes));
  return response;
}

function bodyOf(
  pieces: readonly Uint8Array<ArrayBuffer>[],
  bytes: number,
): Blob | ReadableStream<Uint8Array<ArrayBuffer>> {
  if (bytes <= LONG_BYTES) return new Blob([...pieces]);
  return byteStream(inTurn(pieces), { stallMs: STALL_MS, onEnd: () => {} });
}

async function* inTurn(pieces: readonly Uint8Array<ArrayBuffer>[]): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  yield* pieces;
}

/** @param pieces consecutive chunks of the body; another split of the same body may have another tag */
export function entityTag(pieces: readonly Uint8Array[]): string {
  let length = 0;
  let hash = 0n;
  for (const [index, piece] of pieces.entries()) {
    const rest = index === 0 ? piece.subarray(headLength(piece)) : piece;
    length += rest.length;
    hash = Bun.hash.xxHash64(rest, hash);
  }
  return `W/"${length.toString(36)}-${hash.toString(36)}"`;
}

function headLength(body: Uint8Array): number {
  return HEAD.exec(decoder.decode(body.subarray(0, LONGEST_HEAD)))?.[0].length ?? 0;
}

/** Weak comparison: `W/` makes no difference. */
function matches(ifNoneMatch: string, tag: string): boolean {
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => {
    const text = candidate.trim();
    return text === '*' || text.replace(/^W\//, '') === opaque;
  });
}
