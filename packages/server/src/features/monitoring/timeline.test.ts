import { describe, expect, test } from 'bun:test';
import { ANALYTICS_PATH } from '@manager/core/contract/monitoring/analytics';
import { type StoredEvent, testEvent } from '../../facts/testing/test-database.ts';
import { monitoringRoutes } from './routes.ts';
import { openSite, post, type Site } from './testing/site.ts';
import { answerTo } from './testing/vector-site.ts';

const DAY_MS = 1_773_100_800_000;
const MINUTE_MS = 60_000;
const ALL = { from_ms: 1, to_ms: 8_000_000_000_000_000 };

async function withEvents(events: readonly StoredEvent[], run: (site: Site) => Promise<void>): Promise<void> {
  const site = openSite(
    (analytics) => monitoringRoutes({ analytics }),
    (database) => database.insert(events),
  );
  await run(site);
  await site.dispose();
}

describe('short buckets', () => {
  const everyFiveMinutes = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      testEvent(index + 1, { timestamp_ms: DAY_MS + index * 5 * MINUTE_MS, total_tokens: index }),
    );

  test('2,000 of them are an answer, one more is a 400 with the limit and a hint', async () => {
    await withEvents(everyFiveMinutes(2_001), async (site) => {
      const range = { from_ms: DAY_MS, to_ms: DAY_MS + 2_000 * 5 * MINUTE_MS };
      const include = { timeline: true, granularity: '5m' };
      expect((await answerTo(site, { ...range, include })).timeline).toHaveLength(2_000);

      for (const name of ['timeline', 'anomaly_points', 'credential_timeline']) {
        const sections = { [name]: true, granularity: '5m' };
        const refused = await post(site, ANALYTICS_PATH, { ...ALL, include: sections });
        expect(refused).toEqual({
          status: 400,
          body: {
            code: 'request_failed',
            error:
              'granularity: at most 2000 buckets of 5m in one response, here 2001; choose a shorter range or longer buckets',
          },
        });
      }
      expect((await answerTo(site, { ...ALL, include: { timeline: true, granularity: '15m' } })).timeline).toHaveLength(
        667,
      );
      // Hours and days are not limited, and other sections are independent of the limit.
      expect(
        (await answerTo(site, { ...ALL, include: { timeline: true, granularity: 'hour' } })).timeline,
      ).toHaveLength(167);
      expect((await answerTo(site, { ...ALL, include: { summary: true, granularity: '5m' } })).summary).toMatchObject({
        total_calls: 2_001,
      });
    });
  });

  test('start on even local minutes', async () => {
    await withEvents([testEvent(1, { timestamp_ms: DAY_MS + 7 * MINUTE_MS })], async (site) => {
      const request = { ...ALL, time_zone: 'Asia/Kathmandu', include: { timeline: true, granularity: '15m' } };
      expect((await answerTo(site, request)).timeline).toMatchObject([
        { bucket_ms: DAY_MS, bucket_end_ms: DAY_MS + 15 * MINUTE_MS, label: '05:45' },
      ]);
    });
  });
});

test('a timeline of accounts or keys is bounded, and the error has the limit and a hint', async () => {
  const gatewayAccounts = 100;
  const events = Array.from({ length: 100_001 }, (_, index) => {
    const name = `c${index % gatewayAccounts}`;
    const timestamp_ms = DAY_MS + Math.floor(index / gatewayAccounts) * 60 * MINUTE_MS;
    return testEvent(index + 1, { timestamp_ms, auth_index: name, api_key_hash: name });
  });
  const names = Array.from({ length: gatewayAccounts }, (_, index) => `c${index}`);
  await withEvents(events, async (site) => {
    const hourly = (include: object, filters: object = {}) => ({
      ...ALL,
      filters,
      include: { ...include, granularity: 'hour' },
    });
    const refusal = (section: string, filter: string) => ({
      status: 400,
      body: {
        code: 'request_failed',
        error:
          `${section}: at most 100000 points in one response, here 100001; ` +
          `name some in ${filter}, or choose a shorter range or longer buckets`,
      },
    });
    expect(await post(site, ANALYTICS_PATH, hourly({ credential_timeline: true }))).toEqual(
      refusal('credential_timeline', 'filters.credential_ids'),
    );
    expect(await post(site, ANALYTICS_PATH, hourly({ api_key_timeline: true }, { api_key_hashes: names }))).toEqual(
      refusal('api_key_timeline', 'filters.api_key_hashes'),
    );
    const answer = await answerTo(site, hourly({ credential_timeline: true }, { auth_indices: ['c0'] }));
    expect(answer.credential_timeline).toHaveLength(1_001);
    const shorter = { ...hourly({ credential_timeline: true }), to_ms: DAY_MS + 1_000 * 60 * MINUTE_MS };
    expect((await answerTo(site, shorter)).credential_timeline).toHaveLength(100_000);
  });
}, 180_000);

