import type { Coverage } from '@manager/core/contract/monitoring/sections';
import { type RawCoverage, rawCoverageSection } from '../kernels/raw-coverage.ts';
import type { FactSnapshot } from '../reader.ts';
import { createScan } from '../scan.ts';

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}
type AuxiliaryRange = NonNullable<Coverage['auxiliary_ranges']>[number];

/** A second range next to the one of the request. */
export interface Auxiliary extends Range {
  readonly scope: AuxiliaryRange['scope'];
  readonly counts: RawCoverage;
}

/** Everything that an answer read. */
export interface Evaluated {
  readonly current: RawCoverage;
  /** `null` = no comparison. */
  readonly comparison: RawCoverage | null;
  readonly auxiliary: readonly Auxiliary[];
  /** Totals come from data that outlives raw events. */
  readonly usesSums: boolean;
  /** In the order of the contract; called only where events were deleted. */
  readonly limitations: () => readonly string[];
}

/** Events of a range, ignoring filters and search, by whether their raw event still exists. */
export function countRaw(snapshot: FactSnapshot, { fromMs, toMs }: Range, checkStopped: () => void): RawCoverage {
  const everything = { fromMs, toMs, filters: null, search: { query: '', apiKeyHash: '' } };
  const scan = createScan(snapshot, everything, checkStopped);
  const counts = scan.add(rawCoverageSection(snapshot.rawDeletions));
  scan.run();
  return counts();
}

/** Null where no event was deleted in any range. */
export function coverageOf({ current, comparison, auxiliary, usesSums, limitations }: Evaluated): Coverage | null {
  const evaluated = [current, ...(comparison === null ? [] : [comparison]), ...auxiliary.map(({ counts }) => counts)];
  if (evaluated.every(({ deleted }) => deleted === 0)) return null;
  return {
    scope: auxiliary.length > 0 ? 'requested_ranges' : 'time_range',
    mode: evaluated.some(({ live }) => live > 0) ? 'mixed' : 'aggregate_only',
    raw_complete: false,
    core_aggregate_used: usesSums,
    ...countMember('raw_event_count', current.live),
    raw_deleted_event_count: current.deleted,
    min_deleted_timestamp_ms: current.deleted > 0 ? current.minDeletedMs : 0,
    max_deleted_timestamp_ms: current.deleted > 0 ? current.maxDeletedMs : 0,
    ...(comparison === null ? {} : comparisonMembers(comparison)),
    ...(auxiliary.length === 0 ? {} : { auxiliary_ranges: auxiliary.map(auxiliaryMember) }),
    fidelity_limitations: [...limitations()],
  };
}

function comparisonMembers({ live, deleted, minDeletedMs, maxDeletedMs }: RawCoverage) {
  return {
    ...countMember('comparison_raw_event_count', live),
    ...countMember('comparison_raw_deleted_event_count', deleted),
    ...(deleted > 0
      ? { comparison_min_deleted_timestamp_ms: minDeletedMs, comparison_max_deleted_timestamp_ms: maxDeletedMs }
      : {}),
  };
}

function auxiliaryMember({ scope, fromMs, toMs, counts }: Auxiliary): AuxiliaryRange {
  const { live, deleted, minDeletedMs, maxDeletedMs } = counts;
  return {
    scope,
    from_ms: fromMs,
    to_ms: toMs,
    ...countMember('raw_event_count', live),
    raw_deleted_event_count: deleted,
    ...(deleted > 0 ? { min_deleted_timestamp_ms: minDeletedMs, max_deleted_timestamp_ms: maxDeletedMs } : {}),
  };
}

function countMember<Name extends string>(name: Name, count: number): { readonly [Key in Name]?: number } {
  return count === 0 ? {} : ({ [name]: count } as { readonly [Key in Name]: number });
}
