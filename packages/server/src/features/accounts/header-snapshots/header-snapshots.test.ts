import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { headerSnapshotsResponseSchema } from '@manager/core/contract/accounts/header-snapshots';
import { HEADER_SNAPSHOTS_PATH } from '@manager/core/contract/constants';
import type { UsageEvent } from '@manager/core/usage/event';
import { setCounter } from '../../../events/ingest/counters.ts';
import { fillHeaderSnapshots } from '../../../events/ingest/header-snapshots-fill.ts';
import { sealTail } from '../../../facts/seal.ts';
import { type TestDatabase, testEvent } from '../../../facts/testing/test-database.ts';
import { get, openSite, type Site } from '../../monitoring/testing/site.ts';
import { differences, LAYOUTS, VECTOR_CASES, VECTOR_ERRORS, vectorEvents } from '../../monitoring/testing/vectors.ts';
import { accountRoutes } from '../routes.ts';

const NOW_MS = 1_773_169_200_000;
const DAY_MS = 86_400_000;

/** A manager whose clock can be set. */
interface Snapshots extends Site {
  nowMs: number;
}

function openSnapshots(prepare: (database: TestDatabase) => void): Snapshots {
  const clock = { nowMs: NOW_MS };
  const site = openSite((analytics) => accountRoutes({ analytics, now: () => clock.nowMs }), prepare);
  return Object.assign(clock, site);
}

async function snapshotsOf(site: Site, parameters: Readonly<Record<string, unknown>> = {}) {
  const answer = await get(site, HEADER_SNAPSHOTS_PATH, parameters);
  expect(answer).toMatchObject({ status: 200 });
  return headerSnapshotsResponseSchema.parse(answer.body);
}

async function hashesOf(site: Site, parameters: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  return (await snapshotsOf(site, parameters)).items.map(({ event_hash }) => event_hash);
}

/** As the schema migration leaves a database with events: the table does not cover events up to this one. */
function forgetSnapshots({ db }: TestDatabase, pendingId: number): void {
  db.run('DELETE FROM latest_header_snapshots WHERE event_id <= ?', [pendingId]);
  setCounter(db, 'header_snapshots_pending_id', pendingId);
}

function fill({ db }: TestDatabase): void {
  while (fillHeaderSnapshots({ db, now: () => NOW_MS }, null).behind);
}

const TABLES = [
  ['from the table', () => {}],
  ['from the events alone', (database: TestDatabase) => forgetSnapshots(database, 15)],
  ['from both', (database: TestDatabase) => forgetSnapshots(database, 8)],
  [
    'from the filled table',
    (database: TestDatabase) => {
      forgetSnapshots(database, 15);
      fill(database);
    },
  ],
] as const;

for (const [layout, seals] of LAYOUTS) {
  for (const [source, change] of TABLES) {
    describe(`header snapshots, ${layout}, ${source}`, () => {
      let site: Snapshots;
      beforeAll(() => {
        site = openSnapshots((database) => {
          const events = vectorEvents('main');
          database.insert(events);
          for (const rows of seals) sealTail({ db: database.db, now: Date.now }, rows === 'all' ? events.length : rows);
          change(database);
        });
      });
      afterAll(() => site.dispose());

      for (const vector of VECTOR_CASES.filter(({ op }) => op === 'header_snapshots')) {
        test(vector.id, async () => {
          const { now_ms, ...parameters } = vector.request;
          site.nowMs = Number(now_ms);
          const answer = await snapshotsOf(site, parameters);
          expect(differences(answer, vector.expect)).toEqual([]);
          expect(answer.generated_at_ms).toBe(Number(now_ms));
        });
      }
    });
  }
}

