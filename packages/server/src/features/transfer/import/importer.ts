import type { ImportResult } from '@manager/core/contract/transfer/import-sessions';
import type { ImportFormat } from '@manager/core/usage/import-record';
import type { RecordRemark } from './reader/record-remarks.ts';

/** Source of the bytes of an import. */
export type ImportSource =
  /** A regular file that nobody writes to meanwhile. A snapshot is read twice. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stream'; readonly body: ReadableStream<Uint8Array> };

export interface ImportCounts {
  /** `null` until the format is recognized. */
  readonly format: ImportFormat | null;
  /** New events. */
  readonly added: number;
  /** Known events. */
  readonly skipped: number;
  /** Records that are no valid event. */
  readonly failed: number;
  /** Models or files without details of single requests. */
  readonly unsupported: number;
  readonly warnings: readonly string[];
  /** The first of `failed`. */
  readonly failures: readonly RecordRemark[];
}

export interface ImportOptions {
  /** Stops after the current batch; committed batches stay. */
  readonly signal?: AbortSignal;
  /** After every committed batch. */
  readonly onCounts?: (counts: ImportCounts) => void;
}

export interface Importer {
  /**
   * Reads records and stores their events, batch by batch, in the background.
   *
   * @throws ImportRefused when the payload is invalid, ImportInterrupted for anything else.
   */
  run(source: ImportSource, options?: ImportOptions): Promise<ImportCounts>;
}

/**
 * The payload cannot be imported, or not further: empty, aggregates only, a fatal record. Earlier batches stay committed.
 */
export class ImportRefused extends Error {
  readonly counts: ImportCounts;

  /** @param message for the caller; repeats nothing of the payload */
  constructor(message: string, counts: ImportCounts) {
    super(message);
    this.name = 'ImportRefused';
    this.counts = counts;
  }
}

/** The import ended early, but not because of the payload; the same payload can be imported again. */
export class ImportInterrupted extends Error {
  readonly counts: ImportCounts;
  /** True when the caller's signal ended it: `cause` is the reason of the signal, else the error of database or file. */
  readonly aborted: boolean;

  constructor(counts: ImportCounts, options: { readonly aborted: boolean; readonly cause: unknown }) {
    super(options.aborted ? 'the import was stopped' : 'the import was interrupted', { cause: options.cause });
    this.name = 'ImportInterrupted';
    this.counts = counts;
    this.aborted = options.aborted;
  }
}

/** The wire form of the counts. */
export function toImportResult(counts: ImportCounts): ImportResult {
  const { added, skipped, failed, unsupported, warnings, failures } = counts;
  // A payload that ended before it was recognized is an empty list of records.
  const format = counts.format ?? 'usage_service_jsonl';
  const result = { format, added, skipped, total: added + skipped, failed, unsupported, warnings };
  if (failures.length === 0) return result;
  return {
    ...result,
    failures: failures.map(({ line, ...remark }) => (line === null ? remark : { line, ...remark })),
  };
}
