import { randomUUID } from 'node:crypto';
import { createWordMirror, type Word, type WordMirror } from '../../../../events/detail/word-mirror.ts';
import { createEventPacker } from '../../../../events/ingest/event-packer.ts';
import { HEAVY_BATCH_BYTES, IMPORT_BATCH_EVENTS } from '../../../../events/ingest/import-events.ts';
import { buffersOf } from '../../../../events/ingest/packed-events.ts';
import { sha256Hex } from '../../../../platform/sha256.ts';
import { Transfer } from '../../../../sqlite/worker/transfer.ts';
import { type BatchReader, createBatchReader, type ImportStep } from './batches.ts';
import { openFileInput } from './file-input.ts';
import type { PayloadInput } from './input.ts';
import { readPayload } from './payload.ts';
import { createStreamInput, type StreamInput } from './stream-input.ts';

/** The one payload a worker reads. */
export interface ImportContext {
  readonly now: () => number;
  payload: {
    readonly input: PayloadInput;
    readonly stream: StreamInput | null;
    readonly words: WordMirror;
    readonly batches: BatchReader;
  } | null;
}

export type OpenArgs =
  | { readonly kind: 'file'; readonly path: string }
  /** `spoolDirectory`: for the parts of a stream that must be read twice. */
  | { readonly kind: 'stream'; readonly spoolDirectory: string };

/** The input of a waiting reader: bytes, or the end. */
export type ReaderInput = Uint8Array | 'end' | null;

export interface NextArgs {
  readonly input: ReaderInput;
  /** Words that were committed since the last call. */
  readonly words: readonly Word[];
  /** Batches that are not stored yet. */
  readonly open: number;
}

function open(context: ImportContext, args: OpenArgs): void {
  const stream =
    args.kind === 'stream' ? createStreamInput({ directory: args.spoolDirectory, newId: randomUUID }) : null;
  const input = args.kind === 'file' ? openFileInput(args.path) : stream;
  if (input === null) throw new Error('no input');
  const record = () => ({ nowMs: context.now(), sha256Hex });
  const words = createWordMirror();
  const packer = createEventPacker(words, IMPORT_BATCH_EVENTS);
  context.payload = { input, stream, words, batches: createBatchReader(readPayload(input), packer, record) };
}

function next(context: ImportContext, { input, words, open: unanswered }: NextArgs): Transfer<ImportStep> {
  const { payload } = context;
  if (payload === null) throw new Error('no payload is open');
  if (input === 'end') payload.stream?.end();
  else if (input !== null) payload.stream?.feed(input);
  payload.words.learn(words, unanswered);
  const step = payload.batches.next();
  if (step.batch === null) return new Transfer(step, []);
  // The source of its records is not needed any more while it is stored.
  if (step.batch.bytes.length >= HEAVY_BATCH_BYTES) Bun.gc(true);
  return new Transfer(step, buffersOf(step.batch));
}

export const IMPORT_OPERATIONS = { open, next } as const;
export type ImportOperations = typeof IMPORT_OPERATIONS;
