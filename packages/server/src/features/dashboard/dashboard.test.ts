import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DASHBOARD_PATH } from '@manager/core/contract/constants';
import { dashboardResponseSchema } from '@manager/core/contract/dashboard';
import type { UsageEvent } from '@manager/core/usage/event';
import { FactFlag } from '../../facts/columns.ts';
import { sealTail } from '../../facts/seal.ts';
import { type TestDatabase, testEvent } from '../../facts/testing/test-database.ts';
import type { AnalyticsClient } from '../../workers/analytics-client.ts';
import { get, openSite, type Site } from '../monitoring/testing/site.ts';
import { openVectorSite, STORAGE_STATES } from '../monitoring/testing/vector-site.ts';
import { differences, VECTOR_CASES, VECTOR_ERRORS, vectorEvents } from '../monitoring/testing/vectors.ts';
import { dashboardRoutes } from './routes.ts';

const SERVER_NOW_MS = 1_773_169_200_000;

const routesOf = (analytics: AnalyticsClient) => dashboardRoutes({ analytics, now: () => SERVER_NOW_MS });

function openDashboard(prepare: (database: TestDatabase) => void): Site {
  return openSite(routesOf, prepare);
}

async function dashboardOf(site: Site, parameters: Readonly<Record<string, unknown>>) {
  const answer = await get(site, DASHBOARD_PATH, parameters);
  expect(answer).toMatchObject({ status: 200 });
  return dashboardResponseSchema.parse(answer.body);
}

const VECTORS = VECTOR_CASES.filter(({ op }) => op === 'dashboard');

for (const state of STORAGE_STATES) {
  describe(`dashboard vectors, ${state.name}`, () => {
    let site: Site;
    beforeAll(() => {
      site = openVectorSite('main', state, routesOf);
    });
    afterAll(() => site.dispose());

    for (const vector of VECTORS) {
      test(vector.id, async () => {
        const answer = await dashboardOf(site, vector.request);
        expect(differences(answer, vector.expect)).toEqual([]);
        // Repeated, cached partial sums must give the same answer.
        expect({ ...(await dashboardOf(site, vector.request)), generated_at_ms: 0 }).toEqual({
          ...answer,
          generated_at_ms: 0,
        });
      });
    }
  });
}

describe('requests', () => {
  let site: Site;
  beforeAll(() => {
    site = openDashboard((database) => database.insert(vectorEvents('main')));
  });
  afterAll(() => site.dispose());

  for (const wrong of VECTOR_ERRORS.filter(({ op }) => op === 'dashboard')) {
    test(`${JSON.stringify(wrong.request)} is ${wrong.status}`, async () => {
      const answer = await get(site, DASHBOARD_PATH, wrong.request);
      expect(answer).toMatchObject({ status: wrong.status, body: { code: wrong.code } });
      if (wrong.error !== undefined) expect(answer.body).toMatchObject({ error: wrong.error });
    });
  }
});

