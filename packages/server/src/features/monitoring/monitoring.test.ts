import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ANALYTICS_PATH, analyticsResponseSchema, type EventRow } from '@manager/core/contract/monitoring/analytics';
import { sealTail } from '../../facts/seal.ts';
import type { TestDatabase } from '../../facts/testing/test-database.ts';
import { monitoringRoutes } from './routes.ts';
import { openSite, post, type Site } from './testing/site.ts';
import { VECTOR_CASES as cases, LAYOUTS, VECTOR_ERRORS, vectorEvents } from './testing/vectors.ts';

function openMonitoring(prepare: (database: TestDatabase) => void): Site {
  return openSite((analytics) => monitoringRoutes({ analytics }), prepare);
}

function ask(site: Site, body: unknown) {
  return post(site, ANALYTICS_PATH, body);
}

async function answerTo(site: Site, body: unknown) {
  const answer = await ask(site, body);
  expect(answer.status).toBe(200);
  return analyticsResponseSchema.parse(answer.body);
}

const served = new Set(['events_page', 'filter_selectors', 'granularity']);
const pageCases = cases.filter(
  (vector) =>
    vector.op === 'analytics' && vector.events === 'main' && vector.request.include?.events_page !== undefined,
);

for (const [layout, seals] of LAYOUTS) {
  describe(`analytics vectors, ${layout}`, () => {
    let site: Site;
    beforeAll(() => {
      site = openMonitoring((database) => {
        const events = vectorEvents('main');
        database.insert(events);
        for (const rows of seals) {
          expect(sealTail({ db: database.db, now: Date.now }, rows === 'all' ? events.length : rows)).toBe(true);
        }
      });
    });
    afterAll(() => site.dispose());

    for (const vector of pageCases.filter((one) => one.archived_before_ms === undefined)) {
      test(vector.id, async () => {
        const asked = Object.entries(vector.request.include ?? {}).filter(([name]) => served.has(name));
        const answer = await answerTo(site, { ...vector.request, include: Object.fromEntries(asked) });
        const expected = vector.expect.events ?? {};
        expect(answer.events).toMatchObject(expected);
        const summary = vector.expect.summary as { readonly total_calls?: number } | undefined;
        if (summary?.total_calls !== undefined) expect(answer.events?.total_count).toBe(summary.total_calls);
        const items = answer.events?.items ?? [];
        if (vector.expect_event_hashes !== undefined) {
          expect(items.map((item) => item.event_hash)).toEqual([...vector.expect_event_hashes]);
        }
        for (const [name, row] of Object.entries(vector.expect_event_rows ?? {})) {
          expect(items.find((item) => item.event_hash === `hash-${name}`)).toEqual(row as EventRow);
        }
        for (const [name, absent] of Object.entries(vector.absent_in_rows ?? {})) {
          const row = items.find((item) => item.event_hash === `hash-${name}`) ?? {};
          for (const member of absent) expect(row).not.toHaveProperty(member);
        }
        for (const section of vector.absent ?? []) expect(answer).not.toHaveProperty(section);
      });
    }

    for (const vector of cases.filter((one) => ['selectors', 'key-timeline-off'].includes(one.id))) {
      test(vector.id, async () => {
        const answer = await answerTo(site, vector.request);
        expect(answer).toMatchObject(vector.expect);
        for (const section of vector.absent ?? []) expect(answer).not.toHaveProperty(section);
      });
    }
  });
}

describe('events whose raw row is deleted', () => {
  for (const vector of pageCases.filter((one) => one.archived_before_ms !== undefined)) {
    test(`are left out: ${vector.id}`, async () => {
      const site = openMonitoring((database) => {
        database.insert(vectorEvents('main'));
        sealTail({ db: database.db, now: Date.now }, 4);
      });
      const include = { events_page: vector.request.include?.events_page };
      const request = { ...vector.request, include };
      const before = await answerTo(site, request);
      site.database.db.query('DELETE FROM usage_events WHERE timestamp_ms < ?').run(vector.archived_before_ms ?? 0);
      const after = await answerTo(site, request);
      const live = before.events?.items.filter((item) => item.timestamp_ms >= (vector.archived_before_ms ?? 0));
      expect(after.events?.items).toEqual(live ?? []);
      expect(after.events).toMatchObject(vector.expect.events ?? {});
      await site.dispose();
    });
  }
});

