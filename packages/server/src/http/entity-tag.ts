import { jsonBytes } from './json.ts';

const NOT_MODIFIED = 304;
/** `{"generated_at_ms":` and up to 17 digits. */
const LONGEST_HEAD = 40;
const HEAD = /^\{"generated_at_ms":\d+/;

const decoder = new TextDecoder();

/** A JSON answer in pieces that follow each other, with its tag. */
export interface TaggedPieces {
  readonly pieces: readonly Uint8Array<ArrayBuffer>[];
  readonly tag: string;
}

/** The same as one body, whose memory all responses share. */
export interface TaggedBody {
  readonly body: Blob;
  readonly tag: string;
}

/** Takes over the pieces: their memory is free afterwards, without waiting for a garbage collection. */
export function taggedBody({ pieces, tag }: TaggedPieces): TaggedBody {
  const body = new Blob([...pieces]);
  for (const piece of pieces) piece.buffer.transfer(0);
  return { body, tag };
}

/**
 * A JSON answer with a weak `ETag` over all of it but the time it was made at; 304 without a body where the client has it
 * already. Clients that send no `If-None-Match` notice nothing.
 */
export function taggedJson(answer: Uint8Array<ArrayBuffer> | TaggedBody, ifNoneMatch: string | undefined): Response {
  const { body, tag } = answer instanceof Uint8Array ? { body: answer, tag: entityTag([answer]) } : answer;
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, tag)) {
    return new Response(null, { status: NOT_MODIFIED, headers: { ETag: tag, 'Cache-Control': 'no-store' } });
  }
  const response = jsonBytes(body);
  response.headers.set('ETag', tag);
  return response;
}

/** @param pieces of the body, which follow each other; another cut of the same body may have another tag */
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
