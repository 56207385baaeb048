import type { Contributor, HeatmapCell, HourlyDistribution } from '@manager/core/contract/monitoring/sections';
import { trimText } from '@manager/core/json/text';
import { createZone } from '@manager/core/time/zones';
import { hourDimension, weekHourDimension, weekHourOf } from '../../../../facts/answers/local-time.ts';
import { byBytes } from '../../../../facts/answers/sort.ts';
import type { FactColumn } from '../../../../facts/columns.ts';
import {
  ACTIVITY,
  ACTIVITY_SLOTS,
  type ActivityState,
  activityCost,
  activitySection,
  addActivity,
} from '../../../../facts/kernels/activity.ts';
import { symbolDimension } from '../../../../facts/kernels/dimensions.ts';
import { ratio, unpricedMember } from '../../../../facts/ratios.ts';
import type { AnalyticsPlan } from '../plan.ts';

/** Hours of a week. */
const CELLS = 7 * 24;
const MAX_CONTRIBUTORS = 5;
const UNKNOWN = 'Unknown';

const PROVIDER_COLUMNS = ['auth_provider_snapshot', 'provider'] as const satisfies readonly FactColumn[];

/** @returns the local hours of the day with an event */
export function planHourlyDistribution({ range, query, pricer }: AnalyticsPlan): () => HourlyDistribution[] {
  const state = range.add(activitySection([hourDimension(createZone(query.timeZone))], pricer));
  return () => {
    const { groups, sums } = state();
    return Array.from({ length: groups.count() }, (_, group) => ({
      hour: groups.valuesOf(group)[0]?.[0] ?? 0,
      calls: sums[group * ACTIVITY_SLOTS + ACTIVITY.calls] ?? 0,
      tokens: sums[group * ACTIVITY_SLOTS + ACTIVITY.tokens] ?? 0,
    })).sort((left, right) => left.hour - right.hour);
  };
}

/** @returns the local hours of the week with an event, each with its top contributors */
export function planHeatmap(plan: AnalyticsPlan): () => HeatmapCell[] {
  const { range, query, pricer, snapshot } = plan;
  const { text } = snapshot.symbols;
  const hours = weekHourDimension(createZone(query.timeZone));
  const by = (columns: readonly FactColumn[]) => range.add(activitySection([hours, symbolDimension(columns)], pricer));
  const models = by(['analytics_model']);
  const keys = by(['api_key_hash']);
  const providers = by(PROVIDER_COLUMNS);
  return () => {
    const byModel = cellsOf(models(), ([model = 0]) => nameOr(text(model), UNKNOWN));
    const byKey = cellsOf(keys(), ([key = 0]) => nameOr(text(key), null));
    const byProvider = cellsOf(providers(), ([snapshotId = 0, id = 0]) => nameOr(text(snapshotId || id), UNKNOWN));
    const cells: HeatmapCell[] = [];
    for (let cell = 0; cell < CELLS; cell++) {
      const calls = byModel.totals[cell * ACTIVITY_SLOTS] ?? 0;
      if (calls === 0) continue;
      cells.push({
        ...weekHourOf(cell),
        ...activityMembers(byModel.totals, cell * ACTIVITY_SLOTS),
        ...contributors('model_contributors', byModel, cell),
        ...contributors('api_key_contributors', byKey, cell),
        ...contributors('provider_contributors', byProvider, cell),
      });
    }
    return cells;
  };
}

/** A grouping of the cells by name. An entry is one name in one cell. */
interface Cells {
  /** Per cell, over all names. */
  readonly totals: Float64Array;
  readonly names: readonly string[];
  readonly sums: Float64Array;
  /** Entries of each cell. */
  readonly entries: readonly (readonly number[])[];
}

/** @param nameOf null = not a contributor */
function cellsOf({ groups, sums }: ActivityState, nameOf: (symbols: readonly number[]) => string | null): Cells {
  const memberNames = groups.valuesIn(1).map(nameOf);
  const cellAt = groups.valuesIn(0).map(([cell = 0]) => cell);
  const cellOf = groups.membersOf(0);
  const memberOf = groups.membersOf(1);
  const totals = new Float64Array(CELLS * ACTIVITY_SLOTS);
  const names: string[] = [];
  const byName = new Float64Array(groups.count() * ACTIVITY_SLOTS);
  const entries = Array.from({ length: CELLS }, (): number[] => []);
  // Different symbols can have one name.
  const known = Array.from({ length: CELLS }, () => new Map<string, number>());
  for (let group = 0; group < groups.count(); group++) {
    const cell = cellAt[cellOf[group] ?? 0] ?? 0;
    addActivity(totals, cell * ACTIVITY_SLOTS, sums, group * ACTIVITY_SLOTS);
    const name = memberNames[memberOf[group] ?? 0] ?? null;
    if (name === null) continue;
    let entry = known[cell]?.get(name);
    if (entry === undefined) {
      entry = names.length;
      names.push(name);
      known[cell]?.set(name, entry);
      entries[cell]?.push(entry);
    }
    addActivity(byName, entry * ACTIVITY_SLOTS, sums, group * ACTIVITY_SLOTS);
  }
  return { totals, names, sums: byName, entries };
}

function contributors<Name extends string>(member: Name, cells: Cells, cell: number) {
  const cellCalls = cells.totals[cell * ACTIVITY_SLOTS + ACTIVITY.calls] ?? 0;
  const rows = largestOf(cells, cell).map((entry): Contributor => {
    const name = cells.names[entry] ?? '';
    const members = activityMembers(cells.sums, entry * ACTIVITY_SLOTS);
    return { key: name, label: name, ...members, share: ratio(members.calls, cellCalls) };
  });
  return rows.length === 0 ? {} : ({ [member]: rows } as { readonly [Key in Name]?: Contributor[] });
}

/** The first entries of a cell: requests, then cost, both descending, then name. */
function largestOf(cells: Cells, cell: number): number[] {
  const largest: number[] = [];
  for (const entry of cells.entries[cell] ?? []) {
    const last = largest[MAX_CONTRIBUTORS - 1];
    if (last !== undefined && compare(cells, last, entry) < 0) continue;
    largest.push(entry);
    largest.sort((left, right) => compare(cells, left, right));
    largest.length = Math.min(largest.length, MAX_CONTRIBUTORS);
  }
  return largest;
}

function compare({ names, sums }: Cells, left: number, right: number): number {
  const leftAt = left * ACTIVITY_SLOTS;
  const rightAt = right * ACTIVITY_SLOTS;
  return (
    (sums[rightAt] ?? 0) - (sums[leftAt] ?? 0) ||
    activityCost(sums, rightAt) - activityCost(sums, leftAt) ||
    byBytes(names[left] ?? '', names[right] ?? '')
  );
}

function activityMembers(sums: Float64Array, at: number) {
  const calls = sums[at + ACTIVITY.calls] ?? 0;
  const failure = sums[at + ACTIVITY.failures] ?? 0;
  return {
    calls,
    success: calls - failure,
    failure,
    tokens: sums[at + ACTIVITY.tokens] ?? 0,
    cost: activityCost(sums, at),
    ...unpricedMember({ unpricedCalls: sums[at + ACTIVITY.unpriced] ?? 0 }),
    failure_rate: ratio(failure, calls),
  };
}

function nameOr<Fallback>(name: string, fallback: Fallback): string | Fallback {
  return trimText(name) === '' ? fallback : name;
}
