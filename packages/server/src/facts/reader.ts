import type { Database } from 'bun:sqlite';
import { type ColumnCacheStatistics, createColumnCache } from './cache.ts';
import type { FactChunk } from './chunk.ts';
import { createLiveRows } from './live-rows.ts';
import { createPartialResults, type PartialResults } from './partials.ts';
import type { ScanSharing } from './second-scanner/scan-share.ts';
import type { Section } from './section.ts';
import { createFactSegments } from './segments.ts';
import { createSymbolTable, type SymbolTable } from './symbols.ts';
import { createFactTail } from './tail.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** The facts in one read transaction. */
export interface FactSnapshot {
  readonly db: Database;
  readonly symbols: SymbolTable;
  /** Segments oldest first, then the tail. */
  readonly chunks: readonly FactChunk[];
  readonly partials: PartialResults;
  /** Results over all stored events: the longest scans, so no other results evict them. */
  readonly lifetimePartials: PartialResults;
  /** Number of deleted raw events: part of the key of every section that uses `liveRows`. */
  readonly rawDeletions: number;
  readonly workspace: Workspace;
  /** For rows of a second chunk while those of the first are in use. */
  readonly secondWorkspace: Workspace;
  /** A second thread that takes a part of long scans. */
  readonly sharing?: ScanSharing | undefined;
  /** Gets every section that a question adds, by its key; then nothing is scanned, see `OnlyPlanned`. */
  readonly planned?: Map<string, Section<unknown>> | undefined;
}

export interface FactReader {
  /** Runs `body` inside one read transaction: everything it reads belongs to one state of the database. */
  read<Result>(body: (snapshot: FactSnapshot) => Result): Result;
  statistics(): ColumnCacheStatistics;
  /** Frees the work arrays of scans, between two questions. */
  rest(): void;
}

/** A reader whose reads belong to a transaction that has begun. */
export function withinSnapshot(snapshot: FactSnapshot): Pick<FactReader, 'read'> {
  return { read: (body) => body(snapshot) };
}

export interface FactReaderOptions {
  /** Limit of the decoded columns. */
  readonly cacheBytes?: number | undefined;
  /** Limit of the results over sealed segments. */
  readonly partialBytes?: number | undefined;
  readonly sharing?: ScanSharing | undefined;
  /** Only the segments: the tail is not read. */
  readonly sealedOnly?: boolean | undefined;
  /** See `createColumnCache`. */
  readonly onGarbage?: (() => void) | undefined;
}

/** Sums and newest events of several thousand accounts. */
const LIFETIME_PARTIAL_BYTES = 4 * 1024 * 1024;

/** @param db a separate read-only connection */
export function createFactReader(db: Database, options: FactReaderOptions = {}): FactReader {
  const cache = createColumnCache(options.cacheBytes, options.onGarbage);
  const live = createLiveRows(db, cache);
  const segments = createFactSegments(db, cache, live.rowsOf);
  const tail = createFactTail(db, live.rowsOf);
  const symbols = createSymbolTable(db);
  const partials = createPartialResults(options.partialBytes);
  const lifetimePartials = createPartialResults(
    Math.min(options.partialBytes ?? LIFETIME_PARTIAL_BYTES, LIFETIME_PARTIAL_BYTES),
  );
  const workspace = createWorkspace();
  const secondWorkspace = createWorkspace();

  function snapshot(): FactSnapshot {
    cache.beginQuestion();
    live.refresh();
    symbols.refresh();
    const chunks = segments.list();
    const tailChunk = options.sealedOnly === true ? null : tail.refresh();
    if (tailChunk !== null) chunks.push(tailChunk);
    const rawDeletions = live.deleted();
    return {
      ...{ db, symbols, chunks, partials, lifetimePartials, rawDeletions, workspace, secondWorkspace },
      sharing: options.sharing,
    };
  }

  return {
    read: (body) => db.transaction(() => body(snapshot())).deferred(),
    statistics: cache.statistics,
    rest: () => {
      workspace.clear();
      secondWorkspace.clear();
    },
  };
}
