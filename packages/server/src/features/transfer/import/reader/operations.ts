import { randomUUID } from 'node:crypto';
import { HEAVY_BATCH_BYTES } from '../../../../events/ingest/import-events.ts';
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
  payload: { readonly input: PayloadInput; readonly stream: StreamInput | null; readonly batches: BatchReader } | null;
}

export type OpenArgs =
  | { readonly kind: 'file'; readonly path: string }
  /** `spoolDirectory`: for the parts of a stream that must be read twice. */
  | { readonly kind: 'stream'; readonly spoolDirectory: string };

/** The input of a waiting reader: bytes, or the end. */
export type ReaderInput = Uint8Array | 'end' | null;

function open(context: ImportContext, args: OpenArgs): void {
  const stream =
    args.kind === 'stream' ? createStreamInput({ directory: args.spoolDirectory, newId: randomUUID }) : null;
  const input = args.kind === 'file' ? openFileInput(args.path) : stream;
  if (input === null) throw new Error('no input');
  const record = () => ({ nowMs: context.now(), sha256Hex });
  context.payload = { input, stream, batches: createBatchReader(readPayload(input), record) };
}

function next(context: ImportContext, input: ReaderInput): Transfer<ImportStep> {
  const { payload } = context;
  if (payload === null) throw new Error('no payload is open');
  if (input === 'end') payload.stream?.end();
  else if (input !== null) payload.stream?.feed(input);
  const step = payload.batches.next();
  // The source of its records is not needed any more while it is stored.
  if ((step.batch?.length ?? 0) >= HEAVY_BATCH_BYTES) Bun.gc(true);
  return new Transfer(step, step.batch === null ? [] : [step.batch.buffer]);
}

export const IMPORT_OPERATIONS = { open, next } as const;
export type ImportOperations = typeof IMPORT_OPERATIONS;
