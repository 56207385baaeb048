import type { FactColumn } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';
import { textAt } from '../segment/texts.ts';

export interface NewestTexts {
  /** Each text with its newest event. */
  readonly texts: Map<string, { readonly timestampMs: number; readonly eventId: number }>;
  /** Older events are dropped. */
  fromMs: number;
  /** Number of texts at which the oldest ones are dropped. */
  pruneAt: number;
}

const ENTRY_BYTES = 160;

/** The newest distinct non-empty texts of a column. */
export function newestTextsSection(column: FactColumn, size: number): Section<NewestTexts> {
  return {
    key: `newest texts:${column}:${size}`,
    columns: ['timestamp_ms'],
    create: () => ({ texts: new Map(), fromMs: Number.NEGATIVE_INFINITY, pruneAt: size * 2 }),
    add(state, rows) {
      if (rows.chunk.maxTimestampMs >= state.fromMs) addRows(state, rows, column, size);
    },
    clone: ({ texts, fromMs, pruneAt }) => ({ texts: new Map(texts), fromMs, pruneAt }),
    bytes: ({ texts }) => texts.size * ENTRY_BYTES,
    compact: (state) => prune(state, size),
  };
}

/** Newest first. */
export function newestTexts({ texts }: NewestTexts, size: number): string[] {
  return [...texts]
    .sort(([, left], [, right]) => right.timestampMs - left.timestampMs || right.eventId - left.eventId)
    .slice(0, size)
    .map(([text]) => text);
}

function addRows(state: NewestTexts, rows: SelectedRows, column: FactColumn, size: number): void {
  const times = rows.numbers('timestamp_ms');
  const texts = rows.chunk.texts(column);
  const selected = rows.selection.rows;
  const ids = rows.eventIds();
  // The newest rows are mostly last; starting there leaves little to drop.
  for (let index = rows.count - 1; index >= 0; index--) {
    const timestampMs = times[index] ?? 0;
    if (timestampMs < state.fromMs) continue;
    const row = selected === null ? index : (selected[index] ?? 0);
    // One byte is the end mark.
    if ((texts.starts[row + 1] ?? 0) - (texts.starts[row] ?? 0) <= 1) continue;
    const text = textAt(texts, row);
    const eventId = ids[index] ?? 0;
    const known = state.texts.get(text);
    if (known !== undefined && isNewer(known, timestampMs, eventId)) continue;
    state.texts.set(text, { timestampMs, eventId });
    if (state.texts.size >= state.pruneAt) prune(state, size);
  }
}

function isNewer(
  known: { readonly timestampMs: number; readonly eventId: number },
  timestampMs: number,
  eventId: number,
): boolean {
  return known.timestampMs > timestampMs || (known.timestampMs === timestampMs && known.eventId > eventId);
}

function prune(state: NewestTexts, size: number): void {
  const times = Float64Array.from(state.texts.values(), ({ timestampMs }) => timestampMs).sort();
  if (times.length < size) return;
  state.fromMs = times[times.length - size] ?? 0;
  for (const [text, { timestampMs }] of state.texts) if (timestampMs < state.fromMs) state.texts.delete(text);
  state.pruneAt = Math.max(size, state.texts.size) * 2;
}
