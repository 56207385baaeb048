import type { ImportFormat } from '@manager/core/usage/import-record';

/** Where the bytes of an import come from. */
export type ImportSource =
  /** A regular file that nobody writes to meanwhile. It is read twice where it is a snapshot. */
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'stream'; readonly body: ReadableStream<Uint8Array> };

export interface ImportCounts {
  /** `null` until the payload was recognised. */
  readonly format: ImportFormat | null;
  /** New events. */
  readonly added: number;
  /** Events that were known already. */
  readonly skipped: number;
  /** Records that could not become events. */
  readonly failed: number;
  /** Models or files without details of single requests. */
  readonly unsupported: number;
  readonly warnings: readonly string[];
}

export interface ImportOptions {
  /** Stops at the next border of a batch; batches that were committed stay. */
  readonly signal?: AbortSignal;
  /** After every committed batch. */
  readonly onCounts?: (counts: ImportCounts) => void;
}

export interface Importer {
  /**
   * Reads records and stores their events, batch by batch, beside everything else the server does.
   *
   * @throws ImportRefused when the payload is at fault, ImportInterrupted for anything else.
   */
  run(source: ImportSource, options?: ImportOptions): Promise<ImportCounts>;
}

/** The payload cannot be imported (further): empty, aggregates only, a fatal record. Batches before it stay committed. */
export class ImportRefused extends Error {
  readonly counts: ImportCounts;

  /** @param message for the caller; repeats nothing of the payload */
  constructor(message: string, counts: ImportCounts) {
    super(message);
    this.name = 'ImportRefused';
    this.counts = counts;
  }
}

/** The import ended early without a fault of the payload; the same payload can be imported again. */
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
export interface ImportResult {
  readonly format: ImportFormat;
  readonly added: number;
  readonly skipped: number;
  readonly total: number;
  readonly failed: number;
  readonly unsupported: number;
  readonly warnings: readonly string[];
}

export function toImportResult(counts: ImportCounts): ImportResult {
  const { added, skipped, failed, unsupported, warnings } = counts;
  // A payload that ended before it was recognised is a list of records that has none.
  const format = counts.format ?? 'usage_service_jsonl';
  return { format, added, skipped, total: added + skipped, failed, unsupported, warnings };
}