describe('requests', () => {
  let site: Site;
  const range = { from_ms: 1_773_100_800_000, to_ms: 1_773_187_200_000 };
  beforeAll(() => {
    site = openMonitoring((database) => database.insert(vectorEvents('main')));
  });
  afterAll(() => site.dispose());

  for (const wrong of VECTOR_ERRORS.filter((one) => one.op === 'analytics')) {
    test(`${JSON.stringify(wrong.request)} is ${wrong.status}`, async () => {
      const answer = await ask(site, wrong.request);
      expect(answer).toEqual({ status: wrong.status, body: { error: wrong.error ?? '', code: wrong.code } });
    });
  }

  const REFUSED = [
    ['no JSON', '{', 400, 'not valid JSON'],
    ['no object', '[]', 400, 'request body'],
    ['an empty object', '{}', 400, 'from_ms, to_ms: both needed, from_ms < to_ms'],
    ['a fraction', { ...range, from_ms: 1.5 }, 400, 'from_ms: integer expected'],
    ['an unsafe integer', { ...range, now_ms: 2 ** 60 }, 400, 'now_ms'],
    ['a text for a number', { ...range, to_ms: '5' }, 400, 'to_ms: integer expected'],
    ['a time no date can hold', { ...range, to_ms: 8_640_000_000_000_001 }, 400, 'to_ms: at most'],
    ['an offset as time zone', { ...range, time_zone: '+08:00' }, 400, 'unknown time zone: +08:00'],
    ['a text for a list', { ...range, filters: { models: 'a' } }, 400, 'filters.models: array expected'],
    ['a number in a list', { ...range, filters: { models: [1] } }, 400, 'filters.models.0: string expected'],
  ] as const;
  for (const [title, body, status, text] of REFUSED) {
    test(`${title} is ${status}`, async () => {
      const answer = await ask(site, body);
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ error: expect.stringContaining(text) });
    });
  }

  test('without include only the time and the granularity are returned', async () => {
    const answer = await answerTo(site, { ...range, unknown: 1, filters: null, search_query: null, include: null });
    expect(answer).toEqual({ generated_at_ms: expect.any(Number), granularity: 'hour' });
    const days = await answerTo(site, { ...range, from_ms: 1, include: { granularity: 'Hour', summary: null } });
    expect(days.granularity).toBe('day');
    expect((await answerTo(site, { ...range, include: { granularity: '15m' } })).granularity).toBe('15m');
  });

  test('an end alone is a range, a start alone is none', async () => {
    const include = { summary: true, drilldown_preview: { to_ms: range.to_ms, limit: 100 } };
    const all = await answerTo(site, { ...range, from_ms: 1, include });
    const { from_ms: _, ...open } = range;
    expect((await answerTo(site, { ...open, include })).summary).toEqual(all.summary);
    expect((await answerTo(site, { ...open, from_ms: null, include })).drilldown_preview).toEqual(
      all.drilldown_preview,
    );
    expect((await ask(site, { from_ms: range.from_ms })).status).toBe(400);
    expect((await ask(site, { ...range, from_ms: -5 })).status).toBe(400);
  });

  test('GET with a request parameter answers like POST, without it is 405', async () => {
    const request = { ...range, include: { events_page: { limit: 3 } } };
    const url = `${site.url}${ANALYTICS_PATH}?request=${encodeURIComponent(JSON.stringify(request))}`;
    const got = analyticsResponseSchema.parse(await (await fetch(url)).json());
    expect(got.events).toEqual((await answerTo(site, request)).events);
    expect((await fetch(site.url + ANALYTICS_PATH)).status).toBe(405);
    const long = `${site.url}${ANALYTICS_PATH}?request=${'x'.repeat(33_000)}`;
    // Not over the socket: the header limit of this process is smaller than that of the server.
    expect((await site.app.request(long)).status).toBe(414);
  });

  test('a list of 33,000 values filters, and is parsed by the worker', async () => {
    const many = Array.from({ length: 33_000 }, (_, index) => `no-such-value-${index}-${'x'.repeat(40)}`);
    const filters = { models: [...many, 'beta-2'], header_trace_ids: [...many, 'trace-004'] };
    const answer = await answerTo(site, { ...range, filters, include: { events_page: {} } });
    expect(answer.events?.items.map((item) => item.event_hash)).toEqual(['hash-E4']);
    const wrong = await ask(site, { ...range, filters: { models: [...many, 1] } });
    expect(wrong.status).toBe(400);
  });

  test('a body above 8 MiB is 413', async () => {
    expect((await ask(site, `"${'x'.repeat(8 * 1024 * 1024)}"`)).status).toBe(413);
  });

  test('a canceled search does not disturb an equal one', async () => {
    const request = JSON.stringify({ ...range, search_query: 'ann', include: { events_page: {} } });
    const controller = new AbortController();
    const url = site.url + ANALYTICS_PATH;
    const leaving = fetch(url, { method: 'POST', body: request, signal: controller.signal }).catch(() => null);
    const staying = fetch(url, { method: 'POST', body: request });
    controller.abort();
    await leaving;
    expect((await staying).status).toBe(200);
  });
});