test('times from 1970 to 2999 make as many buckets as there are events', async () => {
  const times = [1, 86_400_000, DAY_MS, Date.UTC(2999, 11, 31, 12)];
  const events = times.map((timestamp_ms, index) => testEvent(index + 1, { timestamp_ms, created_at_ms: DAY_MS }));
  await withEvents(events, async (site) => {
    const include = { summary: true, timeline: true, heatmap: true, hourly_distribution: true };
    const answer = await answerTo(site, { ...ALL, now_ms: Date.UTC(2999, 11, 31, 12) + 1, include });
    expect(answer.timeline?.map(({ bucket_ms, label }) => [bucket_ms, label])).toEqual([
      [0, '01/01'],
      [86_400_000, '01/02'],
      [DAY_MS, '03/10'],
      [Date.UTC(2999, 11, 31), '12/31'],
    ]);
    // Part of the totals, reported, and not counted in the last half hour.
    expect(answer.summary).toMatchObject({ total_calls: 4, implausible_time_calls: 3, rpm_30m: 0 });
    expect(answer.heatmap).toHaveLength(4);
  });
});

test('unclassified tokens and inconsistent breakdowns are counted separately from the totals', async () => {
  const events = [
    testEvent(1, {
      unclassified_tokens: 40,
      total_tokens: 10,
      token_quality: 'unclassified',
      model: 'nobody-knows-it',
    }),
    testEvent(2, { token_quality: 'inconsistent', model: 'nobody-knows-it' }),
    testEvent(3, { token_quality: 'inconsistent', failed: true, total_tokens: 1, model: '' }),
  ];
  await withEvents(events, async (site) => {
    const expected = {
      total_tokens: 11,
      unclassified_tokens: 40,
      inconsistent_calls: 2,
      zero_token_calls: 1,
      unpriced_calls: 2,
    };
    const full = await answerTo(site, { ...ALL, include: { summary: true } });
    expect(full.summary).toMatchObject({
      ...expected,
      zero_token_models: ['nobody-knows-it'],
      unpriced_models: ['nobody-knows-it'],
    });
    const compact = await answerTo(site, { ...ALL, include: { summary: true, summary_profile: 'compact' } });
    expect(compact.summary).toMatchObject({ ...expected, zero_token_models: null, unpriced_models: null });
  });
});

test('collection gaps are part of the timeline only', async () => {
  await withEvents([testEvent(1)], async (site) => {
    const insert = site.database.db.query(
      'INSERT INTO collection_gaps (from_ms, to_ms, kind, estimated_lost) VALUES (?, ?, ?, ?)',
    );
    insert.run(DAY_MS + 100, null, 'stopped', null);
    insert.run(DAY_MS - 900, DAY_MS - 800, 'before', 1);
    insert.run(DAY_MS - 50, DAY_MS + 50, 'starved', 12);
    const range = { from_ms: DAY_MS, to_ms: DAY_MS + 1_000 };
    const answer = await answerTo(site, { ...range, include: { timeline: true } });
    expect(answer.gaps).toEqual([
      { from_ms: DAY_MS - 50, to_ms: DAY_MS + 50, kind: 'starved', estimated_lost: 12 },
      { from_ms: DAY_MS + 100, to_ms: null, kind: 'stopped', estimated_lost: null },
    ]);
    expect(await answerTo(site, { ...range, include: { anomaly_points: true, summary: true } })).not.toHaveProperty(
      'gaps',
    );
  });
});

test('a comparison range that would start before the first instant is left out', async () => {
  await withEvents([testEvent(1)], async (site) => {
    const include = { summary: true, summary_comparison: true };
    const first = await answerTo(site, { from_ms: 1_000, to_ms: 2_000, include });
    expect(first).not.toHaveProperty('summary_comparison');
    expect((await answerTo(site, { from_ms: 1_000, to_ms: 1_999, include })).summary_comparison).toMatchObject({
      from_ms: 1,
      to_ms: 1_000,
      total_calls: 0,
      success_rate: 0,
    });
    expect(await answerTo(site, { ...ALL, include: { summary_comparison: true } })).not.toHaveProperty(
      'summary_comparison',
    );
  });
});
