import { expect, test } from 'bun:test';
import { backfillEvents, publishHistory, requestsPerMinute, startDemoTraffic } from './demo.ts';
import { demoAccounts } from './demo-accounts.ts';
import { manage, subscribed } from './testing/raw-client.ts';
import { simulatorStarter } from './testing/start.ts';

const start = simulatorStarter({});

const DAY_MS = 86_400_000;
const TO_MS = Date.UTC(2026, 8, 3, 12);

test('a dozen accounts of several providers, with one 401 and one plan limit', () => {
  const accounts = demoAccounts();
  expect(accounts.length).toBe(12);
  expect(new Set(accounts.map(({ provider }) => provider)).size).toBeGreaterThanOrEqual(5);
  const troubles = accounts.map(({ trouble }) => trouble);
  expect(troubles.filter((trouble) => trouble === 'unauthorized').length).toBe(1);
  expect(troubles.filter((trouble) => trouble === 'usage-limit').length).toBe(1);
});

test('a day of traffic stays between 40 and 120 a minute and has a shape', () => {
  const rates = Array.from({ length: 24 * 7 }, (_, hour) => requestsPerMinute(TO_MS + hour * 3_600_000));
  expect(Math.min(...rates)).toBe(40);
  expect(Math.max(...rates)).toBeGreaterThan(110);
  expect(Math.max(...rates)).toBeLessThanOrEqual(120);
});

test('a history is ordered by completion, stays in its time, and ends in trouble', () => {
  const fromMs = TO_MS - DAY_MS;
  const events = [...backfillEvents({ fromMs, toMs: TO_MS, scale: 0.1 })];
  expect(events.length).toBeGreaterThan(5_000);
  expect(events.length).toBeLessThan(18_000);
  const ends = events.map((event) => event.timestampMs + Number(JSON.parse(event.text).latency_ms));
  expect(ends.every((end, index) => end >= fromMs && end < TO_MS && end >= (ends[index - 1] ?? 0))).toBe(true);
  const refused = events.filter((event) => event.text.includes('"status_code":401'));
  const limited = events.filter((event) => event.text.includes('usage_limit_reached'));
  expect(refused.length).toBeGreaterThan(0);
  expect(limited.length).toBeGreaterThan(0);
  expect(refused.every((event) => event.timestampMs > TO_MS - 3 * 3_600_000 - 60_000)).toBe(true);
  const again = [...backfillEvents({ fromMs, toMs: TO_MS, scale: 0.1 })];
  expect(again.map(({ text }) => text)).toEqual(events.map(({ text }) => text));
});

test('live traffic replaces the accounts, publishes events of them and writes access lines', async () => {
  const running = await start();
  // A constant near 1 makes the gaps short.
  let step = 0;
  const random = (): number => [0.0001, 0.0002, 0.0003][step++ % 3] ?? 0;
  const traffic = startDemoTraffic(running, { now: Date.now, random });
  while (running.deliveries().published < 20) await Bun.sleep(5);
  traffic.stop();
  expect(running.authFiles().length).toBe(20);
  const indexes = new Set(demoAccounts().map(({ authIndex }) => authIndex));
  const { body } = await manage(running, 'GET', '/usage-queue?count=1000');
  expect((body as { auth_index: string }[]).every((event) => indexes.has(event.auth_index))).toBe(true);
  expect((await manage(running, 'GET', '/logs?limit=1')).text).toContain('[access.go:1]');
  const published = running.deliveries().published;
  await Bun.sleep(50);
  expect(running.deliveries().published).toBe(published);
});

test('an inspection finds an account of every kind', async () => {
  const running = await start();
  startDemoTraffic(running, { now: Date.now, random: Math.random }).stop();
  const accounts = running.authFiles().map(({ auth_index }) => running.account(String(auth_index)));
  const states = accounts.map((account) => account?.state);
  for (const state of ['revoked', 'deactivated-workspace', 'unavailable', 'free-usage-exhausted', 'not-entitled'])
    expect(states).toContain(state);
  const codex = accounts.filter((account) => account?.provider === 'codex' && account.state === 'healthy');
  expect(codex.filter((account) => account?.secondary?.usedPercent === 100).length).toBe(1);
  expect(codex.filter((account) => Number(account?.secondary?.usedPercent) < 90).length).toBeGreaterThanOrEqual(5);
  expect(running.authFiles().filter(({ disabled }) => disabled === true).length).toBe(1);
  expect(running.authFiles().filter(({ name }) => name === 'codex-family.json').length).toBe(2);
});

test('a history is published once somebody consumes', async () => {
  const running = await start();
  const history = publishHistory(running, backfillEvents({ fromMs: TO_MS - 3_600_000, toMs: TO_MS }));
  await Bun.sleep(150);
  expect(history.sent()).toBe(0);
  const client = await subscribed(running);
  while (running.deliveries().delivered < 100) await Bun.sleep(10);
  history.stop();
  client.end();
  expect(running.deliveries().dropped).toBe(0);
});
