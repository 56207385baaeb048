import { readdirSync, writeFileSync } from 'node:fs';
import type { UsageEvent } from '@manager/core/usage/event';
import { decodeDetail } from '../../../../events/detail/detail-codec.ts';
import { createWordMirror } from '../../../../events/detail/word-mirror.ts';
import type { WordReader } from '../../../../events/detail/words.ts';
import { createEventPacker } from '../../../../events/ingest/event-packer.ts';
import { IMPORT_BATCH_EVENTS } from '../../../../events/ingest/import-events.ts';
import { type PackedEvents, unpack } from '../../../../events/ingest/packed-events.ts';
import { TEST_NOW_MS } from '../../../../events/testing/test-ingester.ts';
import { sha256Hex } from '../../../../platform/sha256.ts';
import type { TestFolder } from '../../../../platform/testing/test-folder.ts';
import { createBatchReader, type ImportStep } from './batches.ts';
import { openFileInput } from './file-input.ts';
import type { PayloadInput } from './input.ts';
import { readPayload } from './payload.ts';
import type { RecordRemark } from './record-remarks.ts';
import { createStreamInput } from './stream-input.ts';

/** The result of reading a payload, in comparable form. */
export interface ReadResult {
  readonly format: string | null;
  readonly events: readonly UsageEvent[];
  /** Events of each batch. */
  readonly batches: readonly number[];
  readonly failed: number;
  readonly failures: readonly RecordRemark[];
  readonly noted: readonly RecordRemark[];
  readonly unsupported: number;
  readonly warnings: readonly string[];
  /** '' = read to its end. */
  readonly refused: string;
}

export type Payload = string | Uint8Array;

/** Every way in which a payload can arrive; rules must hold in each of them. */
export const WAYS = ['a file', 'one chunk', 'chunks of 7 bytes', 'chunks of 1 byte'] as const;
export type Way = (typeof WAYS)[number];

const CHUNK_BYTES: Readonly<Record<Exclude<Way, 'a file'>, number>> = {
  'one chunk': Number.MAX_SAFE_INTEGER,
  'chunks of 7 bytes': 7,
  'chunks of 1 byte': 1,
};

function bytesOf(payload: Payload): Uint8Array {
  return typeof payload === 'string' ? new TextEncoder().encode(payload) : payload;
}

/** Reads a payload in one of the ways; also checks that no spool is left. */
export function readWhole(folder: TestFolder, payload: Payload, way: Way): ReadResult {
  const bytes = bytesOf(payload);
  if (way !== 'a file') return readChunks(folder, bytes, CHUNK_BYTES[way]);
  const path = folder.path('payload');
  writeFileSync(path, bytes);
  return collect(openFileInput(path), () => {
    throw new Error('a file is never waited for');
  });
}

export function readChunks(folder: TestFolder, bytes: Uint8Array, chunkBytes: number): ReadResult {
  const directory = folder.path('spools');
  const input = createStreamInput({ directory, newId: () => 'under-test' });
  let at = 0;
  const result = collect(input, () => {
    if (at < bytes.length) input.feed(bytes.slice(at, at + chunkBytes));
    else input.end();
    at += chunkBytes;
  });
  if (spoolsIn(directory).length > 0) throw new Error('a spool was left');
  return result;
}

function spoolsIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

const NO_WORDS: WordReader = {
  textOf() {
    throw new Error('no words were learned');
  },
};

function eventsOf(batch: PackedEvents): UsageEvent[] {
  const next = unpack(batch);
  const events: UsageEvent[] = [];
  for (let event = next(); event !== null; event = next()) events.push(decodeDetail(event.detail, NO_WORDS));
  return events;
}

function collect(input: PayloadInput, feed: () => void): ReadResult {
  const packer = createEventPacker(createWordMirror(), IMPORT_BATCH_EVENTS);
  const reader = createBatchReader(readPayload(input), packer, () => ({ nowMs: TEST_NOW_MS, sha256Hex }));
  const events: UsageEvent[] = [];
  const batches: number[] = [];
  const failures: RecordRemark[] = [];
  const noted: RecordRemark[] = [];
  let step: ImportStep;
  do {
    step = reader.next();
    failures.push(...step.failures);
    noted.push(...step.noted);
    if (step.batch !== null) {
      const batch = eventsOf(step.batch);
      events.push(...batch);
      batches.push(batch.length);
    }
    if (step.state === 'needs_input') feed();
  } while (step.state === 'more' || step.state === 'needs_input');
  input.close();
  const { format, failed, unsupported, warnings } = step;
  const refused = step.state === 'refused' ? step.message : '';
  return { format, events, batches, failed, failures, noted, unsupported, warnings, refused };
}
