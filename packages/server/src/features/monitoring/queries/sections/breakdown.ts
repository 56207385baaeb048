import type {
  Breakdown,
  BreakdownDay,
  BreakdownMeasure,
  BreakdownOthers,
  BreakdownPart,
  BreakdownSums,
} from '@manager/core/contract/monitoring/breakdown';
import { byBytes } from '../../../../facts/answers/sort.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import {
  addTotals,
  foldTable,
  type Totals,
  type TotalsState,
  type TotalsTable,
  totalsSection,
} from '../../../../facts/kernels/totals.ts';
import { costMember, tokenMembers } from '../../../../facts/ratios.ts';
import type { SymbolTable } from '../../../../facts/symbols.ts';
import type { BreakdownQuery } from '../../request.ts';
import { LEVELS, type Level, type NumberedLevel, namesOfLevel, numberLevel } from '../fold/levels.ts';
import { joined, membersOf, membersOfRows, numberPairs, split } from '../fold/numbering.ts';
import type { AnalyticsPlan } from '../plan.ts';
import { planBreakdownDays } from './breakdown-days.ts';

/** Sums of each entry in the range, and in the one compared with. */
interface Sides {
  readonly now: TotalsTable;
  readonly before: TotalsTable | null;
}

/** What a list of entries is written from. */
interface Entries {
  readonly sides: Sides;
  readonly idOf: (entry: number) => string;
  readonly namesOf: (entry: number) => Partial<BreakdownPart>;
  readonly order: BreakdownMeasure;
  readonly limit: number;
}

/** Rows by one dimension and their parts by another, both with the sums of a second range. */
export function planBreakdown(plan: AnalyticsPlan, query: BreakdownQuery): () => Breakdown {
  const { by, parts, compare } = query;
  const kinds = parts === null ? [by] : [by, parts];
  const section = totalsSection(
    kinds.map((kind) => symbolDimension(LEVELS[kind].columns)),
    plan.pricer,
  );
  const now = plan.range.add(section);
  const before = compare === null ? null : plan.over(compare.fromMs, compare.toMs).add(section);
  const readDays = query.days ? planBreakdownDays(plan, by) : null;
  return () => breakdownOf(before === null ? [now()] : [now(), before()], query, plan, readDays?.() ?? null);
}

function breakdownOf(
  states: readonly TotalsState[],
  query: BreakdownQuery,
  plan: AnalyticsPlan,
  daysOf: ((id: string) => BreakdownDay[]) | null,
): Breakdown {
  const { by, parts, compare, order, limit } = query;
  const { symbols } = plan.snapshot;
  const level = numberLevel(states, 0, LEVELS[by], symbols);
  const { ids, numbers } = level;
  const entries: Entries = {
    sides: sidesOf(states, numbers, ids.length),
    idOf: (row) => ids[row] ?? '',
    namesOf: namesOfLevel(states, 0, LEVELS[by], level, symbols),
    order,
    limit,
  };
  const { kept, others } = cut(
    Uint32Array.from(ids, (_, row) => row),
    entries,
  );
  const partsOf = parts === null ? () => ({}) : partsReader(states, level, query, LEVELS[parts], symbols);
  const whole = states.map(({ groups }) => new Uint32Array(groups.count()));
  return {
    ...(compare === null ? {} : { compare_from_ms: compare.fromMs, compare_to_ms: compare.toMs }),
    total: compared(sidesOf(states, whole, 1), 0),
    rows: kept.map((row) => ({
      ...entryOf(entries, row),
      ...(daysOf === null ? {} : { days: daysOf(entries.idOf(row)) }),
      ...partsOf(row),
    })),
    ...(others === null ? {} : { others }),
  };
}

function partsReader(
  states: readonly TotalsState[],
  rows: NumberedLevel,
  { order, partsLimit }: BreakdownQuery,
  level: Level,
  symbols: SymbolTable,
): (row: number) => { readonly parts: BreakdownPart[]; readonly parts_others?: BreakdownOthers } {
  const parts = numberLevel(states, 1, level, symbols);
  const pairs = numberPairs(joined(rows.numbers), joined(parts.numbers));
  const partNames = namesOfLevel(states, 1, level, parts, symbols);
  const partOf = (pair: number) => pairs.right[pair] ?? 0;
  const entries: Entries = {
    sides: sidesOf(states, split(pairs.numbers, rows.numbers), pairs.count),
    idOf: (pair) => parts.ids[partOf(pair)] ?? '',
    namesOf: (pair) => partNames(partOf(pair)),
    order,
    limit: partsLimit,
  };
  const ofRows = membersOfRows(pairs.left, rows.ids.length);
  return (row) => {
    const { kept, others } = cut(membersOf(ofRows, row), entries);
    return {
      parts: kept.map((pair) => entryOf(entries, pair)),
      ...(others === null ? {} : { parts_others: others }),
    };
  };
}

function sidesOf(states: readonly TotalsState[], rowOf: readonly Uint32Array[], rowCount: number): Sides {
  const [now, before = null] = states.map((state, index) =>
    foldTable(state, rowOf[index] ?? new Uint32Array(0), rowCount),
  );
  if (now === undefined) throw new Error('a breakdown without a range');
  return { now, before };
}

/** The first entries in their order, and the others added up. */
function cut(
  indices: Uint32Array,
  entries: Entries,
): { readonly kept: readonly number[]; readonly others: BreakdownOthers | null } {
  const sorted = largestFirst(indices, entries);
  const rest = sorted.slice(entries.limit);
  if (rest.length === 0) return { kept: sorted, others: null };
  const { now, before } = entries.sides;
  const summed = ({ at }: TotalsTable) => addTotals(rest.map(at));
  return {
    kept: sorted.slice(0, entries.limit),
    others: { count: rest.length, ...comparedTotals(summed(now), before === null ? null : summed(before)) },
  };
}

/** By the larger of both ranges, so that what has stopped is not left out. */
function largestFirst(indices: Uint32Array, { sides: { now, before }, idOf, order }: Entries): number[] {
  const sizeIn = (table: TotalsTable, entry: number): number => {
    if (order === 'calls') return table.calls(entry);
    return order === 'cost' ? table.cost(entry) : table.at(entry).totalTokens;
  };
  return Array.from(indices, (entry) => ({
    entry,
    size: Math.max(sizeIn(now, entry), before === null ? 0 : sizeIn(before, entry)),
    calls: Math.max(now.calls(entry), before?.calls(entry) ?? 0),
  }))
    .sort(
      (left, right) =>
        right.size - left.size || right.calls - left.calls || byBytes(idOf(left.entry), idOf(right.entry)),
    )
    .map(({ entry }) => entry);
}

function entryOf({ sides, idOf, namesOf }: Entries, entry: number): BreakdownPart {
  return { id: idOf(entry), ...namesOf(entry), ...compared(sides, entry) };
}

function compared({ now, before }: Sides, entry: number) {
  return comparedTotals(now.at(entry), before === null ? null : before.at(entry));
}

function comparedTotals(now: Totals, before: Totals | null) {
  return { ...sumsOf(now), ...(before === null || before.calls === 0 ? {} : { before: sumsOf(before) }) };
}

function sumsOf(totals: Totals): BreakdownSums {
  return {
    calls: totals.calls,
    failure_calls: totals.failures,
    ...tokenMembers(totals),
    reasoning_tokens: totals.reasoningTokens,
    total_tokens: totals.totalTokens,
    ...costMember(totals),
  };
}
