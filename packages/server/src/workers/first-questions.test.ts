import { afterAll, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { createTestDatabase } from '../facts/testing/test-database.ts';
import { createAnalyticsClient } from './analytics-client.ts';
import { firstQuestions } from './first-questions.ts';

const NOW = Date.UTC(2026, 5, 2, 15);
const database = createTestDatabase();
const client = createAnalyticsClient({ databasePath: database.path });
afterAll(async () => {
  await client.close();
  database.dispose();
});

test('a panel finds its first questions prepared: all of them have an answer', async () => {
  const [[, dashboard], [, list]] = firstQuestions(NOW);
  expect(JSON.parse(new TextDecoder().decode(await client.dashboard(dashboard)))).toHaveProperty('today');
  const { pieces } = await client.analytics(list);
  expect(JSON.parse(Buffer.concat(pieces).toString())).toHaveProperty('events.items', []);
});

test('a worker without requests ends, and the next panel prepares another one', async () => {
  const resting = createAnalyticsClient({ databasePath: database.path, restMs: 20 });
  const [[, dashboard]] = firstQuestions(NOW);
  const answer = () => resting.dashboard(dashboard).then((bytes) => JSON.parse(new TextDecoder().decode(bytes)).today);
  const first = await answer();
  await until(() => !resting.isRunning(), 'the end of the worker');
  resting.prepare(NOW);
  expect(resting.isRunning()).toBe(true);
  expect(await answer()).toEqual(first);
  await resting.close();
});

test('preparing twice, or while the process ends, is no failure', async () => {
  client.prepare(NOW);
  client.prepare(NOW);
  await client.close();
  client.prepare(NOW);
});
