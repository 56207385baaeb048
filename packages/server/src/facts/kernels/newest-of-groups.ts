import type { FactColumn } from '../columns.ts';
import type { SelectedRows } from '../rows.ts';
import type { Section } from '../section.ts';
import type { SymbolTable } from '../symbols.ts';
import { symbolDimension } from './dimensions.ts';
import { exchangeGroups, growSums } from './exchanged-groups.ts';
import { createGroupIndex, type GroupIndex } from './group-index.ts';
import { addNewest, keepNewest } from './newest.ts';

/** For each group time and id of its newest event, and 1 if an event has a blank in the marked column. */
export interface NewestOfGroups {
  readonly groups: GroupIndex;
  sums: Float64Array;
}

const SLOT = { newestMs: 0, newestId: 1, anyBlank: 2 } as const;
const SLOTS = 3;

/** @param blankColumn symbol column whose blank values are marked */
export function newestOfGroupsSection(
  columns: readonly FactColumn[],
  blankColumn: FactColumn,
  symbols: SymbolTable,
): Section<NewestOfGroups> {
  const dimensions = [symbolDimension(columns)];
  return {
    key: `newest:${columns.join()}:${blankColumn}`,
    columns: ['timestamp_ms', blankColumn, ...columns],
    create: () => ({ groups: createGroupIndex(1), sums: new Float64Array(SLOTS * 16) }),
    add(state, rows) {
      const groupOf = state.groups.groupsOf(rows, dimensions);
      growSums(state, SLOTS);
      addNewest(state.sums, SLOTS, SLOT.newestMs, groupOf, rows.numbers('timestamp_ms'), rows.eventIds(), rows.count);
      markBlanks(state.sums, groupOf, rows, blankColumn, symbols);
    },
    exchange: exchangeGroups({ slots: SLOTS, addGroup }),
    clone: ({ groups, sums }) => ({ groups: groups.clone(), sums: sums.slice() }),
    bytes: ({ groups, sums }) => groups.bytes() + sums.byteLength,
  };
}

function addGroup(into: Float64Array, to: number, sums: Float64Array, from: number): void {
  keepNewest(into, to, sums[from + SLOT.newestMs] ?? 0, sums.subarray(from + SLOT.newestId), 0);
  if (sums[from + SLOT.anyBlank] === 1) into[to + SLOT.anyBlank] = 1;
}

export interface NewestOfGroup {
  /** Symbols of the group, in the order of the columns. */
  readonly symbols: readonly number[];
  readonly newestMs: number;
  readonly newestId: number;
  readonly anyBlank: boolean;
}

export function newestOfGroups({ groups, sums }: NewestOfGroups): NewestOfGroup[] {
  return Array.from({ length: groups.count() }, (_, group) => ({
    symbols: groups.valuesOf(group)[0] ?? [],
    newestMs: sums[group * SLOTS + SLOT.newestMs] ?? 0,
    newestId: sums[group * SLOTS + SLOT.newestId] ?? 0,
    anyBlank: sums[group * SLOTS + SLOT.anyBlank] === 1,
  }));
}

function markBlanks(
  sums: Float64Array,
  groupOf: Uint32Array,
  rows: SelectedRows,
  column: FactColumn,
  symbols: SymbolTable,
): void {
  // In most segments no value is blank, which is known without the rows.
  if (!rows.chunk.symbolSet(column).some((symbol) => symbols.isBlank(symbol))) return;
  const { codes, symbols: values } = rows.codes([column]);
  const blank = Uint8Array.from(values[0] ?? [], (symbol) => (symbols.isBlank(symbol) ? 1 : 0));
  for (let index = 0; index < rows.count; index++) {
    if (blank[codes[index] ?? 0] === 1) sums[(groupOf[index] ?? 0) * SLOTS + SLOT.anyBlank] = 1;
  }
}
