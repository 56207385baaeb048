import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Site } from './testing/site.ts';
import { openVectorSite, STORAGE_STATES, vectorDifferences } from './testing/vector-site.ts';
import { type EventSet, VECTOR_CASES } from './testing/vectors.ts';

// Totals over time: every vector with them, in every storage state.

const SECTIONS = new Set([
  'summary',
  'summary_profile',
  'summary_percentiles',
  'summary_comparison',
  'timeline',
  'anomaly_points',
  'hourly_distribution',
  'heatmap',
  'model_share',
  'model_stats',
  'granularity',
  'events_page',
]);
const SETS: readonly EventSet[] = ['main', 'dst', 'p95'];

const cases = VECTOR_CASES.filter(
  ({ op, request, archived_before_ms }) =>
    op === 'analytics' &&
    archived_before_ms === undefined &&
    Object.keys(request.include ?? {}).every((name) => SECTIONS.has(name)),
);

for (const state of STORAGE_STATES) {
  for (const set of SETS) {
    describe(`vectors of the events "${set}", ${state.name}`, () => {
      let site: Site;
      beforeAll(() => {
        site = openVectorSite(set, state);
      });
      afterAll(() => site.dispose());

      for (const vector of cases.filter(({ events }) => events === set)) {
        test(vector.id, async () => {
          expect(await vectorDifferences(site, vector)).toEqual([]);
          // Again, from the cached sealed part.
          expect(await vectorDifferences(site, vector)).toEqual([]);
        });
      }
    });
  }
}
