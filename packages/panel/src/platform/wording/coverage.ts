import type { Coverage } from '@manager/core/contract/monitoring/sections';
import type { TextKey } from '../i18n/index.ts';

interface CoverageCounts {
  readonly deleted: number;
  /** Deleted and remaining. */
  readonly all: number;
}

export interface CoverageView {
  /** Rows up to here are deleted, ms; null = none of the range itself. */
  readonly untilMs: number | null;
  readonly current: CoverageCounts | null;
  /** Null = no comparison, or nothing of it is deleted. */
  readonly compared: CoverageCounts | null;
  /** No request of the range can be opened. */
  readonly nothingLeft: boolean;
  /** Parts that lack the deleted requests. */
  readonly incomplete: readonly TextKey[];
  /** Parts computed from kept facts. */
  readonly exact: readonly TextKey[];
  /** Limitations of a later server, as they arrive. */
  readonly unknown: readonly string[];
}

const INCOMPLETE: Readonly<Record<string, TextKey>> = { event_details: 'coverage.eventDetails' };

const EXACT: Readonly<Record<string, TextKey>> = {
  core_metrics: 'coverage.core',
  extended_summary_metrics: 'coverage.extended',
  timeline_metrics: 'coverage.timeline',
  timeline_latency_percentiles: 'coverage.percentiles',
  distribution_metrics: 'coverage.distributions',
  failure_metrics: 'coverage.failures',
  credential_metrics: 'coverage.credentials',
  identity_metrics: 'coverage.identities',
  filter_options: 'coverage.filters',
  summary_comparison: 'coverage.comparison',
  rolling_window_metrics: 'coverage.rolling',
};

const counts = (deleted: number | undefined, left: number | undefined): CoverageCounts | null =>
  deleted === undefined || deleted === 0 ? null : { deleted, all: deleted + (left ?? 0) };

/** Which parts of an answer depend on requests whose rows were archived and deleted. */
export function coverageView(coverage: Coverage): CoverageView {
  const limits = coverage.fidelity_limitations.map((code) => ({
    code,
    name: code.replace(/_requires?_raw_events$/, ''),
  }));
  const current = counts(coverage.raw_deleted_event_count, coverage.raw_event_count);
  return {
    untilMs: current === null ? null : coverage.max_deleted_timestamp_ms,
    current,
    compared: counts(coverage.comparison_raw_deleted_event_count, coverage.comparison_raw_event_count),
    nothingLeft: current !== null && (coverage.raw_event_count ?? 0) === 0,
    incomplete: limits.flatMap(({ name }) => INCOMPLETE[name] ?? []),
    exact: limits.flatMap(({ name }) => EXACT[name] ?? []),
    unknown: limits.flatMap(({ code, name }) => (name in INCOMPLETE || name in EXACT ? [] : [code])),
  };
}
