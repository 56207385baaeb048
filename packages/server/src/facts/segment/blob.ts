import { crc32 } from 'node:zlib';

/** One stored column: layout, compression and checksum of its payload. */
export interface ColumnBlob {
  /** `<layout>` or `<layout>+zstd`. */
  readonly encoding: string;
  /** CRC-32 of `data`. */
  readonly checksum: number;
  readonly data: Uint8Array;
}

const PACKED = '+zstd';
/** Measured: higher levels are slower and save nothing on columns this narrow. */
const LEVEL = 1;
/** A payload that shrinks by less is stored uncompressed: hashes and random ids do not compress. */
const WORTHWHILE = 0.95;

/** The stored column is damaged, or was written by a newer version. */
export class SegmentDamaged extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SegmentDamaged';
  }
}

export function packColumn(layout: string, payload: Uint8Array): ColumnBlob {
  if (payload.length > 0) {
    const packed = Bun.zstdCompressSync(payload, { level: LEVEL });
    if (packed.length < payload.length * WORTHWHILE) {
      return { encoding: layout + PACKED, checksum: crc32(packed), data: packed };
    }
  }
  return { encoding: layout, checksum: crc32(payload), data: payload };
}

/** @throws SegmentDamaged when the checksum does not match */
export function unpackColumn(
  blob: ColumnBlob,
  where: string,
): { readonly layout: string; readonly payload: Uint8Array } {
  if (crc32(blob.data) !== blob.checksum) throw new SegmentDamaged(`${where}: checksum does not fit`);
  const layout = layoutOf(blob.encoding);
  if (layout === blob.encoding) return { layout, payload: blob.data };
  // In one call; the streams of `node:zlib` are four times slower for payloads this small.
  const buffer = Bun.zstdDecompressSync(blob.data);
  // Not a `Buffer`: its `slice` does not copy.
  const payload = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return { layout, payload };
}

/** The layout of the payload of a column, compressed or not. */
export function layoutOf(encoding: string): string {
  return encoding.endsWith(PACKED) ? encoding.slice(0, -PACKED.length) : encoding;
}
