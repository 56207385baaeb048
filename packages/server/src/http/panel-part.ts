import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { chooseEncoding } from './accept-encoding.ts';
import type { RawHandler } from './areas.ts';
import { notModified } from './conditional.ts';

/** A script of the panel in the executable: only its compressed forms. */
export interface PanelPart {
  readonly br: Uint8Array<ArrayBuffer>;
  /** For scripts that every visit needs: over HTTP without TLS browsers do not accept `br`. */
  readonly gzip?: Uint8Array<ArrayBuffer>;
}

const YEAR_SECONDS = 31_536_000;

/**
 * Serves `GET` and `HEAD` of such a script. The panel asks for the digest that it was built with and runs nothing else, so a browser may keep that
 * answer for good.
 */
export function createPanelPartHandler({ br, gzip }: PanelPart): RawHandler {
  let digested: Promise<string> | null = null;
  const encodings = gzip === undefined ? (['br'] as const) : (['br', 'gzip'] as const);

  // Beside the main thread, and not kept: nearly every client takes a compressed form.
  const unpack = async () => new Uint8Array(await promisify(brotliDecompress)(br));
  const digestOf = async () =>
    createHash('sha256')
      .update(await unpack())
      .digest('hex');

  return async (request) => {
    // With the first visit: a start need not wait for it.
    digested ??= digestOf();
    const digest = await digested;
    const encoding = chooseEncoding(request.headers.get('accept-encoding'), encodings);
    const etag = `"${digest.slice(0, 32)}${encoding === null ? '' : `-${encoding}`}"`;
    const own = new URL(request.url).searchParams.get('digest') === digest;
    const headers = {
      ETag: etag,
      Vary: 'Accept-Encoding',
      'Cache-Control': own ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
    };
    if (notModified(request.headers, { etag })) return new Response(null, { status: 304, headers });
    const bytes = encoding === 'br' ? br : encoding === 'gzip' && gzip !== undefined ? gzip : await unpack();
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
