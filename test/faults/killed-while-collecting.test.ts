import { afterAll, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { allStored } from '../support/all-stored.ts';
import { insideGap, readGaps } from '../support/gaps.ts';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { readExport, readStatus } from '../support/status.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

// The full size is 100,000 events at 2,000/s and 20 kills per mode: MANAGER_FULL_FAULTS=1. The lives and kills take as long at half the rate.
const FULL = process.env.MANAGER_FULL_FAULTS === '1';
const EVENTS = FULL ? 100_000 : 4_000;
const KILLS = FULL ? 20 : 3;
const RATE = FULL ? 2_000 : 1_000;
/** Average traffic lost at a kill, on an idle machine. */
const LOST_SECONDS_PER_KILL = 0.2;
/** Traffic lost at a kill besides that without a collector: received and not stored yet. */
const LOST_IN_FLIGHT_SECONDS = 0.3;

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

describe(`${EVENTS} numbered events at ${RATE}/s, the manager killed ${KILLS} times`, () => {
  // At this gateway `auto` subscribes.
  test.each(['auto', ...(FULL ? ['subscribe'] : []), 'http', 'resp'])(
    'in mode %s every event is stored exactly once or lies inside a recorded gap',
    async (mode) => {
      const gateway = await startTestGateway();
      const dataDir = temporaryFolder();
      const options = { dataDir, env: boundTo(gateway, mode) };
      let manager = await ManagerProcess.start(options);
      managers.push(manager);
      const collects = async () => (await readStatus(manager)).collector.collector === 'running';
      await until(collects);

      const events = makeEvents({ seed: 7, numberFrom: 0 });
      const traffic = gateway.startTraffic({ rate: RATE, total: EVENTS - 1, events });
      const pauseMs = (EVENTS / RATE / (KILLS + 1)) * 1000;
      let awaySeconds = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        // Kills fall at different times after the last commit and heartbeat.
        await Bun.sleep(pauseMs * (0.6 + 0.8 * ((kill * 0.37) % 1)) - 200);
        const killedAtMs = performance.now();
        await manager.kill();
        manager = await ManagerProcess.start(options);
        managers.push(manager);
        await until(collects);
        awaySeconds += (performance.now() - killedAtMs) / 1000;
      }
      await traffic.done;
      await allStored(manager, gateway, events.next().value);

      const stored = new Map<number, number>();
      for (const event of await readExport(manager)) {
        const number = Number.parseInt(event.request_id, 16);
        stored.set(number, (stored.get(number) ?? 0) + 1);
      }
      await manager.stop();
      const gaps = readGaps(dataDir);
      const missing = Array.from({ length: EVENTS }, (_, number) => number).filter((number) => !stored.has(number));
      const outside = missing.filter((number) => {
        const fate = gateway.fate(number);
        return fate === undefined || !('atMs' in fate) || !insideGap(gaps, fate.atMs);
      });
      await gateway.stop();
      console.log(`${mode}: ${stored.size} stored, ${missing.length} inside ${gaps.length} gaps`);

      expect([...stored.values()].filter((count) => count !== 1)).toEqual([]);
      expect(outside.map((number) => ({ number, fate: gateway.fate(number) })).slice(0, 5)).toEqual([]);
      expect(stored.size + missing.length).toBe(EVENTS);
      expect(gaps.filter((gap) => gap.kind === 'unclean_stop')).toHaveLength(KILLS);
      const lost = FULL ? KILLS * LOST_SECONDS_PER_KILL : awaySeconds + KILLS * LOST_IN_FLIGHT_SECONDS;
      expect(missing.length).toBeLessThanOrEqual(RATE * lost);
    },
    180_000,
  );
});
