import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { DASHBOARD_PATH, dashboardResponseSchema } from '@manager/core/contract/dashboard';
import { sealTail } from '../../facts/seal.ts';
import type { TestDatabase } from '../../facts/testing/test-database.ts';
import { get, openSite, type Site } from '../monitoring/testing/site.ts';
import {
  differences,
  LAYOUTS,
  storeVectorPrices,
  VECTOR_CASES,
  VECTOR_ERRORS,
  vectorEvents,
} from '../monitoring/testing/vectors.ts';
import { dashboardRoutes } from './routes.ts';

const SERVER_NOW_MS = 1_773_169_200_000;

function openDashboard(prepare: (database: TestDatabase) => void): Site {
  return openSite((analytics) => dashboardRoutes({ analytics, now: () => SERVER_NOW_MS }), prepare);
}

async function dashboardOf(site: Site, parameters: Readonly<Record<string, unknown>>) {
  const answer = await get(site, DASHBOARD_PATH, parameters);
  expect(answer).toMatchObject({ status: 200 });
  return dashboardResponseSchema.parse(answer.body);
}

for (const [layout, seals] of LAYOUTS) {
  describe(`dashboard vectors, ${layout}`, () => {
    let site: Site;
    beforeAll(() => {
      site = openDashboard((database) => {
        const events = vectorEvents('main');
        storeVectorPrices(database.db);
        database.insert(events);
        for (const rows of seals) {
          expect(sealTail({ db: database.db, now: Date.now }, rows === 'all' ? events.length : rows)).toBe(true);
        }
      });
    });
    afterAll(() => site.dispose());

    for (const vector of VECTOR_CASES.filter(({ op }) => op === 'dashboard')) {
      test(vector.id, async () => {
        const answer = await dashboardOf(site, vector.request);
        expect(differences(answer, vector.expect)).toEqual([]);
        // Asked again, kept partial sums must give the same.
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