describe('a day', () => {
  const START_MS = 1_773_100_800_000;
  const HOUR_MS = 3_600_000;
  const at = (id: number, timestampMs: number, members: Partial<UsageEvent> = {}) =>
    testEvent(id, { timestamp_ms: timestampMs, model: 'm', total_tokens: 10, ...members });

  async function withSite(prepare: (database: TestDatabase) => void, body: (site: Site) => Promise<void>) {
    const site = openDashboard(prepare);
    try {
      await body(site);
    } finally {
      await site.dispose();
    }
  }

  test('ends with the clock of the server when the client sends no end', () =>
    withSite(
      (database) => database.insert([at(1, SERVER_NOW_MS - 1), at(2, SERVER_NOW_MS)]),
      async (site) => {
        const { window, today } = await dashboardOf(site, { today_start_ms: START_MS });
        expect(window.now_ms).toBe(SERVER_NOW_MS);
        expect(today.total_calls).toBe(1);
      },
    ));

  test('of 25 hours counts the last one in today and in no slot', () =>
    withSite(
      (database) => database.insert([at(1, START_MS + 1), at(2, START_MS + 24 * HOUR_MS)]),
      async (site) => {
        const answer = await dashboardOf(site, { today_start_ms: START_MS, now_ms: START_MS + 25 * HOUR_MS });
        expect(answer.today.total_calls).toBe(2);
        expect(answer.today_request_health_timeline.total_calls).toBe(1);
        expect(answer.traffic_timeline.reduce((sum, slot) => sum + slot.calls, 0)).toBe(1);
        expect(answer.today_request_health_timeline.points.some((point) => point.future)).toBe(false);
      },
    ));

  test('counts the events before and after its complete hours', () =>
    withSite(
      (database) => {
        const hours = [-0.5, 0, 0.75, 1, 1.5, 2, 2.25, 2.5];
        database.insert(hours.map((hour, index) => at(index + 1, START_MS + hour * HOUR_MS)));
        sealTail({ db: database.db, now: Date.now }, 6);
      },
      async (site) => {
        const callsOf = async (from: number, to: number) => {
          const query = { today_start_ms: START_MS + from * HOUR_MS, now_ms: START_MS + to * HOUR_MS };
          const { today, top_models_today, traffic_timeline } = await dashboardOf(site, query);
          expect(top_models_today[0]?.calls).toBe(today.total_calls);
          return [today.total_calls, ...traffic_timeline.slice(0, 4).map(({ calls }) => calls)];
        };
        expect(await callsOf(0, 2)).toEqual([4, 2, 2, 0, 0]);
        expect(await callsOf(0, 2.5)).toEqual([6, 2, 2, 2, 0]);
        expect(await callsOf(-0.5, 2.25)).toEqual([6, 2, 2, 2, 0]);
        expect(await callsOf(0.5, 2.75)).toEqual([6, 2, 3, 1, 0]);
      },
    ));

  test('shows an event that arrives late', () =>
    withSite(
      (database) => {
        database.insert([at(1, START_MS + HOUR_MS), at(2, START_MS + 2 * HOUR_MS)]);
        sealTail({ db: database.db, now: Date.now }, 2);
      },
      async (site) => {
        const query = { today_start_ms: START_MS, now_ms: START_MS + 5 * HOUR_MS };
        expect((await dashboardOf(site, query)).today.total_calls).toBe(2);
        site.database.insert([at(3, START_MS, { failed: true })]);
        const answer = await dashboardOf(site, query);
        expect(answer.today.total_calls).toBe(3);
        expect(answer.today_request_health_timeline.points[0]?.tone).toBe('bad');
        expect(answer.recent_failures).toHaveLength(1);
      },
    ));

  test('leaves out events with implausible times, wherever they are stored', () =>
    withSite(
      (database) => {
        database.insert([at(1, START_MS), at(2, START_MS + 1, { failed: true }), at(3, START_MS + 2)]);
        database.db.run(`UPDATE facts_tail SET flags = flags | ${FactFlag.implausibleTime} WHERE event_id <= 2`);
        sealTail({ db: database.db, now: Date.now }, 1);
      },
      async (site) => {
        const answer = await dashboardOf(site, { today_start_ms: START_MS, now_ms: START_MS + HOUR_MS / 2 });
        expect(answer.today.total_calls).toBe(1);
        expect(answer.rolling_30m.total_calls).toBe(1);
        expect(answer.recent_failures).toEqual([]);
        const longer = await dashboardOf(site, { today_start_ms: START_MS, now_ms: START_MS + 2 * HOUR_MS });
        expect(longer.today.total_calls).toBe(1);
        expect(longer.traffic_timeline[0]?.calls).toBe(1);
      },
    ));

  test('keeps its sums when raw events are deleted; only the failure rows need them', () =>
    withSite(
      (database) => database.insert([at(1, START_MS, { failed: true }), at(2, START_MS + 1, { failed: true })]),
      async (site) => {
        const query = { today_start_ms: START_MS, now_ms: START_MS + HOUR_MS };
        const before = await dashboardOf(site, query);
        site.database.db.run('DELETE FROM usage_events WHERE id = 2');
        const after = await dashboardOf(site, query);
        expect(after.today).toEqual(before.today);
        expect(after.failure_sources).toEqual(before.failure_sources);
        expect(after.recent_failures).toEqual(before.recent_failures.slice(1));
      },
    ));

  test('shows how much of it comes from deleted raw events, if any', () =>
    withSite(
      (database) =>
        database.insert([
          at(1, START_MS - 10),
          at(2, START_MS - 5),
          at(3, START_MS + 1),
          at(4, START_MS + 2 * HOUR_MS),
        ]),
      async (site) => {
        const coverageAt = async (fromMs: number, toMs: number) =>
          (await dashboardOf(site, { today_start_ms: fromMs, now_ms: toMs })).coverage;
        expect(await coverageAt(START_MS, START_MS + HOUR_MS)).toBeUndefined();
        site.database.db.run('DELETE FROM usage_events WHERE id <= 3');
        const rolling = { scope: 'rolling_30m' as const, from_ms: START_MS + HOUR_MS / 2, to_ms: START_MS + HOUR_MS };
        expect(await coverageAt(START_MS, START_MS + HOUR_MS)).toEqual({
          scope: 'requested_ranges',
          mode: 'aggregate_only',
          raw_complete: false,
          core_aggregate_used: true,
          raw_deleted_event_count: 1,
          min_deleted_timestamp_ms: START_MS + 1,
          max_deleted_timestamp_ms: START_MS + 1,
          auxiliary_ranges: [{ ...rolling, raw_deleted_event_count: 0 }],
          fidelity_limitations: ['failure_metrics_require_raw_events'],
        });
        // The last half hour reaches into the previous day.
        expect(await coverageAt(START_MS + 2, START_MS + 100)).toMatchObject({
          raw_deleted_event_count: 0,
          min_deleted_timestamp_ms: 0,
          auxiliary_ranges: [{ raw_deleted_event_count: 3, min_deleted_timestamp_ms: START_MS - 10 }],
          fidelity_limitations: [],
        });
        expect(await coverageAt(START_MS, START_MS + 3 * HOUR_MS)).toMatchObject({ mode: 'mixed', raw_event_count: 1 });
        expect(await coverageAt(START_MS + HOUR_MS, START_MS + 3 * HOUR_MS)).toBeUndefined();
      },
    ));

  test('lists the gaps that overlap it, oldest first', () =>
    withSite(
      (database) => {
        const insert = database.db.query(
          'INSERT INTO collection_gaps (from_ms, to_ms, kind, estimated_lost) VALUES (?, ?, ?, ?)',
        );
        insert.run(START_MS - 10, START_MS, 'dropped', null);
        insert.run(START_MS + 50, null, 'away', null);
        insert.run(START_MS - 10, START_MS + 5, 'starved', 7);
        insert.run(START_MS, START_MS, 'answer_lost', null);
        insert.run(START_MS + HOUR_MS, START_MS + 2 * HOUR_MS, 'dropped', null);
      },
      async (site) => {
        const query = { today_start_ms: START_MS, now_ms: START_MS + HOUR_MS };
        expect((await dashboardOf(site, query)).gaps).toEqual([
          { from_ms: START_MS - 10, to_ms: START_MS + 5, kind: 'starved', estimated_lost: 7 },
          { from_ms: START_MS, to_ms: START_MS, kind: 'answer_lost', estimated_lost: null },
          { from_ms: START_MS + 50, to_ms: null, kind: 'away', estimated_lost: null },
        ]);
        const before = { today_start_ms: START_MS - HOUR_MS, now_ms: START_MS - HOUR_MS / 2 };
        expect(await dashboardOf(site, before)).not.toHaveProperty('gaps');
      },
    ));

  test('shows the newest 200 gaps', () =>
    withSite(
      (database) => {
        const insert = database.db.query(`INSERT INTO collection_gaps (from_ms, to_ms, kind) VALUES (?, ?, 'away')`);
        for (let gap = 0; gap < 250; gap++) insert.run(START_MS + gap, START_MS + gap + 1);
      },
      async (site) => {
        const { gaps } = await dashboardOf(site, { today_start_ms: START_MS, now_ms: START_MS + HOUR_MS });
        expect(gaps?.map((gap) => gap.from_ms)).toEqual(Array.from({ length: 200 }, (_, gap) => START_MS + 50 + gap));
      },
    ));
});
