import { describe, expect, test } from 'bun:test';
import type { Coverage } from '@manager/core/contract/monitoring/sections';
import { coverageView } from './coverage.ts';

const base: Coverage = {
  scope: 'time_range',
  mode: 'mixed',
  raw_complete: false,
  core_aggregate_used: true,
  raw_event_count: 7,
  raw_deleted_event_count: 5,
  min_deleted_timestamp_ms: 1_000,
  max_deleted_timestamp_ms: 2_000,
  fidelity_limitations: [],
};

describe('archived history in a range', () => {
  test('is counted for the range and what it is compared with', () => {
    const view = coverageView({ ...base, comparison_raw_deleted_event_count: 2 });
    expect(view).toMatchObject({
      untilMs: 2_000,
      current: { deleted: 5, all: 12 },
      compared: { deleted: 2, all: 2 },
      nothingLeft: false,
    });
  });

  test('may touch the comparison alone', () => {
    const view = coverageView({
      ...base,
      raw_deleted_event_count: 0,
      min_deleted_timestamp_ms: 0,
      max_deleted_timestamp_ms: 0,
      comparison_raw_event_count: 1,
      comparison_raw_deleted_event_count: 7,
    });
    expect(view).toMatchObject({ untilMs: null, current: null, compared: { deleted: 7, all: 8 }, nothingLeft: false });
  });

  test('may be all there is', () => {
    const { raw_event_count: _, ...gone } = base;
    expect(coverageView({ ...gone, mode: 'aggregate_only' }).nothingLeft).toBe(true);
  });

  test('leaves out single requests, and nothing else that is known', () => {
    const view = coverageView({
      ...base,
      fidelity_limitations: [
        'extended_summary_metrics_require_raw_events',
        'timeline_latency_percentiles_require_raw_events',
        'event_details_require_raw_events',
        'summary_comparison_requires_raw_events',
        'tool_metrics_require_raw_events',
        'something else',
      ],
    });
    expect(view.incomplete).toEqual(['coverage.eventDetails']);
    expect(view.exact).toEqual(['coverage.extended', 'coverage.percentiles', 'coverage.comparison']);
    expect(view.unknown).toEqual(['tool_metrics_require_raw_events', 'something else']);
  });
});
