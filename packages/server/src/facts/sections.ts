import type { FactChunk } from './chunk.ts';
import type { FactColumn } from './columns.ts';
import { type CompiledQuery, type Selection, selectRows } from './kernels/selection.ts';
import type { PartialResults } from './partials.ts';
import { compileQuery, type FactQuery } from './query.ts';
import type { FactSnapshot } from './reader.ts';
import { type SelectedRows, selectedRows } from './rows.ts';
import { GROUPING_NAMES, type Grouping } from './sums/groupings.ts';
import { type SumRows, sumRows } from './sums/rows.ts';
import { createWorkspace } from './workspace.ts';

/**
 * One computation over the rows that a query selects. Its state is built chunk by chunk; the state over sealed segments
 * is cached and continued, so `clone` must return a copy that `add` may change without touching the original.
 */
export interface Section<State> {
  /** Names the computation with every parameter that changes it: equal keys, equal states. */
  readonly key: string;
  /** Columns it reads: those of the tail are loaded together. */
  readonly columns?: readonly FactColumn[];
  /** @param keepAll second attempt, after `complete` was false: nothing may be dropped before the end */
  create(keepAll?: boolean): State;
  add(state: State, rows: SelectedRows, earlier: EarlierRows): void;
  /** How it is computed from the stored sums of a whole segment instead of its rows. */
  readonly sums?: SumsOf<State> | undefined;
  clone(state: State): State;
  /** Memory of a state, estimated. */
  bytes(state: State): number;
  /** Called once before a state is cached: drops what later chunks do not need. */
  compact?(state: State): void;
  /** False when a compacted state had dropped too much for the following chunks: everything is computed again. */
  complete?(state: State): boolean;
}

export interface SumsOf<State> {
  readonly grouping: Grouping;
  /** False, and nothing added, when the sums do not tell enough: then the rows are read. */
  add(state: State, sums: SumRows, segment: FactChunk, earlier: readonly FactChunk[]): boolean;
}

/** The rows that a state already has, for sections that must not count the same thing in two chunks. */
export interface EarlierRows {
  readonly chunks: readonly FactChunk[];
  /** Selected rows of one of these chunks; valid until the next call. */
  rowsOf(chunk: FactChunk): SelectedRows;
}

/** Sections over one query, all in a single scan. */
export interface Scan {
  readonly query: FactQuery;
  /** @returns the state, once `run` is done */
  add<State>(section: Section<State>): () => State;
  run(): void;
}

/** Characters. */
const LONGEST_NAME = 1_000;

interface Wanted {
  readonly section: Section<unknown>;
  state: unknown;
  /** Chunks whose rows the state holds. */
  fed: FactChunk[];
}

export function createScan(snapshot: FactSnapshot, query: FactQuery, checkStopped: () => void): Scan {
  const { partials, workspace } = snapshot;
  const wanted = new Map<string, Wanted>();
  /** The last chunk: sections that need earlier rows mostly use it. */
  let last: { readonly chunk: FactChunk; readonly selection: Selection } | null = null;
  const listSpaces = [createWorkspace(), createWorkspace()];
  const thirdListSpace = createWorkspace();
  let chunkCount = 0;
  let isDone = false;

  function add<State>(section: Section<State>): () => State {
    let entry = wanted.get(section.key);
    if (entry === undefined) {
      entry = { section: section as Section<unknown>, state: null, fed: [] };
      wanted.set(section.key, entry);
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
    const compiled = compileQuery(snapshot, query);
    const { closed, open } = split(snapshot.chunks, compiled);
    const prefix = `${nameOf(query)}|`;
    const sections = [...wanted.values()];
    sumClosed(sections, closed, compiled, prefix);
    feed(open, compiled, () => sections);
    const incomplete = () => sections.filter(({ section, state }) => section.complete?.(state) === false);
    const first = incomplete();
    if (first.length === 0) return;
    // Stored sums leave out more than rows do.
    restart(first, false);
    feed(closed, compiled, () => first);
    if (closed.length > 0) for (const entry of first) keepPartial(partials, prefix, entry, segmentIds(closed));
    feed(open, compiled, () => first);
    const second = incomplete();
    restart(second, true);
    feed([...open, ...closed], compiled, () => second);
  }

  function restart(entries: readonly Wanted[], keepAll: boolean): void {
    for (const entry of entries) {
      entry.state = entry.section.create(keepAll);
      entry.fed = [];
    }
  }

  /** Continues the cached result of the closed part and caches the new one. */
  function sumClosed(
    sections: readonly Wanted[],
    closed: readonly FactChunk[],
    compiled: CompiledQuery,
    prefix: string,
  ) {
    const ids = segmentIds(closed);
    const covered = new Map<Wanted, ReadonlySet<number>>();
    for (const entry of sections) {
      const known = partials.find(prefix + entry.section.key, ids);
      covered.set(entry, known?.segments ?? new Set());
      entry.state = known === null ? entry.section.create() : entry.section.clone(known.state);
      entry.fed = closed.filter((chunk) => known?.segments.has(chunk.segmentId ?? 0) === true);
    }
    feed(closed, compiled, (chunk) => {
      const missing = sections.filter((entry) => covered.get(entry)?.has(chunk.segmentId ?? 0) !== true);
      return compiled.predicates.length === 0 ? withoutStoredSums(chunk, missing) : missing;
    });
    for (const entry of sections) {
      if (ids.size === 0 || covered.get(entry)?.size === ids.size) continue;
      keepPartial(partials, prefix, entry, ids);
    }
  }

  /** Adds the stored sums of a segment to every section that needs nothing else; returns the others. */
  function withoutStoredSums(chunk: FactChunk, entries: readonly Wanted[]): readonly Wanted[] {
    const done = new Set<Wanted>();
    for (const grouping of GROUPING_NAMES) {
      const takers = entries.filter(({ section }) => section.sums?.grouping === grouping);
      const stored = takers.length === 0 ? null : chunk.sums(grouping);
      if (stored === null) continue;
      checkStopped();
      const rows = sumRows(stored, workspace);
      for (const entry of takers) {
        if (entry.section.sums?.add(entry.state, rows, chunk, entry.fed) !== true) continue;
        entry.fed.push(chunk);
        done.add(entry);
      }
    }
    return entries.filter((entry) => !done.has(entry));
  }

  function feed(
    chunks: readonly FactChunk[],
    compiled: CompiledQuery,
    takers: (chunk: FactChunk) => readonly Wanted[],
  ): void {
    for (const chunk of chunks) {
      const entries = takers(chunk);
      if (entries.length === 0) continue;
      checkStopped();
      // Not into the list of the previous chunk, see `last`.
      const selection = selectRows(chunk, compiled, listSpaces[chunkCount++ % 2]);
      if (selection.count === 0) continue;
      chunk.prepare(new Set(entries.flatMap(({ section }) => section.columns ?? [])));
      const rows = selectedRows(chunk, selection, workspace);
      for (const { section, state, fed } of entries) {
        section.add(state, rows, { chunks: fed, rowsOf: (earlier) => rowsAgain(earlier, compiled) });
        fed.push(chunk);
      }
      last = { chunk, selection };
    }
  }

  function rowsAgain(chunk: FactChunk, compiled: CompiledQuery): SelectedRows {
    const selection = last?.chunk === chunk ? last.selection : selectRows(chunk, compiled, thirdListSpace);
    return selectedRows(chunk, selection, snapshot.secondWorkspace);
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

function keepPartial(partials: PartialResults, prefix: string, entry: Wanted, ids: ReadonlySet<number>): void {
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
