import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';

export interface KeptAnswer {
  /** Validator of the answer. */
  readonly etag: string;
  readonly body: Uint8Array;
}

/** The last good answer of each URL. */
export interface CatalogueCache {
  get(url: string): Promise<KeptAnswer | null>;
  /** An empty validator removes the cached answer: it could not be revalidated. */
  put(url: string, answer: KeptAnswer): Promise<void>;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Stores answers compressed: a catalogue of some megabytes would stay in memory for weeks. */
export function createCatalogueCache(): CatalogueCache {
  const kept = new Map<string, KeptAnswer>();
  return {
    async get(url) {
      const answer = kept.get(url);
      return answer === undefined ? null : { etag: answer.etag, body: await decompress(answer.body) };
    },
    async put(url, { etag, body }) {
      if (etag === '') kept.delete(url);
      else kept.set(url, { etag, body: await compress(body) });
    },
  };
}
