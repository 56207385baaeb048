import { afterAll, expect, test } from 'bun:test';
import { connect } from 'node:net';
import { until } from '@manager/core/testing/until';
import { authFilesOf, makeAccounts, makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

const RATE = 5;
const ALARM_MS = 120_000;
/** Two readings of the counters, with time for a busy machine. */
const READINGS_MS = 300_000;

/** Subscribes as another manager or panel does; resolves to what ends it. */
function subscribe(port: number): () => void {
  const socket = connect({ host: '127.0.0.1', port });
  const command = (...words: string[]) =>
    socket.write(`*${words.length}\r\n${words.map((word) => `$${word.length}\r\n${word}\r\n`).join('')}`);
  socket.resume();
  command('AUTH', TEST_UPSTREAM_KEY);
  command('SUBSCRIBE', 'usage');
  return () => socket.destroy();
}

test('a subscriber that takes the events of a polling manager is reported, and dated with the number of events', async () => {
  // Configured keys have no counters in the list of auth files.
  const accounts = makeAccounts(12).filter(({ fileName }) => fileName !== '');
  const gateway = await startTestGateway({ authFiles: authFilesOf(accounts, Date.now()) });
  const manager = await ManagerProcess.start({ env: boundTo(gateway, 'http') });
  managers.push(manager);
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  await until(() => gateway.requests({ path: '/v0/management/auth-files' }).length > 0, 'the baseline');
  const traffic = gateway.startTraffic({ rate: RATE, events: makeEvents({ accounts }) });

  const leave = subscribe(gateway.port);
  await until(() => gateway.deliveries().delivered > 0, 'the second consumer');
  const sinceMs = performance.now();
  const alarm = await until(
    async () => {
      const { collector } = await readStatus(manager);
      return collector.starved ? collector : null;
    },
    'the alarm',
    READINGS_MS,
  );
  expect(performance.now() - sinceMs).toBeLessThan(ALARM_MS);
  expect(alarm.gaps.open).toEqual(['starved']);

  leave();
  const after = await until(
    async () => {
      const { collector } = await readStatus(manager);
      return collector.starved ? null : collector;
    },
    'events in order again',
    READINGS_MS,
  );
  traffic.stop();
  const taken = gateway.deliveries().delivered;
  expect(after.gaps).toMatchObject({ count: 1, open: [], last: { kind: 'starved' } });
  const lost = after.gaps.last?.estimatedLost ?? 0;
  expect(Math.abs(lost - taken)).toBeLessThanOrEqual(taken / 10);
  await manager.stop();
  await gateway.stop();
}, 700_000);
