import { IDENTITY_COLUMNS } from '../../../facts/answers/identity-columns.ts';
import type { Dimension, DimensionCodes } from '../../../facts/kernels/dimensions.ts';
import type { RowCodes, SelectedRows } from '../../../facts/rows.ts';
import type { AccountKeys } from './account-keys.ts';

interface TimeWindow {
  readonly accountKey: string;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The borders of the windows of one account cut time into slots: every window consists of whole slots. */
export interface AccountSlots {
  /** Ascending. */
  readonly borders: Float64Array;
  /** Number of the slot before the first border; slot i + 1 of the account starts at border i. */
  readonly firstSlot: number;
}

export interface WindowSlots {
  readonly byAccount: ReadonlyMap<string, AccountSlots>;
  /** Slots are below this; 0 is for the events of all other accounts. */
  readonly count: number;
}

/** However many windows overlap, an event is in one slot and is read once. */
export function cutIntoSlots(windows: readonly TimeWindow[]): WindowSlots {
  const borders = new Map<string, Set<number>>();
  for (const { accountKey, fromMs, toMs } of windows) {
    if (accountKey === '') continue;
    const known = borders.get(accountKey) ?? new Set();
    known.add(fromMs).add(toMs);
    borders.set(accountKey, known);
  }
  const byAccount = new Map<string, AccountSlots>();
  let count = 1;
  for (const [accountKey, times] of borders) {
    byAccount.set(accountKey, { borders: Float64Array.from(times).sort(), firstSlot: count });
    count += times.size + 1;
  }
  return { byAccount, count };
}

export function slotsOf({ byAccount }: WindowSlots, { accountKey, fromMs, toMs }: TimeWindow): number[] {
  const account = byAccount.get(accountKey);
  if (account === undefined) return [];
  const first = account.firstSlot + account.borders.indexOf(fromMs) + 1;
  const end = account.firstSlot + account.borders.indexOf(toMs) + 1;
  return Array.from({ length: end - first }, (_, index) => first + index);
}

/** @param name identifies these slots */
export function slotDimension(name: string, { byAccount, count }: WindowSlots, keyOf: AccountKeys): Dimension {
  return {
    key: `window slots:${name}`,
    columns: ['timestamp_ms', ...IDENTITY_COLUMNS],
    codes(rows): DimensionCodes {
      const tuples = rows.codes(IDENTITY_COLUMNS);
      const slots = slotsOfTuples(tuples, byAccount, keyOf);
      const codes = rows.workspace.words('window slots', rows.chunk.rowCount);
      fillCodes(codes, rows, tuples.codes, slots);
      return { count, codes, valueOf: (code) => [code], nameOf: String };
    },
  };
}

function slotsOfTuples(
  { count, symbols, nameOf }: RowCodes,
  byAccount: WindowSlots['byAccount'],
  keyOf: AccountKeys,
): (AccountSlots | null)[] {
  return Array.from({ length: count }, (_, code) => {
    const key = keyOf(
      symbols.map((column) => column[code] ?? 0),
      nameOf(code),
    );
    return byAccount.get(key) ?? null;
  });
}

function fillCodes(
  codes: Uint32Array,
  rows: SelectedRows,
  tuples: Uint32Array,
  slots: readonly (AccountSlots | null)[],
): void {
  const times = rows.numbers('timestamp_ms');
  for (let index = 0; index < rows.count; index++) {
    const account = slots[tuples[index] ?? 0] ?? null;
    codes[index] = account === null ? 0 : account.firstSlot + bordersUpTo(account.borders, times[index] ?? 0);
  }
}

function bordersUpTo(borders: Float64Array, time: number): number {
  let low = 0;
  let high = borders.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((borders[middle] ?? 0) <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
