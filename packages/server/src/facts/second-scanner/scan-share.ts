import type { FactChunk } from '../chunk.ts';
import type { ChunkFeed, Fed } from '../chunk-feed.ts';
import type { FactQuery } from '../query.ts';

/** The part of a scan that two threads may divide. */
export interface ScanTask {
  readonly query: FactQuery;
  /** Keys of the sections. */
  readonly sections: readonly string[];
  /** Ids of the segments, newest first: this thread takes them from the front, the other one from the back. */
  readonly segments: readonly number[];
}

/** A second thread that scans. */
export interface ScanSharing {
  /** Segments of a scan from which on it is divided. */
  readonly least: number;
  /** Null when nobody helps; `end` must follow otherwise. */
  begin(task: ScanTask): SharedScan | null;
}

export interface SharedScan {
  /** Takes the next segment from the front; false when the other thread has the rest. */
  takeNext(): boolean;
  /** Waits for the packed states of the other thread, by section; null when it failed. */
  finish(): ReadonlyMap<string, unknown> | null;
  /** Nobody waits for the other thread any more. */
  end(): void;
}

/** A scan of closed chunks of which another thread takes a part. */
export interface ScanShare {
  /** Those of the sections that this thread adds the chunk to. Call it for every chunk, in order. */
  own(chunk: FactChunk, entries: readonly Fed[]): readonly Fed[];
  /** Merges what the other thread computed; where it failed, this one computes it. */
  finish(feed: ChunkFeed): void;
  end(): void;
}

/**
 * Offers chunks to a second thread; null when there is none, or too little to do. Only sections that have the same chunks to add
 * are divided.
 */
export function createScanShare(
  sharing: ScanSharing | undefined,
  query: FactQuery,
  sections: readonly Fed[],
  closed: readonly FactChunk[],
  isMissing: (entry: Fed, chunk: FactChunk) => boolean,
): ScanShare | null {
  if (sharing === undefined || closed.length < sharing.least) return null;
  const exchanging = sections.filter(({ section }) => section.exchange !== undefined);
  const [first] = exchanging;
  if (first === undefined) return null;
  const chunks = new Set(closed.filter((chunk) => isMissing(first, chunk)));
  if (chunks.size < sharing.least) return null;
  const divided = exchanging.filter((entry) => closed.every((chunk) => isMissing(entry, chunk) === chunks.has(chunk)));
  const scan = sharing.begin({
    query,
    sections: divided.map(({ section }) => section.key),
    segments: Array.from(chunks, ({ segmentId }) => segmentId ?? 0),
  });
  if (scan === null) return null;
  const isDivided = new Set(divided);
  const others: FactChunk[] = [];

  return {
    own(chunk, entries) {
      if (!chunks.has(chunk) || (others.length === 0 && scan.takeNext())) return entries;
      others.push(chunk);
      return entries.filter((entry) => !isDivided.has(entry));
    },
    finish(feed) {
      if (others.length === 0) return;
      const packed = scan.finish();
      if (packed === null) {
        for (const chunk of others) feed.addClosed(chunk, divided);
        return;
      }
      for (const { section, state, fed } of divided) {
        section.exchange?.merge(state, packed.get(section.key) as never);
        fed.push(...others);
      }
    },
    end: () => scan.end(),
  };
}
