import { crc32, createDeflateRaw, type InflateRaw, inflateRawSync } from 'node:zlib';
import { ArchiveDamaged } from './damaged.ts';

/**
 * The header of our files: deflate, no name, no time, fastest level, system unknown. Written here, because the runtime puts its
 * own system into the header, and a file should not show where it was made.
 */
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 4, 255);
const TRAILER_BYTES = 8;
const FASTEST = 1;
/** The runtime refuses smaller chunks. */
const LEAST_CHUNK_BYTES = 64;

export interface GzipWriter {
  /** Resolves when the bytes are compressed and the output is written to the sink. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/** Compresses its input as one gzip member. */
export function createGzipWriter(sink: (bytes: Uint8Array) => Promise<void>): GzipWriter {
  const deflate = createDeflateRaw({ level: FASTEST });
  let ready: Uint8Array[] = [HEADER];
  deflate.on('data', (bytes: Uint8Array) => ready.push(bytes));
  let checksum = 0;
  let length = 0;

  async function drain(): Promise<void> {
    const bytes = ready;
    ready = [];
    for (const each of bytes) await sink(each);
  }

  return {
    async write(bytes) {
      checksum = crc32(bytes, checksum);
      length += bytes.length;
      await new Promise<void>((resolve, reject) => {
        deflate.write(bytes, (error) => (error ? reject(error) : resolve()));
      });
      await drain();
    },
    async end() {
      await new Promise<void>((resolve, reject) => {
        deflate.once('error', reject);
        deflate.once('end', resolve);
        deflate.end();
      });
      ready.push(trailer(checksum, length));
      await drain();
    },
  };
}

function trailer(checksum: number, length: number): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(TRAILER_BYTES));
  bytes.setUint32(0, checksum, true);
  bytes.setUint32(4, length >>> 0, true);
  return new Uint8Array(bytes.buffer);
}

interface MemberSize {
  readonly limitBytes: number;
  /** Size of the content. */
  readonly expectedBytes: number;
}

/**
 * The content of a file with exactly one gzip member and nothing after it. (A usual `gunzip` joins members silently.)
 *
 * @throws ArchiveDamaged also when the content is larger than the limit
 */
export function readSingleMember(file: Uint8Array, size: MemberSize): Uint8Array {
  if (file.length < HEADER.length + TRAILER_BYTES || HEADER.some((byte, index) => file[index] !== byte)) {
    throw new ArchiveDamaged('the file is not an archive segment');
  }
  const packed = file.subarray(HEADER.length);
  const { content, packedBytes } = inflate(packed, size);
  if (packed.length - packedBytes !== TRAILER_BYTES) throw new ArchiveDamaged('the file does not end with its content');
  const expected = trailer(crc32(content), content.length);
  if (!Buffer.from(expected).equals(packed.subarray(packedBytes))) {
    throw new ArchiveDamaged('the checksum of the content is wrong');
  }
  return content;
}

function inflate(
  packed: Uint8Array,
  { limitBytes, expectedBytes }: MemberSize,
): { content: Uint8Array; packedBytes: number } {
  try {
    // One chunk for the expected size: several chunks are copied together, which needs twice the memory.
    const chunkSize = Math.max(Math.min(expectedBytes, limitBytes) + 1, LEAST_CHUNK_BYTES);
    // With `info` it also returns the number of bytes read, which its type does not include.
    const result = inflateRawSync(packed, { info: true, chunkSize, maxOutputLength: limitBytes }) as unknown as {
      readonly buffer: Uint8Array;
      readonly engine: InflateRaw;
    };
    return { content: result.buffer, packedBytes: result.engine.bytesWritten };
  } catch (error) {
    throw new ArchiveDamaged('the content cannot be decompressed', { cause: error });
  }
}
