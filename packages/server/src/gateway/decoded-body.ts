import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createUnzip, createZstdDecompress } from 'node:zlib';
import { GatewayError } from './errors.ts';

/** Sent with every request of ours; a proxy before the gateway may compress anyway. */
export const NO_ENCODING = { 'Accept-Encoding': 'identity' } as const;

/**
 * The decompressed body of an answer that was fetched with `decompress: false`. The HTTP client would decompress ahead of the
 * reader: here a few kilobytes that expand to gigabytes cost only what is read of them.
 *
 * @throws GatewayError for an unknown encoding; the error of zlib for damaged data.
 */
export async function* decodedBody(response: Response): AsyncGenerator<Uint8Array> {
  if (response.body === null) return;
  const decoder = decoderOf(response.headers.get('content-encoding') ?? '');
  if (decoder === null) {
    for await (const chunk of response.body) yield chunk;
    return;
  }
  // The iteration below reports the error and, when it is left early, ends the source.
  pipeline(Readable.from(response.body, { objectMode: false }), decoder, () => {});
  for await (const chunk of decoder) yield chunk;
}

function decoderOf(encoding: string): Transform | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
    default:
      throw new GatewayError('protocol', 'the gateway compressed its response in an unsupported way');
  }
}
