import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { UsageEvent } from '@manager/core/usage/event';
import { ByteReader } from './bytes.ts';
import { type DraftEvent, missingMembers, stored, VERSIONS, versionOf } from './members.ts';
import { NANOS_PER_MS, timestampText } from './time-text.ts';
import type { Value } from './value-format.ts';
import { ValueReader } from './value-reader.ts';
import { ValueWriter } from './value-writer.ts';
import type { WordWriter } from './word-finder.ts';
import type { WordReader } from './words.ts';

/**
 * The detail of a raw event: every member, in about 200 bytes instead of 4,000.
 *
 * Measured on the writer's thread against deflate with a preset dictionary (390 bytes, 45 µs) and zstd with a trained
 * one (340 bytes, 50–100 µs): most of an event is shape and texts that other events have too. Those become numbers of a
 * word table; the rest is packed by its kind (integers, hexadecimal, times relative to the event). The record layout:
 *
 *     version, sign and fraction of the time, time, bit per member, unusual members, metadata JSON, raw JSON
 *
 * The raw JSON is last, because export and lists do not read it. Only a rare long text (a failure body) is deflated.
 */
const VERSION_BYTES = [
  { plain: 1, deflated: 2 },
  { plain: 3, deflated: 4 },
] as const;
const DEFLATE_FROM_BYTES = 700;
/** Slightly more than the largest event that `prepareForInsert` allows. */
const MAX_DETAIL_BYTES = 64 * 1024 * 1024;
export const BITMAP_BYTES = VERSIONS.map((members) => Math.ceil(members.length / 8));
const LONGEST_BITMAP = Math.max(...BITMAP_BYTES);

export interface DetailEncoder {
  /** @param hashComputed whether the hash is that of the members as they are now, so that it is not computed again */
  encode(event: UsageEvent, hashComputed?: boolean): Uint8Array<ArrayBuffer>;
}

export function createDetailEncoder(words: WordWriter): DetailEncoder {
  const writer = new ValueWriter(words);
  const unusual = new Uint8Array(LONGEST_BITMAP);
  const values: Value[] = [];
  return {
    encode(event, hashComputed = false) {
      const { bytes } = writer;
      const version = versionOf(event);
      writer.begin(event.timestamp_ms, event.timestamp);
      bytes.byte(VERSION_BYTES[version].plain);
      const nanos = nanosOf(event);
      bytes.varint((nanos + 1) * 2 + (event.timestamp_ms < 0 ? 1 : 0));
      bytes.varint(Math.abs(event.timestamp_ms));
      if (nanos < 0) bytes.text(event.timestamp);
      unusual.fill(0);
      values.length = 0;
      let index = 0;
      for (const { name, usual } of VERSIONS[version]) {
        const value = event[name];
        const isUsual = (hashComputed && name === 'event_hash') || value === usual(event);
        if (!isUsual) {
          unusual[index >> 3] = (unusual[index >> 3] ?? 0) | (1 << (index & 7));
          values.push(stored(value));
        }
        index += 1;
      }
      for (let at = 0; at < (BITMAP_BYTES[version] ?? 0); at += 1) bytes.byte(unusual[at] ?? 0);
      for (const value of values) writer.value(value);
      writer.json(event.response_metadata_json);
      writer.json(event.raw_json);
      return bytes.length < DEFLATE_FROM_BYTES ? bytes.take() : deflated(bytes.view(), VERSION_BYTES[version].deflated);
    },
  };
}

function deflated(plain: Uint8Array, version: number): Uint8Array<ArrayBuffer> {
  const packed = deflateRawSync(plain.subarray(1), { level: 6 });
  if (packed.length >= plain.length - 1) return plain.slice();
  const detail = new Uint8Array(packed.length + 1);
  detail[0] = version;
  detail.set(packed, 1);
  return detail;
}

export interface DecodeOptions {
  /** false leaves `raw_json` empty, which is faster: for export and lists. Default true. */
  readonly raw?: boolean;
}

/** Reads a detail of any released version. */
export function decodeDetail(detail: Uint8Array, words: WordReader, options: DecodeOptions = {}): UsageEvent {
  const { bytes, at, version } = openDetail(detail);
  return decode(new ByteReader(bytes, at), words, version, options.raw ?? true);
}

export interface OpenDetail {
  /** Not deflated. */
  readonly bytes: Uint8Array;
  /** Where the time starts. */
  readonly at: number;
  /** Place in `VERSIONS`. */
  readonly version: 0 | 1;
}

export function openDetail(detail: Uint8Array): OpenDetail {
  const [first, second] = VERSION_BYTES;
  switch (detail[0]) {
    case first.plain:
      return { bytes: detail, at: 1, version: 0 };
    case second.plain:
      return { bytes: detail, at: 1, version: 1 };
    case first.deflated:
      return { bytes: inflated(detail), at: 0, version: 0 };
    case second.deflated:
      return { bytes: inflated(detail), at: 0, version: 1 };
    default:
      throw new Error(`detail of unknown version ${detail[0]}`);
  }
}

function inflated(detail: Uint8Array): Uint8Array {
  return inflateRawSync(detail.subarray(1), { maxOutputLength: MAX_DETAIL_BYTES });
}

function decode(bytes: ByteReader, words: WordReader, version: 0 | 1, withRaw: boolean): UsageEvent {
  const head = bytes.varint();
  const timestampMs = head % 2 === 0 ? bytes.varint() : -bytes.varint();
  const nanos = Math.floor(head / 2) - 1;
  const values = new ValueReader(bytes, words, timestampMs);
  const draft = { timestamp_ms: timestampMs } as Record<string, unknown> & DraftEvent;
  draft.timestamp = nanos < 0 ? bytes.text() : timestampText(timestampMs, nanos);
  values.begin(draft.timestamp);
  const unusual: number[] = [];
  while (unusual.length < (BITMAP_BYTES[version] ?? 0)) unusual.push(bytes.byte());
  let index = 0;
  for (const { name, usual } of VERSIONS[version]) {
    const isUnusual = ((unusual[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
    // The list of members has each member once, with a value of its type.
    (draft as Record<string, unknown>)[name] = isUnusual ? restored(name, values.value()) : usual(draft);
    index += 1;
  }
  for (const { name, usual } of missingMembers(version)) (draft as Record<string, unknown>)[name] = usual(draft);
  draft.response_metadata_json = values.json();
  draft.raw_json = withRaw ? values.json() : '';
  return draft;
}

function restored(name: keyof UsageEvent, value: Value): Value | boolean {
  return name === 'failed' ? value === 1 : value;
}

/** Nanoseconds after the millisecond when the text is the usual spelling of the time, else −1. */
function nanosOf(event: UsageEvent): number {
  const { timestamp } = event;
  const digits = timestamp.charCodeAt(19) === 46 ? timestamp.slice(23, -1).padEnd(6, '0') : '0';
  const nanos = Number(digits);
  if (!Number.isInteger(nanos) || nanos < 0 || nanos >= NANOS_PER_MS) return -1;
  return timestampText(event.timestamp_ms, nanos) === timestamp ? nanos : -1;
}
