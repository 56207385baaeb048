import { createHash } from 'node:crypto';
import { chooseEncoding } from './accept-encoding.ts';
import type { RawHandler } from './areas.ts';
import { notModified } from './conditional.ts';

/** A part of the panel in the executable, which it loads when it needs it: one script, also compressed. */
export interface PanelPart {
  readonly plain: Uint8Array<ArrayBuffer>;
  readonly br: Uint8Array<ArrayBuffer>;
}

const YEAR_SECONDS = 31_536_000;

/**
 * Serves `GET` and `HEAD` of such a part. The panel asks for the digest that it was built with and runs nothing else, so a browser may keep that answer for good.
 */
export function createPanelPartHandler({ plain, br }: PanelPart): RawHandler {
  const digest = createHash('sha256').update(plain).digest('hex');
  return (request) => {
    const encoding = chooseEncoding(request.headers.get('accept-encoding'), ['br']);
    const etag = `"${digest.slice(0, 32)}${encoding === null ? '' : '-br'}"`;
    const own = new URL(request.url).searchParams.get('digest') === digest;
    const headers = {
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cache-Control': own ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    };
    if (notModified(request.headers, { etag })) return new Response(null, { status: 304, headers });
    const bytes = encoding === null ? plain : br;
    return new Response(request.method === 'HEAD' ? null : bytes, {
      headers: {
        ...headers,
        'Content-Type': 'text/javascript; charset=utf-8',
        'Content-Length': String(bytes.byteLength),
        ...(encoding === null ? {} : { 'Content-Encoding': encoding }),
      },
    });
  };
}
