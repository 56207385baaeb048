import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ANALYTICS_PATH, type AnalyticsInclude, MAX_TIME_MS } from '@manager/core/contract/monitoring/analytics';
import type { Site } from './testing/site.ts';
import { answerTo, deleteRawEvents, openVectorSite, STORAGE_STATES, vectorDifferences } from './testing/vector-site.ts';
import { type EventSet, VECTOR_CASES, type VectorCase } from './testing/vectors.ts';

// Rows of accounts, client keys, tasks and events: every vector with them, in every storage state.

const SECTIONS = [
  'channel_share',
  'failure_sources',
  'account_stats',
  'credential_stats',
  'api_key_stats',
  'credential_timeline',
  'api_key_timeline',
  'task_buckets',
  'recent_failures',
  'drilldown_preview',
  'filter_options',
  'filter_selectors',
];
const SETS: readonly EventSet[] = ['main', 'dst', 'p95'];

const cases = VECTOR_CASES.filter(
  ({ op, request }) => op === 'analytics' && SECTIONS.some((name) => name in (request.include ?? {})),
);
const live = cases.filter((vector) => vector.archived_before_ms === undefined);

async function check(site: Site, vector: VectorCase): Promise<void> {
  expect(await vectorDifferences(site, vector)).toEqual([]);
  if (vector.expect_drilldown_hashes !== undefined) {
    const { drilldown_preview } = await answerTo(site, vector.request);
    expect(drilldown_preview?.items.map((item) => item.event_hash)).toEqual([...vector.expect_drilldown_hashes]);
  }
}

for (const state of STORAGE_STATES) {
  for (const set of SETS.filter((name) => live.some(({ events }) => events === name))) {
    describe(`rows of the events "${set}", ${state.name}`, () => {
      let site: Site;
      beforeAll(() => {
        site = openVectorSite(set, state);
      });
      afterAll(() => site.dispose());

      for (const vector of live.filter(({ events }) => events === set)) {
        test(vector.id, async () => {
          await check(site, vector);
          // Again, from the cached sealed part.
          await check(site, vector);
        });
      }
    });
  }
}

const [state] = STORAGE_STATES;

describe('without raw events', () => {
  const cutMs = Date.UTC(2026, 2, 11);
  for (const vector of live.filter(({ events, id }) => events === 'main' && id !== 'drilldown')) {
    test(`${vector.id} stays, except lists of events`, async () => {
      if (state === undefined) throw new Error('no state of storage');
      const site = openVectorSite('main', state);
      try {
        await answerTo(site, vector.request);
        deleteRawEvents(site.database.db, cutMs);
        const { recent_failures: failures, ...kept } = vector.expect;
        expect(await vectorDifferences(site, { ...vector, expect: kept })).toEqual([]);
        if (failures !== undefined) expect((await answerTo(site, vector.request)).recent_failures).toBeUndefined();
      } finally {
        await site.dispose();
      }
    });
  }
});

describe('limits of rows', () => {
  const include = { account_stats: true, credential_stats: true, api_key_stats: true, filter_options: true };
  const ask = (site: Site, limits: AnalyticsInclude) =>
    answerTo(site, { from_ms: 1, to_ms: MAX_TIME_MS, time_zone: 'UTC', include: { ...include, ...limits } });

  test.each([0, 1])(
    'keep the first %d parts, say how many there are, and leave filter options whole',
    async (limit) => {
      if (state === undefined) throw new Error('no state of storage');
      const site = openVectorSite('main', state);
      try {
        const whole = await ask(site, {});
        const cut = await ask(site, { models_limit: limit, contexts_limit: limit });
        const names = ['account_stats', 'credential_stats', 'api_key_stats'] as const;
        for (const name of names) expect<unknown>(cut[name]).toEqual(whole[name]?.map((row) => cutRow(row, limit)));
        expect(names.flatMap((name) => whole[name] ?? []).some(({ models = [] }) => models.length > limit)).toBe(true);
        expect(whole.api_key_stats?.some(({ contexts = [] }) => contexts.length > limit)).toBe(true);
        expect(cut.filter_options).toEqual(whole.filter_options);
        for (const name of names) {
          const row = whole[name]?.at(-1);
          const one = await ask(site, { row_ids: [row?.id ?? '', 'unknown'] });
          expect<unknown>(one[name]).toEqual([row]);
          expect(one.filter_options).toEqual(whole.filter_options);
        }
        const few = await ask(site, { identities_limit: limit });
        expect<unknown>(few).toMatchObject({
          ...{ account_stats: whole.account_stats, credential_stats: whole.credential_stats },
          filter_options: whole.filter_options,
        });
        expect<unknown>(few.api_key_stats).toEqual(whole.api_key_stats?.map((row) => cutIdentities(row, limit)));
        expect(whole.api_key_stats?.some(({ auth_indices = [] }) => auth_indices.length > limit)).toBe(true);
        const least = await ask(site, { models_limit: -1, contexts_limit: null, identities_limit: -1 });
        for (const name of names) expect<unknown>(least[name]).toEqual(whole[name]);
      } finally {
        await site.dispose();
      }
    },
  );
});

/** The row with the first entries of its lists. */
function cutRow(row: object, limit: number): object {
  const members = Object.entries(row).flatMap(([name, value]) => {
    if ((name !== 'models' && name !== 'contexts') || value.length <= limit) return [[name, value]];
    const kept = limit === 0 ? [] : [[name, value.slice(0, limit)]];
    return [...kept, [`${name}_total`, value.length]];
  });
  return Object.fromEntries(members);
}

function cutIdentities(row: object, limit: number): object {
  const cut = ['auth_indices', 'sources', 'source_hashes'];
  const members = Object.entries(row).map(([name, value]) => [
    name,
    cut.includes(name) ? value.slice(0, limit) : value,
  ]);
  return Object.fromEntries(members.filter(([, value]) => !Array.isArray(value) || value.length > 0));
}

test('an unchanged answer is 304 for a client that has it, at any time', async () => {
  if (state === undefined) throw new Error('no state of storage');
  const site = openVectorSite('main', state);
  try {
    const body = JSON.stringify({ from_ms: 1, to_ms: 8e15, include: { account_stats: true, events_page: {} } });
    const ask = (headers: Record<string, string> = {}) =>
      fetch(site.url + ANALYTICS_PATH, { method: 'POST', body, headers, keepalive: false });
    const tag = (await ask()).headers.get('etag') ?? '';
    expect((await ask({ 'If-None-Match': tag })).status).toBe(304);
    deleteRawEvents(site.database.db, Date.UTC(2026, 2, 10, 2));
    const changed = await ask({ 'If-None-Match': tag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get('etag')).not.toBe(tag);
  } finally {
    await site.dispose();
  }
});