describe('requests', () => {
  let site: Snapshots;
  beforeAll(() => {
    site = openSnapshots((database) => database.insert(vectorEvents('main')));
  });
  afterAll(() => site.dispose());

  for (const wrong of VECTOR_ERRORS.filter(({ op }) => op === 'header_snapshots')) {
    test(`${JSON.stringify(wrong.request)} is ${wrong.status}`, async () => {
      const answer = await get(site, HEADER_SNAPSHOTS_PATH, wrong.request);
      expect(answer).toEqual({ status: wrong.status, body: { error: wrong.error ?? '', code: wrong.code } });
    });
  }
  test.each([
    [{ days: 'x' }, 'days: integer expected'],
    [{ days: '1.5' }, 'days: integer expected'],
    [{ limit: '99999999999999999999' }, 'limit: integer expected'],
    [{ limit: -5 }, 'limit: must not be negative'],
  ])('%j is refused', async (parameters, error) => {
    const answer = await get(site, HEADER_SNAPSHOTS_PATH, parameters);
    expect(answer).toEqual({ status: 400, body: { error, code: 'request_failed' } });
  });

  test('more than a year and more than 5,000 rows are lowered; unknown parameters are ignored', async () => {
    const answer = await snapshotsOf(site, { days: 100_000, limit: 100_000, other: 'x' });
    expect(answer.to_ms - answer.from_ms).toBe(365 * DAY_MS);
    expect(answer.items).toHaveLength(3);
  });
});

const headers = (id: number, members: Partial<UsageEvent>) =>
  testEvent(id, { header_trace_id: `trace-${id}`, ...members });

describe('a snapshot', () => {
  test('outlives its raw row, metadata included', async () => {
    const metadata = { quota: { plan_type: 'plus', primary: { used_percent: 40 } } };
    const site = openSnapshots((database) => {
      database.insert([
        headers(1, { auth_index: 'a', response_metadata_json: JSON.stringify(metadata), header_quota_used_percent: 0 }),
        headers(2, { account_snapshot: 'Ann@Example.test', provider: 'codex', model: 'm(high)' }),
        headers(3, { account_snapshot: 'ann@example.test', timestamp_ms: NOW_MS - DAY_MS * 29 }),
        headers(4, { auth_file_snapshot: 'f.json' }),
        headers(5, { source_hash: 'sh' }),
        headers(6, { model: 'nobody' }),
        testEvent(7, { auth_index: 'without headers', response_metadata_json: '{}' }),
      ]);
      sealTail({ db: database.db, now: Date.now }, 2);
    });
    const before = await snapshotsOf(site);
    site.database.db.run('DELETE FROM usage_events');
    expect(await snapshotsOf(site)).toEqual(before);
    expect(before.items.map(({ event_hash }) => event_hash)).toEqual(['hash-5', 'hash-4', 'hash-2', 'hash-1']);
    expect(before.items.at(-1)).toEqual({
      event_hash: 'hash-1',
      timestamp_ms: 1_773_100_800_001,
      model: '-',
      analytics_model: '-',
      requested_model: '-',
      auth_index: 'a',
      response_metadata: metadata,
      header_quota_used_percent: 0,
      header_trace_id: 'trace-1',
    });
    expect(before.items[2]).toMatchObject({ auth_provider_snapshot: 'codex', analytics_model: 'm' });
    await site.dispose();
  });

  test('is absent when the newest of its account is older than the range', async () => {
    const site = openSnapshots((database) =>
      database.insert([
        headers(1, { auth_index: 'a', timestamp_ms: NOW_MS - 2 * DAY_MS }),
        headers(2, { auth_index: 'b', timestamp_ms: NOW_MS - DAY_MS }),
        headers(3, { auth_index: 'c', timestamp_ms: NOW_MS }),
      ]),
    );
    expect(await hashesOf(site, { days: 1 })).toEqual(['hash-3', 'hash-2']);
    await site.dispose();
  });

  test.each([
    ['in the tail', 0],
    ['in a segment', 4],
  ])('of a gateway whose clock is ahead is the newest up to now, %s', async (_, sealed) => {
    const site = openSnapshots((database) => {
      database.insert([
        headers(1, { auth_index: 'a', timestamp_ms: NOW_MS - 20 }),
        headers(2, { auth_index: 'a', timestamp_ms: NOW_MS - 10 }),
        headers(3, { auth_index: 'a', timestamp_ms: NOW_MS + 60_000 }),
        testEvent(4, { auth_index: 'a', timestamp_ms: NOW_MS - 5 }),
      ]);
      if (sealed > 0) sealTail({ db: database.db, now: Date.now }, sealed);
    });
    expect(await hashesOf(site)).toEqual(['hash-2']);
    site.nowMs = NOW_MS + 60_000;
    expect(await hashesOf(site)).toEqual(['hash-3']);
    await site.dispose();
  });
});
