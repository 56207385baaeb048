import type { FactChunk } from './chunk.ts';
import { type ChunkFeed, createChunkFeed, type Fed } from './chunk-feed.ts';
import type { PartialResults } from './partials.ts';
import { compileQuery, type FactQuery } from './query.ts';
import type { FactSnapshot } from './reader.ts';
import { createScanShare } from './second-scanner/scan-share.ts';
import type { Section } from './section.ts';

/** Sections over one query, all in a single scan. */
export interface Scan {
  readonly query: FactQuery;
  /** @returns the state, once `run` is done */
  add<State>(section: Section<State>): () => State;
  run(): void;
}

/** Characters. */
const LONGEST_NAME = 1_000;
const NONE: ReadonlySet<number> = new Set();

/** Thrown instead of running, where `FactSnapshot.planned` only asks what would be computed. */
export class OnlyPlanned extends Error {}

export function createScan(snapshot: FactSnapshot, query: FactQuery, checkStopped: () => void): Scan {
  const { partials } = snapshot;
  const wanted = new Map<string, Fed>();
  let isDone = false;

  function add<State>(section: Section<State>): () => State {
    let entry = wanted.get(section.key);
    if (entry === undefined) {
      entry = { section: section as Section<unknown>, state: null, fed: [] };
      wanted.set(section.key, entry);
      snapshot.planned?.set(section.key, entry.section);
    }
    const { key } = section;
    return () => {
      if (!isDone) throw new Error(`section ${key} is read before the scan has run`);
      return wanted.get(key)?.state as State;
    };
  }

  function run(): void {
    isDone = true;
    if (wanted.size === 0) return;
    if (snapshot.planned !== undefined) throw new OnlyPlanned();
    const compiled = compileQuery(snapshot, query);
    const { closed, open } = split(snapshot.chunks, compiled);
    const prefix = `${nameOf(query)}|`;
    const sections = [...wanted.values()];
    const feed = createChunkFeed(snapshot, compiled, checkStopped);
    const feedRows = (chunks: readonly FactChunk[], entries: readonly Fed[]) => {
      for (const chunk of chunks) feed.addRows(chunk, entries);
    };
    sumClosed(sections, closed, feed, prefix);
    feedRows(open, sections);
    const incomplete = () => sections.filter(({ section, state }) => section.complete?.(state) === false);
    const first = incomplete();
    if (first.length === 0) return;
    // Stored sums leave out more than rows do.
    restart(first, false);
    feedRows(closed, first);
    if (closed.length > 0) for (const entry of first) keepPartial(partials, prefix, entry, segmentIds(closed));
    feedRows(open, first);
    const second = incomplete();
    restart(second, true);
    feedRows([...open, ...closed], second);
  }

  function restart(entries: readonly Fed[], keepAll: boolean): void {
    for (const entry of entries) {
      entry.state = entry.section.create(keepAll);
      entry.fed = [];
    }
  }

  /** Continues the cached result of the closed part and caches the new one. */
  function sumClosed(sections: readonly Fed[], closed: readonly FactChunk[], feed: ChunkFeed, prefix: string) {
    const ids = segmentIds(closed);
    const covered = new Map<Fed, ReadonlySet<number>>();
    for (const entry of sections) {
      const known = partials.find(prefix + entry.section.key, ids);
      covered.set(entry, known?.segments ?? NONE);
      entry.state = known === null ? entry.section.create() : entry.section.clone(known.state);
      entry.fed = closed.filter((chunk) => known?.segments.has(chunk.segmentId ?? 0) === true);
    }
    const isMissing = (entry: Fed, chunk: FactChunk) => covered.get(entry)?.has(chunk.segmentId ?? 0) !== true;
    const share = createScanShare(snapshot.sharing, query, sections, closed, isMissing);
    try {
      for (const chunk of closed) {
        const missing = sections.filter((entry) => isMissing(entry, chunk));
        feed.addClosed(chunk, share === null ? missing : share.own(chunk, missing));
      }
      share?.finish(feed);
    } finally {
      share?.end();
    }
    for (const entry of sections) {
      if (ids.size === 0 || covered.get(entry)?.size === ids.size) continue;
      keepPartial(partials, prefix, entry, ids);
    }
  }

  return { query, add, run };
}

function segmentIds(chunks: readonly FactChunk[]): ReadonlySet<number> {
  return new Set(chunks.map((chunk) => chunk.segmentId ?? 0));
}

/** Names filters and search. Long lists of values are hashed. */
function nameOf({ filters, search }: FactQuery): string {
  const text = JSON.stringify([filters, search]);
  return text.length > LONGEST_NAME ? Bun.SHA256.hash(text, 'hex') : text;
}

function keepPartial(partials: PartialResults, prefix: string, entry: Fed, ids: ReadonlySet<number>): void {
  const { section } = entry;
  section.compact?.(entry.state);
  const kept = entry.state;
  entry.state = section.clone(kept);
  partials.keep(prefix + section.key, ids, kept, section.bytes(kept));
}

/**
 * Closed chunks are sealed and completely inside the range. Both lists start with the newest chunk, so that a section
 * that needs only the newest events can skip the older ones.
 */
function split(chunks: readonly FactChunk[], { fromMs, toMs }: Pick<FactQuery, 'fromMs' | 'toMs'>) {
  const closed: FactChunk[] = [];
  const open: FactChunk[] = [];
  for (const chunk of chunks) {
    if (chunk.maxTimestampMs < fromMs || chunk.minTimestampMs >= toMs) continue;
    const isClosed = chunk.segmentId !== null && chunk.minTimestampMs >= fromMs && chunk.maxTimestampMs < toMs;
    (isClosed ? closed : open).push(chunk);
  }
  return { closed: closed.reverse(), open: open.reverse() };
}
