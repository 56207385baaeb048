import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { sealTail } from '../../facts/seal.ts';
import { testEvent } from '../../facts/testing/test-database.ts';
import { monitoringRoutes } from './routes.ts';
import { openSite, type Site } from './testing/site.ts';
import { answerTo } from './testing/vector-site.ts';

const DAY_MS = 86_400_000;
const TIMES = [-5 * 366 * DAY_MS, -3_600_001, -1, 0, 1, 1_773_100_800_000];
const TO_MS = 1_773_187_200_000;

for (const [layout, sealed] of [
  ['tail', 0],
  ['sealed', TIMES.length],
] as const) {
  describe(`events at and before 1970, ${layout}`, () => {
    let site: Site;
    beforeAll(() => {
      site = openSite(
        (analytics) => monitoringRoutes({ analytics }),
        (database) => {
          database.insert(TIMES.map((timestamp_ms, index) => testEvent(index + 1, { timestamp_ms, total_tokens: 10 })));
          if (sealed > 0) expect(sealTail({ db: database.db, now: Date.now }, sealed)).toBe(true);
        },
      );
    });
    afterAll(() => site.dispose());

    test.each([{}, { from_ms: null }, { from_ms: 1 }])('are counted by a range with %j', async (from) => {
      const include = { summary: true, timeline: true, model_stats: true, summary_comparison: true };
      const answer = await answerTo(site, { ...from, to_ms: TO_MS, include });
      expect(answer.summary).toMatchObject({ total_calls: TIMES.length, total_tokens: 10 * TIMES.length });
      expect(answer.granularity).toBe('day');
      const days = answer.timeline ?? [];
      expect(days.map(({ bucket_ms, calls }) => [bucket_ms, calls])).toEqual([
        [-5 * 366 * DAY_MS, 1],
        [-DAY_MS, 2],
        [0, 2],
        [1_773_100_800_000, 1],
      ]);
      expect(answer.model_stats?.reduce((sum, { calls }) => sum + calls, 0)).toBe(TIMES.length);
      expect(answer.summary_comparison).toBeUndefined();
    });

    test('are listed page by page, none twice', async () => {
      const found: number[] = [];
      let page: { before_ms?: number; before_id?: number } = {};
      for (let pages = 0; pages < 2 * TIMES.length; pages += 1) {
        const include = { events_page: { limit: 1, ...page } };
        const { events } = await answerTo(site, { to_ms: TO_MS, include });
        if (events === undefined) throw new Error('a page expected');
        expect(events.total_count).toBe(TIMES.length);
        found.push(...events.items.map(({ timestamp_ms }) => timestamp_ms));
        if (!events.has_more) break;
        page = { before_ms: events.next_before_ms, before_id: events.next_before_id };
      }
      expect(found).toEqual(TIMES.toReversed());
    });

    test('are outside of a range with a start', async () => {
      const answer = await answerTo(site, { from_ms: 2, to_ms: TO_MS, include: { summary: true } });
      expect(answer.summary?.total_calls).toBe(1);
    });
  });
}
