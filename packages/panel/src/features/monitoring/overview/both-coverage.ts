import type { Coverage } from '@manager/core/contract/monitoring/sections';

/** Combines the coverage of two answers about two ranges. */
export function bothCoverage(own: Coverage | undefined, compared: Coverage | undefined): Coverage | undefined {
  if (compared === undefined) return own;
  const base: Coverage = own ?? {
    ...compared,
    mode: 'mixed',
    raw_event_count: 0,
    raw_deleted_event_count: 0,
    min_deleted_timestamp_ms: 0,
    max_deleted_timestamp_ms: 0,
    fidelity_limitations: [],
  };
  return {
    ...base,
    comparison_raw_event_count: compared.raw_event_count ?? 0,
    comparison_raw_deleted_event_count: compared.raw_deleted_event_count,
    comparison_min_deleted_timestamp_ms: compared.min_deleted_timestamp_ms,
    comparison_max_deleted_timestamp_ms: compared.max_deleted_timestamp_ms,
    fidelity_limitations: [...new Set([...base.fidelity_limitations, ...compared.fidelity_limitations])],
  };
}
