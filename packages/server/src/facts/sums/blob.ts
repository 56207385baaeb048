import { crc32 } from 'node:zlib';
import type { SumTotals } from '../chunk.ts';
import type { EncodedColumn } from '../segment/encode.ts';
import type { StoredColumn } from '../segment-chunk.ts';

/** The stored sums of one grouping: the columns of its groups in one blob. */
export interface SumsBlob {
  /** CRC-32 of `data`. */
  readonly checksum: number;
  readonly data: Uint8Array;
}

export interface SumsContent {
  readonly rows: number;
  /** See `SumChunk`. */
  readonly totals: SumTotals;
  readonly columns: ReadonlyMap<string, StoredColumn>;
}

type HeaderColumn = readonly [
  name: string,
  encoding: string,
  min: number | null,
  max: number | null,
  checksum: number,
  bytes: number,
];

interface Header {
  readonly rows: number;
  readonly totals: SumTotals;
  readonly columns: readonly HeaderColumn[];
}

const LENGTH_BYTES = 4;

export function packSums(rows: number, totals: SumTotals, columns: readonly EncodedColumn[]): SumsBlob {
  const header: Header = {
    rows,
    totals,
    columns: columns.map(({ name, encoding, min, max, checksum, data }) => [
      ...([name, encoding] as const),
      ...([min, max, checksum, data.length] as const),
    ]),
  };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const length = new Uint8Array(LENGTH_BYTES);
  new DataView(length.buffer).setUint32(0, text.length, true);
  const data = new Uint8Array(Buffer.concat([length, text, ...columns.map((column) => column.data)]));
  return { checksum: crc32(data), data };
}

/** Stored in place of sums that would have too many groups, so that they do not count as missing. */
export const NO_SUMS: SumsBlob = { checksum: 0, data: new Uint8Array(0) };

/** Null when there are no sums, or the blob is damaged. */
export function unpackSums({ checksum, data }: SumsBlob): SumsContent | null {
  if (data.length === 0 || crc32(data) !== checksum) return null;
  const length = new DataView(data.buffer, data.byteOffset, LENGTH_BYTES).getUint32(0, true);
  const { rows, totals, columns } = JSON.parse(
    new TextDecoder().decode(data.subarray(LENGTH_BYTES, LENGTH_BYTES + length)),
  ) as Header;
  let at = LENGTH_BYTES + length;
  const found = new Map<string, StoredColumn>();
  for (const [name, encoding, min, max, columnChecksum, bytes] of columns) {
    found.set(name, { encoding, min, max, checksum: columnChecksum, data: data.subarray(at, at + bytes) });
    at += bytes;
  }
  return { rows, totals, columns: found };
}
