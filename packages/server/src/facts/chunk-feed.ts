import type { FactChunk } from './chunk.ts';
import { type CompiledQuery, type Selection, selectRows } from './kernels/selection.ts';
import { type SelectedRows, selectedRows } from './rows.ts';
import type { Section } from './section.ts';
import { GROUPING_NAMES } from './sums/groupings.ts';
import { sumRows } from './sums/rows.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/** A section of a scan, and what it has so far. */
export interface Fed {
  readonly section: Section<unknown>;
  state: unknown;
  /** Chunks whose rows the state holds. */
  fed: FactChunk[];
}

/** Adds chunks to sections, one after the other. */
export interface ChunkFeed {
  /** From stored sums where these tell enough, else from rows. */
  addClosed(chunk: FactChunk, entries: readonly Fed[]): void;
  addRows(chunk: FactChunk, entries: readonly Fed[]): void;
}

/** Work arrays, see `FactSnapshot`. */
interface Spaces {
  readonly workspace: Workspace;
  readonly secondWorkspace: Workspace;
}

/** @param checkStopped called between chunks */
export function createChunkFeed(
  { workspace, secondWorkspace }: Spaces,
  compiled: CompiledQuery,
  checkStopped: () => void,
): ChunkFeed {
  /** The last chunk: sections that need earlier rows mostly use it. */
  let last: { readonly chunk: FactChunk; readonly selection: Selection } | null = null;
  const listSpaces = [createWorkspace(), createWorkspace()];
  const thirdListSpace = createWorkspace();
  let chunkCount = 0;

  function addRows(chunk: FactChunk, entries: readonly Fed[]): void {
    if (entries.length === 0) return;
    checkStopped();
    // Not into the list of the previous chunk, see `last`.
    const selection = selectRows(chunk, compiled, listSpaces[chunkCount++ % 2]);
    if (selection.count === 0) return;
    chunk.prepare(new Set(entries.flatMap(({ section }) => section.columns ?? [])));
    const rows = selectedRows(chunk, selection, workspace);
    for (const { section, state, fed } of entries) {
      section.add(state, rows, { chunks: fed, rowsOf: rowsAgain });
      fed.push(chunk);
    }
    last = { chunk, selection };
  }

  function rowsAgain(chunk: FactChunk): SelectedRows {
    const selection = last?.chunk === chunk ? last.selection : selectRows(chunk, compiled, thirdListSpace);
    return selectedRows(chunk, selection, secondWorkspace);
  }

  /** Adds the stored sums of a segment to every section that needs nothing else; returns the others. */
  function withoutStoredSums(chunk: FactChunk, entries: readonly Fed[]): readonly Fed[] {
    const done = new Set<Fed>();
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

  return {
    addClosed: (chunk, entries) =>
      addRows(chunk, compiled.predicates.length === 0 ? withoutStoredSums(chunk, entries) : entries),
    addRows,
  };
}
