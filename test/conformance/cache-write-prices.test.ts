import { afterAll, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ANALYTICS_PATH, type AnalyticsResponse } from '@manager/core/contract/monitoring/analytics';
import { until } from '@manager/core/testing/until';
import { checkInvariants } from '@manager/server/events/invariants/invariants';
import { sealTail } from '@manager/server/facts/seal';
import { openDatabase } from '@manager/server/sqlite/open';
import { eventWith } from '@manager/simulator';
import { act, archiveServers, createRun, segmentPaths, settledRun } from '../support/archive-server.ts';
import type { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

// A cache write for one hour has a price of its own, and a request costs the same wherever its event comes from.

setDefaultTimeout(180_000);

const servers = archiveServers();
afterAll(() => servers.remove());

const USAGE = '/v0/management/usage';
const START_MS = Date.now() - 3_600_000;
const PRICE = { prompt: 3, completion: 15, cacheRead: 0.3, cacheCreation: 3.75, cacheWrite1h: 6 };
const TOKENS = { input_tokens: 100, output_tokens: 10, cache_creation_tokens: 900, total_tokens: 1010 };
const SPLIT = { cache_creation: { ephemeral_5m_input_tokens: 300, ephemeral_1h_input_tokens: 600 } };

/** The parts of a request, and its writes for one hour; where it does not tell them, all are for five minutes. */
const REQUESTS = [
  { members: { tokens: { ...TOKENS, cache_write_1h_tokens: 600 } }, writes1h: 600 },
  { members: { tokens: TOKENS, usage: SPLIT }, writes1h: 600 },
  { members: { tokens: { ...TOKENS, ...SPLIT } }, writes1h: 600 },
  { members: { tokens: TOKENS }, writes1h: 0 },
].map(({ members, writes1h }, index) => ({
  writes1h,
  line: JSON.stringify(
    eventWith({
      timestamp: new Date(START_MS + index * 1_000).toISOString(),
      request_id: `write-${index}`,
      provider: 'claude',
      executor_type: 'ClaudeExecutor',
      model: 'acme-claude',
      alias: 'acme-claude',
      token_breakdown: undefined,
      service_tier: '',
      ...members,
    }),
  ),
}));
const costOf = (writes1h: number) => (100 * 3 + (900 - writes1h) * 3.75 + writes1h * 6 + 10 * 15) / 1e6;
const COST = REQUESTS.reduce((sum, { writes1h }) => sum + costOf(writes1h), 0);

async function start(dataDir: string, env: Record<string, string> = {}): Promise<ManagerProcess> {
  const manager = await servers.start(dataDir, undefined, env);
  const prices = { 'acme-claude': PRICE };
  await manager.json('/v0/management/model-prices', { method: 'PUT', body: JSON.stringify({ prices }) });
  return manager;
}

/** A fresh manager with a file. */
async function importing(file: string): Promise<ManagerProcess> {
  const manager = await start(servers.folder());
  const result = await manager.json(`${USAGE}/import`, { method: 'POST', body: file });
  expect(result).toMatchObject({ added: REQUESTS.length, failed: 0 });
  return manager;
}

async function expectCosts(manager: ManagerProcess, rows = true): Promise<void> {
  const { summary, model_stats, account_stats, events } = await manager.post<AnalyticsResponse>(ANALYTICS_PATH, {
    from_ms: START_MS - 1,
    to_ms: START_MS + 60_000,
    include: { summary: true, model_stats: true, account_stats: true, events_page: { limit: 100 } },
  });
  expect(summary?.total_cost).toBeCloseTo(COST, 12);
  expect(model_stats?.map(({ cost }) => cost)).toEqual([summary?.total_cost ?? 0]);
  expect(account_stats?.reduce((sum, { cost }) => sum + cost, 0)).toBeCloseTo(COST, 12);
  if (!rows) return;
  const written = events?.items.map((row) => row.cache_write_1h_tokens).reverse();
  expect(written).toEqual(REQUESTS.map(({ writes1h }) => (writes1h === 0 ? undefined : writes1h)));
}

const textOf = async (manager: ManagerProcess, path: string) => (await manager.fetch(path)).text();

test('a request costs the same from the queue, from every file and in every stored form', async () => {
  const gateway = await startTestGateway();
  const dataDir = servers.folder();
  const collected = await start(dataDir, boundTo(gateway));
  await until(async () => (await readStatus(collected)).collector.collector === 'running');
  for (const { line } of REQUESTS) await gateway.publish(line);
  await until(async () => (await readStatus(collected)).events === REQUESTS.length);
  await expectCosts(collected);

  const exported = await textOf(collected, `${USAGE}/export`);
  expect(exported.match(/"cache_write_1h_tokens":600/g)).toHaveLength(3);
  expect(exported).not.toContain('"cache_write_1h_tokens":0');
  const again = await importing(exported);
  await expectCosts(again);
  const created = /"created_at_ms":\d+/g;
  expect((await textOf(again, `${USAGE}/export`)).replace(created, '')).toBe(exported.replace(created, ''));
  await expectCosts(await importing(REQUESTS.map(({ line }) => `${line}\n`).join('')));
  await expectCosts(await importing(await textOf(collected, USAGE)));

  expect(await collected.stop()).toBe(0);
  await gateway.stop();
  const path = join(dataDir, 'usage.sqlite');
  const db = openDatabase(path);
  // One segment with such writes, one without.
  for (const rows of [3, 1]) expect(sealTail({ db, now: Date.now }, rows)).toBe(true);
  const segments = db.query("SELECT segment_id FROM fact_segment_columns WHERE name = 'cache_write_1h_tokens'").all();
  expect(segments).toHaveLength(1);
  expect(checkInvariants(db)).toEqual([]);
  db.close();
  const sealed = await start(dataDir);
  await expectCosts(sealed);

  const id = await createRun(sealed, Date.now() + 60_000);
  for (const [action, status] of [
    ['resume', 'archived'],
    ['verify', 'verified'],
    ['delete', 'completed'],
  ] as const) {
    expect((await act(sealed, id, action)).status).toBeLessThan(300);
    await settledRun(sealed, status);
  }
  await expectCosts(sealed, false);
  const [segment = ''] = segmentPaths(dataDir);
  await expectCosts(await importing(gunzipSync(readFileSync(segment)).toString()));
});
