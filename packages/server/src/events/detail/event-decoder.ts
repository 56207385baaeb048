import type { Database } from 'bun:sqlite';
import type { UsageEvent } from '@manager/core/usage/event';
import { type DecodeOptions, decodeDetail } from './detail-codec.ts';
import { createWordReader } from './words.ts';

export type EventDecoder = (detail: Uint8Array, options?: DecodeOptions) => UsageEvent;

const decoders = new WeakMap<Database, EventDecoder>();

/** Decoder of the `detail` column; one per connection, because it caches words. */
export function eventDecoder(db: Database): EventDecoder {
  const known = decoders.get(db);
  if (known !== undefined) return known;
  const words = createWordReader(db);
  const decoder: EventDecoder = (detail, options) => decodeDetail(detail, words, options);
  decoders.set(db, decoder);
  return decoder;
}
