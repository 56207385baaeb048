import { jsonBytes } from './json.ts';

const NOT_MODIFIED = 304;
/** `{"generated_at_ms":` and up to 17 digits. */
const LONGEST_HEAD = 40;
const HEAD = /^\{"generated_at_ms":\d+/;

const decoder = new TextDecoder();

/**
 * A JSON answer with a weak `ETag` over all of it but the time it was made at; 304 without a body where the client has it
 * already. Clients that send no `If-None-Match` notice nothing.
 */
export function taggedJson(body: Uint8Array<ArrayBuffer>, ifNoneMatch: string | undefined): Response {
  const tag = entityTag(body);
  if (ifNoneMatch !== undefined && matches(ifNoneMatch, tag)) {
    return new Response(null, { status: NOT_MODIFIED, headers: { ETag: tag, 'Cache-Control': 'no-store' } });
  }
  const response = jsonBytes(body);
  response.headers.set('ETag', tag);
  return response;
}

function entityTag(body: Uint8Array): string {
  const head = HEAD.exec(decoder.decode(body.subarray(0, LONGEST_HEAD)))?.[0].length ?? 0;
  const rest = body.subarray(head);
  return `W/"${rest.length.toString(36)}-${Bun.hash.xxHash64(rest).toString(36)}"`;
}

/** Weak comparison: `W/` makes no difference. */
function matches(ifNoneMatch: string, tag: string): boolean {
  const opaque = tag.replace(/^W\//, '');
  return ifNoneMatch.split(',').some((candidate) => {
    const text = candidate.trim();
    return text === '*' || text.replace(/^W\//, '') === opaque;
  });
}
