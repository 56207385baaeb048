import { afterAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { fillVolume, mountSmallVolume } from '../support/small-volume.ts';
import { readExport, readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

// The full size is an outage of 30 s: MANAGER_FULL_FAULTS=1.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const OUTAGE_MS = FULL ? 30_000 : 4_000;
/** Traffic before and after it. */
const AROUND_MS = FULL ? 6_000 : 4_000;

const cleanups: (() => void | Promise<void>)[] = [];
afterAll(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

describe('a full disk', () => {
  test.each([
    { rate: 500, name: 'at 500 events/s' },
    { rate: 2_000, name: 'at 2,000 events/s' },
  ])(
    '$name: nothing is lost, the collector says error meanwhile and recovers alone',
    async ({ rate }) => {
      const gateway = await startTestGateway({ retentionSeconds: 300 });
      const { folder: dataDir, unmount } = mountSmallVolume(FULL ? 400 : 200);
      cleanups.push(unmount);
      const manager = await ManagerProcess.start({ dataDir, env: boundTo(gateway) });
      cleanups.push(() => manager.kill());
      await until(async () => (await readStatus(manager)).collector.collector === 'running');

      const total = Math.round((rate * (OUTAGE_MS + AROUND_MS)) / 1000);
      const events = makeEvents({ seed: 11, numberFrom: 0 });
      const traffic = gateway.startTraffic({ rate, total, events });
      // Seconds of traffic, however busy the machine is.
      const published = (seconds: number) =>
        until(() => gateway.deliveries().published >= Math.min(total, rate * seconds), `${seconds} s of traffic`);
      await published(2);
      const freeVolume = fillVolume(dataDir);
      const { lastError } = await until(async () => {
        const { collector } = await readStatus(manager);
        return collector.collector === 'error' ? collector : null;
      }, 'the error');
      expect(lastError).toStartWith('consume:');
      await published(2 + OUTAGE_MS / 1000);
      freeVolume();
      await traffic.done;
      await until(async () => (await readStatus(manager)).events === total, 'all events', 150_000);
      const status = await readStatus(manager);
      expect(status.collector.collector).toBe('running');
      const numbers = new Set((await readExport(manager)).map((event) => event.request_id));
      expect(numbers.size).toBe(total);
      await manager.stop();
      await gateway.stop();
    },
    240_000,
  );
});
