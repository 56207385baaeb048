import { describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { authenticated, messageFrame, popHttp, popResp, subscribed } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { Simulator } from '../types.ts';

const start = simulatorStarter();

const e = (n: number): string => `{"n":${n}}`;

describe('the worked example of delivery', () => {
  async function upToSecondSubscriber(): Promise<Simulator> {
    const running = await start({ retentionSeconds: 60 });
    await running.publish(e(1));
    running.advance(10_000);
    const first = await subscribed(running);
    running.advance(10_000);
    await running.publish(e(2));
    expect(await first.read(messageFrame(e(2)).length)).toBe(messageFrame(e(2)));
    running.advance(5_000);
    first.end();
    await until(() => running.subscribers().length === 0);
    running.advance(5_000);
    await running.publish(e(3));
    running.advance(20_000);
    const second = await subscribed(running);
    expect(second.waiting()).toBe(0);
    return running;
  }

  test('a pop at 55 s gets e1 and e3', async () => {
    const running = await upToSecondSubscriber();
    running.advance(5_000);
    expect(await popHttp(running, 10)).toEqual([{ n: 1 }, { n: 3 }]);
  });

  test('a pop at 70 s has lost e1', async () => {
    const running = await upToSecondSubscriber();
    running.advance(20_000);
    expect(await popHttp(running, 10)).toEqual([{ n: 3 }]);
  });

  test('a pop at 95 s has lost both', async () => {
    const running = await upToSecondSubscriber();
    running.advance(45_000);
    expect(await popHttp(running, 10)).toEqual([]);
    expect(running.deliveries()).toMatchObject({ published: 3, delivered: 1, dropped: 2, lost: { expired: 2 } });
  });
});

describe('who gets an event', () => {
  test('two pollers: each event goes to exactly one of them', async () => {
    const running = await start();
    for (let n = 0; n < 100; n += 1) await running.publish(e(n));
    const [left, right] = await Promise.all([authenticated(running), authenticated(running)]);
    const texts: string[] = [];
    while (running.queueLength() > 0) {
      const [a, b] = await Promise.all([popResp(left, 7), popResp(right, 9)]);
      texts.push(...a, ...b);
    }
    expect(texts.map((text) => JSON.parse(text).n).sort((a, b) => a - b)).toEqual([...Array(100).keys()]);
  });

  test('two subscribers: each gets all', async () => {
    const running = await start();
    const subscribers = await Promise.all([subscribed(running), subscribed(running)]);
    for (let n = 0; n < 20; n += 1) await running.publish(e(n));
    const expected = [...Array(20).keys()].map((n) => messageFrame(e(n))).join('');
    for (const subscriber of subscribers) expect(await subscriber.read(expected.length)).toBe(expected);
    expect(running.deliveries()).toMatchObject({ published: 20, delivered: 20, queued: 0, buffered: 0 });
  });

  test('subscriber and poller: the poller gets only what was queued before', async () => {
    const running = await start();
    await running.publish(e(1));
    const subscriber = await subscribed(running);
    await running.publish(e(2));
    expect(await popHttp(running, 10)).toEqual([{ n: 1 }]);
    expect(await subscriber.read(messageFrame(e(2)).length)).toBe(messageFrame(e(2)));
  });

  test('publishing switched off: nothing new, queued events stay', async () => {
    const running = await start();
    await running.publish(e(1));
    running.setStats(false);
    await running.publish(e(2));
    expect(await popHttp(running, 10)).toEqual([{ n: 1 }]);
    expect(running.deliveries().lost['not-published']).toBe(1);
  });

  test('a new retention applies to queued events', async () => {
    const running = await start({ retentionSeconds: 3600 });
    await running.publish(e(1));
    running.advance(100_000);
    running.setRetention(60);
    expect(await popHttp(running, 10)).toEqual([]);
  });

  test('retention: absent and 0 are 60 s, above an hour is an hour', async () => {
    for (const [seconds, keptMs, lostMs] of [
      [null, 60_000, 60_001],
      [0, 60_000, 60_001],
      [9999, 3_600_000, 3_600_001],
    ] as const) {
      for (const [waitMs, expected] of [
        [keptMs, 1],
        [lostMs, 0],
      ] as const) {
        const running = await start();
        running.setRetention(seconds);
        await running.publish(e(1));
        running.advance(waitMs);
        expect((await popHttp(running, 10)).length).toBe(expected);
        await running.stop();
      }
    }
  });

  for (const [what, act] of [
    ['key removed', (running: Simulator) => running.setKey('')],
    ['management off', (running: Simulator) => running.setProfile('off')],
    ['restart', (running: Simulator) => running.restart()],
  ] as const) {
    test(`${what}: queue cleared, subscribers closed`, async () => {
      const running = await start();
      await running.publish(e(1));
      const subscriber = await subscribed(running);
      act(running);
      await subscriber.closed();
      expect(running.queueLength()).toBe(0);
      expect(running.subscribers()).toEqual([]);
      expect(running.deliveries().lost.cleared).toBe(1);
    });
  }
});

describe('the subscriber buffer', () => {
  test('holds 256 messages; one more closes the subscriber and loses them all', async () => {
    const running = await start();
    const subscriber = await subscribed(running);
    running.fault({ kind: 'block-subscribers' });
    for (let n = 0; n < 256; n += 1) await running.publish(e(n), { number: n });
    expect(running.subscribers()).toMatchObject([{ buffered: 256 }]);
    expect(running.deliveries()).toMatchObject({ buffered: 256, dropped: 0 });
    await running.publish(e(256), { number: 256 });
    await subscriber.closed();
    const { dropped, lost, lostEvents } = running.deliveries({ lostEvents: true });
    expect([dropped, lost.overflow]).toEqual([257, 257]);
    expect(lostEvents?.map(({ number }) => number).sort((a, b) => a - b)).toEqual([...Array(257).keys()]);
    await running.publish(e(257));
    expect(running.queueLength()).toBe(1);
  });

  test('the capability message counts while it is unwritten', async () => {
    const running = await start();
    running.fault({ kind: 'block-subscribers' });
    const subscriber = await subscribed(running);
    expect(running.subscribers()).toMatchObject([{ buffered: 0 }]);
    subscriber.end();
  });

  test('a burst of 300 reaches a subscriber that reads', async () => {
    const running = await start();
    const subscriber = await subscribed(running);
    await running.publish(e(7), { count: 300 });
    const expected = messageFrame(e(7)).repeat(300);
    expect(await subscriber.read(expected.length)).toBe(expected);
    expect(running.deliveries()).toMatchObject({ delivered: 300, dropped: 0 });
  });

  test('a subscriber that stops reading is closed once the system buffers are full', async () => {
    const running = await start();
    const subscriber = await subscribed(running);
    subscriber.pause(true);
    const large = `{"body":"${'x'.repeat(100_000)}"}`;
    for (let n = 0; n < 2000 && running.subscribers().length > 0; n += 1) await running.publish(large);
    expect(running.subscribers()).toEqual([]);
    expect(running.deliveries().lost.overflow).toBeGreaterThanOrEqual(256);
    subscriber.end();
  });

  test('a dropped connection loses unwritten events', async () => {
    const running = await start();
    await subscribed(running);
    running.fault({ kind: 'block-subscribers' });
    await running.publish(e(1), { count: 5, number: 100 });
    expect(running.disconnect('subscribers')).toBe(1);
    expect(running.deliveries()).toMatchObject({ published: 5, delivered: 0, buffered: 0, lost: { disconnected: 5 } });
    expect(running.fate(102)).toMatchObject({ state: 'lost', reason: 'disconnected' });
  });
});

test('every event is accounted for exactly once', async () => {
  const running = await start({ retentionSeconds: 60 });
  await running.publish(e(0), { count: 10, number: 0 });
  await popHttp(running, 4);
  running.advance(61_000);
  const subscriber = await subscribed(running);
  await running.publish(e(0), { count: 7, number: 10 });
  await until(() => running.deliveries().delivered === 7);
  running.setStats(false);
  await running.publish(e(0), { count: 3, number: 17 });
  running.setStats(true);
  subscriber.end();
  await until(() => running.subscribers().length === 0);
  await running.publish(e(0), { count: 2, number: 20 });
  const { published, delivered, popped, dropped, queued, buffered, lost } = running.deliveries();
  expect({ published, delivered, popped, queued, buffered }).toEqual({
    published: 22,
    delivered: 7,
    popped: 4,
    queued: 2,
    buffered: 0,
  });
  expect([dropped, lost.expired, lost['not-published']]).toEqual([9, 6, 3]);
  expect(delivered + popped + dropped + queued + buffered).toBe(published);
  expect([running.fate(0), running.fate(5), running.fate(12), running.fate(20), running.fate(99)]).toMatchObject([
    { state: 'popped' },
    { state: 'lost', reason: 'expired' },
    { state: 'delivered' },
    { state: 'queued' },
    undefined as never,
  ]);
});
