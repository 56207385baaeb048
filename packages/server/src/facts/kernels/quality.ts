import { FactFlag } from '../columns.ts';
import type { Section } from '../section.ts';

/** The quality of the data behind a total. */
export interface Quality {
  /** Events with an inconsistent token breakdown. */
  inconsistentCalls: number;
  unclassifiedTokens: number;
  /** Events with an implausible time. */
  implausibleTimeCalls: number;
}

const NOTED = FactFlag.inconsistent | FactFlag.implausibleTime;

export function qualitySection(): Section<Quality> {
  return {
    key: 'quality',
    columns: ['flags', 'unclassified_tokens'],
    create: () => ({ inconsistentCalls: 0, unclassifiedTokens: 0, implausibleTimeCalls: 0 }),
    add(state, rows) {
      addFlags(state, rows.numbers('flags'), rows.count);
      state.unclassifiedTokens += sumOf(rows.numbers('unclassified_tokens'), rows.count);
    },
    sums: {
      grouping: 'identities',
      add(state, rows) {
        state.inconsistentCalls += sumOf(rows.sums('inconsistent_calls'), rows.count);
        state.implausibleTimeCalls += sumOf(rows.sums('implausible_calls'), rows.count);
        state.unclassifiedTokens += sumOf(rows.numbers('unclassified_tokens'), rows.count);
        return true;
      },
    },
    exchange: {
      pack: (state) => state,
      merge(state, packed: Quality) {
        state.inconsistentCalls += packed.inconsistentCalls;
        state.unclassifiedTokens += packed.unclassifiedTokens;
        state.implausibleTimeCalls += packed.implausibleTimeCalls;
      },
    },
    clone: (state) => ({ ...state }),
    bytes: () => 64,
  };
}

function addFlags(state: Quality, flags: Float64Array, count: number): void {
  let inconsistent = 0;
  let implausible = 0;
  for (let index = 0; index < count; index++) {
    const noted = (flags[index] ?? 0) & NOTED;
    if (noted === 0) continue;
    if ((noted & FactFlag.inconsistent) !== 0) inconsistent++;
    if ((noted & FactFlag.implausibleTime) !== 0) implausible++;
  }
  state.inconsistentCalls += inconsistent;
  state.implausibleTimeCalls += implausible;
}

function sumOf(values: Float64Array, count: number): number {
  let sum = 0;
  for (let index = 0; index < count; index++) sum += values[index] ?? 0;
  return sum;
}
