import type { ImportFormat } from '@manager/core/usage/import-record';
import type { DetailPosition } from '@manager/core/usage/legacy-snapshot';
import type { NeedsInput } from './input.ts';
import type { RecordBytes } from './lines.ts';

/** The items of a payload, in the order in which they are stored. */
export type PayloadItem =
  /** Comes once, first. */
  | { readonly kind: 'format'; readonly format: ImportFormat }
  /** JSON text of one record; valid until the next item is read. */
  | ({ readonly kind: 'record' } & RecordBytes)
  /** JSON text of one entry of a snapshot. */
  | { readonly kind: 'detail'; readonly bytes: Uint8Array; readonly position: DetailPosition }
  /** A part of a snapshot that is no valid event. */
  | { readonly kind: 'failed'; readonly where: string; readonly reason: string }
  | { readonly kind: 'unsupported' };

export type ReadItem = NeedsInput | PayloadItem;
