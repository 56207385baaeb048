import { describe, expect, test } from 'bun:test';
import { sealTail } from '../../facts/seal.ts';
import type { Site } from './testing/site.ts';
import { answerTo, deleteRawEvents, openVectorSite, STORAGE_STATES, vectorDifferences } from './testing/vector-site.ts';
import { VECTOR_CASES } from './testing/vectors.ts';

const cases = VECTOR_CASES.filter(({ id }) => id.startsWith('cov-'));
/** Sections that are read from raw events; all others must not change with the deletion. */
const RAW = new Set(['events', 'recent_failures', 'drilldown_preview', 'coverage', 'generated_at_ms']);
const [anyState] = STORAGE_STATES;

function sums(answer: object): object {
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !RAW.has(name)));
}

for (const state of STORAGE_STATES) {
  describe(`after a deletion, ${state.name}`, () => {
    for (const vector of cases) {
      test(vector.id, async () => {
        const site = openVectorSite('main', state);
        const before = await answerTo(site, vector.request);
        expect(before).not.toHaveProperty('coverage');
        deleteRawEvents(site.database.db, vector.archived_before_ms ?? 0);
        expect(await vectorDifferences(site, vector)).toEqual([]);
        const after = await answerTo(site, vector.request);
        for (const name of vector.absent_in_coverage ?? []) expect(after.coverage).not.toHaveProperty(name);
        if (vector.expect.coverage !== undefined) expect(after.coverage).toEqual(vector.expect.coverage as never);
        expect(sums(after)).toEqual(sums(before));
        await site.dispose();
      });
    }
  });
}

describe('coverage', () => {
  const day = { from_ms: 1_773_100_800_000, to_ms: 1_773_187_200_000, now_ms: 1_773_169_200_000 };
  const cutMs = 1_773_108_000_000;

  async function withSite(run: (site: Site) => Promise<void>): Promise<void> {
    if (anyState === undefined) throw new Error('no storage state');
    const site = openVectorSite('main', anyState);
    await run(site);
    await site.dispose();
  }

  test('follows every deletion, also one after the segment was sealed and counted', async () => {
    await withSite(async (site) => {
      const request = { ...day, include: { summary: true, summary_profile: 'compact' } };
      sealTail({ db: site.database.db, now: Date.now }, 10);
      const counts: unknown[] = [];
      for (const beforeMs of [1_773_101_100_001, 1_773_101_100_001, cutMs, day.to_ms]) {
        deleteRawEvents(site.database.db, beforeMs);
        const { coverage, summary } = await answerTo(site, request);
        counts.push([coverage?.raw_event_count, coverage?.raw_deleted_event_count, coverage?.mode]);
        expect(summary?.total_calls).toBe(12);
      }
      expect(counts).toEqual([
        [11, 1, 'mixed'],
        [11, 1, 'mixed'],
        [7, 5, 'mixed'],
        [undefined, 12, 'aggregate_only'],
      ]);
    });
  });

  test('is missing in a request without sections', async () => {
    await withSite(async (site) => {
      deleteRawEvents(site.database.db, cutMs);
      expect(await answerTo(site, day)).not.toHaveProperty('coverage');
    });
  });

  test('lists the limitations of each section, in the order of the contract', async () => {
    await withSite(async (site) => {
      deleteRawEvents(site.database.db, cutMs);
      const limits = async (include: object) =>
        (await answerTo(site, { ...day, include })).coverage?.fidelity_limitations;
      expect(await limits({ model_share: true, account_stats: true, filter_selectors: true })).toEqual([]);
      expect(await limits({ anomaly_points: true, task_buckets: true })).toEqual([
        'timeline_latency_percentiles_require_raw_events',
        'distribution_metrics_require_raw_events',
      ]);
      expect(
        await limits({ summary: true, summary_profile: 'compact', summary_percentiles: true, recent_failures: 1 }),
      ).toEqual(['extended_summary_metrics_require_raw_events', 'failure_metrics_require_raw_events']);
      // Without a key filter there is no timeline of keys.
      expect(await limits({ api_key_timeline: true, model_stats: true })).toEqual([]);
    });
  });

  test('a preview of a deleted range is limited, whatever the range of the request', async () => {
    await withSite(async (site) => {
      deleteRawEvents(site.database.db, cutMs);
      const preview = { from_ms: day.from_ms, to_ms: day.from_ms + 3_600_000, limit: 5 };
      const include = { drilldown_preview: preview, account_stats: true };
      const { coverage } = await answerTo(site, { ...day, from_ms: cutMs, include });
      expect(coverage).toMatchObject({
        scope: 'requested_ranges',
        core_aggregate_used: false,
        raw_deleted_event_count: 0,
        min_deleted_timestamp_ms: 0,
        auxiliary_ranges: [
          {
            scope: 'drilldown_preview',
            from_ms: preview.from_ms,
            to_ms: preview.to_ms,
            raw_deleted_event_count: expect.any(Number),
            min_deleted_timestamp_ms: expect.any(Number),
          },
        ],
        fidelity_limitations: ['event_details_require_raw_events'],
      });
      const both = { ...include, events_page: {} };
      const once = (await answerTo(site, { ...day, include: both })).coverage?.fidelity_limitations;
      expect(once).toEqual(['event_details_require_raw_events']);
    });
  });
});
