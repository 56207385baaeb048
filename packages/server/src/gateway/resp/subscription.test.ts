import { afterEach, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { type GatewayRig, startGatewayRig } from '../testing.ts';
import { openSubscription, type Subscription } from './subscription.ts';

let rig: GatewayRig | null = null;
let subscription: Subscription | null = null;
afterEach(async () => {
  subscription?.close();
  await rig?.stop();
});

test('a gateway that has to wait is neither asked nor given up, and what it sent meanwhile is dated from then', async () => {
  const gateway = await startGatewayRig();
  rig = gateway;
  let nowMs = Date.now();
  const room = Promise.withResolvers<void>();
  const inSocketSinceMs: number[] = [];
  const opened = await openSubscription({
    connection: gateway.connection,
    gate: gateway.gate,
    now: () => nowMs,
    tlsSkipVerify: false,
    dialTimeoutMs: 30_000,
    commandTimeoutMs: 30_000,
    channel: 'usage',
    pingAfterMs: 50,
    deadAfterMs: 200,
    onRecord(record, sinceMs) {
      if (!('text' in record) || !record.text.includes('request_id')) return null;
      return inSocketSinceMs.push(sinceMs) === 1 ? room.promise : null;
    },
  });
  subscription = opened;
  const pings = () => gateway.simulator.requests({ method: 'PING' }).length;
  const events = makeEvents({ seed: 1, numberFrom: 0 });
  const publish = () => gateway.simulator.publish(events.next().value.text);

  await publish();
  await until(() => inSocketSinceMs.length === 1, 'the first record');
  const pausedAtMs = nowMs;
  nowMs += 3_600_000;
  await publish();
  // A wrong PING would be sent within 200 ms.
  await Bun.sleep(250);
  expect(pings()).toBe(0);
  expect(opened.receivedUntilMs()).toBe(pausedAtMs);

  room.resolve();
  await until(() => inSocketSinceMs.length === 2, 'the second record');
  expect(inSocketSinceMs[1]).toBe(pausedAtMs);
  expect(opened.receivedUntilMs()).toBe(pausedAtMs);
  nowMs += 100;
  await until(() => pings() > 0, 'silence is noticed again');
  expect(gateway.simulator.subscribers()).toHaveLength(1);
  nowMs += 900;
  expect(opened.unreadSinceMs()).toBeNull();
});
