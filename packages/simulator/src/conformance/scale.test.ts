import { describe, expect, test } from 'bun:test';
import { awkwardEvents, largeEvent } from '../events/awkward.ts';
import { makeEvents } from '../events/make-events.ts';
import { authenticated, manage, messageFrame, popHttp, popResp, subscribed } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';

const start = simulatorStarter({});

describe('scale', () => {
  test('20 000 events reach a subscriber without a drop, however slow it is', async () => {
    const running = await start();
    const client = await subscribed(running);
    const events = makeEvents({ numberFrom: 1 });
    for (let sent = 0; sent < 20_000; sent += 200) {
      await running.startTraffic({ rate: 10_000, total: 200, events }).done;
      while (running.deliveries().buffered > 0) await Bun.sleep(1);
    }
    expect(running.deliveries()).toMatchObject({ published: 20_000, delivered: 20_000, dropped: 0 });
    client.end();
  }, 60_000);

  test('30 000 queued events are drained by batches of 100, in order', async () => {
    const running = await start({ clock: 'controlled' });
    for (let n = 0; n < 30_000; n += 1) await running.publish(`{"n":${n}}`);
    let next = 0;
    while (running.queueLength() > 0) {
      const batch = (await popHttp(running, 100)) as { n: number }[];
      for (const { n } of batch) if (n === next) next += 1;
    }
    expect(next).toBe(30_000);
    expect(running.deliveries()).toMatchObject({ popped: 30_000, dropped: 0 });
  }, 60_000);

  test('10 000 auth files in one list', async () => {
    const running = await start({ authFiles: 10_000 });
    const { body } = await manage(running, 'GET', '/auth-files');
    expect(body).toMatchObject({ files: { length: 10_000 } });
  });
});

describe('generated events', () => {
  test('the same seed gives the same events', () => {
    const now = (): number => 1_788_250_000_000;
    expect(makeEvents({ seed: 3, now }).take(50)).toEqual(makeEvents({ seed: 3, now }).take(50));
    expect(makeEvents({ seed: 3, now }).take(5)).not.toEqual(makeEvents({ seed: 4, now }).take(5));
  });

  test('numbers are the request id', () => {
    const events = makeEvents({ numberFrom: 0xfe }).take(3);
    expect(events.map(({ number }) => number)).toEqual([254, 255, 256]);
    expect(events.map(({ text }) => JSON.parse(text).request_id)).toEqual(['000000fe', '000000ff', '00000100']);
  });

  test('they are as long as real ones and cheap enough for 20 000 a second', () => {
    const events = makeEvents({ accounts: 100, numberFrom: 0 });
    events.take(2_000);
    // Processor time, so that a busy machine does not count as a slow generator.
    const before = process.cpuUsage();
    const taken = events.take(20_000);
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000);
    const mean = taken.reduce((sum, { text }) => sum + text.length, 0) / taken.length;
    expect(mean).toBeGreaterThan(1_500);
    expect(mean).toBeLessThan(1_900);
  });

  test('buckets add up in every family, totals as the provider reports them', () => {
    for (const { text } of makeEvents({ failureRate: 0.1 }).take(2_000)) {
      const { tokens, token_breakdown: breakdown, provider, failed, fail } = JSON.parse(text);
      const { input, output } = breakdown;
      expect(input.uncached_tokens + input.cache_read_tokens + input.cache_write_tokens).toBe(input.total_tokens);
      expect(output.non_reasoning_tokens + output.reasoning_tokens).toBe(output.total_tokens);
      expect([breakdown.total_tokens, tokens.total_tokens]).toEqual(
        Array(2).fill(input.total_tokens + output.total_tokens),
      );
      if (provider === 'claude') expect(tokens.input_tokens).toBe(input.uncached_tokens);
      else expect(tokens.input_tokens).toBe(input.total_tokens);
      if (provider === 'antigravity') expect(tokens.output_tokens).toBe(output.non_reasoning_tokens);
      expect(failed).toBe(fail.status_code !== 200);
    }
  });

  test('some failures are retried under the same request id by a later event', () => {
    const events = makeEvents({ failureRate: 0.2 })
      .take(500)
      .map(({ text }) => JSON.parse(text));
    const retried = events.filter((event, index) => events[index + 1]?.request_id === event.request_id);
    expect(retried.length).toBeGreaterThan(20);
    expect(retried.every((event) => event.failed)).toBe(true);
  });
});

describe('awkward records', () => {
  test('pass unchanged over RESP, and over HTTP as JSON or as a string', async () => {
    const running = await start({ clock: 'controlled' });
    const poller = await authenticated(running);
    for (const { payload } of awkwardEvents()) {
      await running.publish(payload);
      const text = Buffer.from(payload as string).toString();
      expect(await popResp(poller, 1)).toEqual([text]);
      await running.publish(payload);
      const [element] = await popHttp(running, 1);
      let expected: unknown = text;
      try {
        expected = JSON.parse(text);
      } catch {
        // Not JSON: the text itself.
      }
      expect(element).toEqual(expected);
    }
  });

  test('records of 11 and 70 MiB', async () => {
    const running = await start({ clock: 'controlled' });
    const client = await subscribed(running);
    for (const megabytes of [11, 70]) {
      const text = largeEvent(megabytes * 1024 * 1024);
      await running.publish(text);
      const frame = messageFrame(text);
      expect((await client.read(frame.length)) === frame).toBe(true);
    }
    expect(largeEvent(1_000_000, 'headers').length).toBeGreaterThan(1_000_000);
  }, 60_000);
});

test('every number has one fate while consumers come, are killed, and pop', async () => {
  const running = await start();
  const total = 10_000;
  const traffic = running.startTraffic({ rate: 4_000, total, events: makeEvents({ numberFrom: 0 }) });
  const received = new Set<number>();
  let isDone = false;
  void traffic.done.then(() => {
    isDone = true;
  });
  const numbersIn = (text: string): void => {
    for (const match of text.matchAll(/"request_id":"([0-9a-f]{8})"/g))
      received.add(Number.parseInt(match[1] ?? '', 16));
  };
  for (let round = 0; !isDone; round += 1) {
    const client = await subscribed(running);
    for (const event of await popHttp(running, 1_000)) numbersIn(JSON.stringify(event));
    await Bun.sleep(60);
    if (round % 2 === 0) running.disconnect('subscribers');
    else client.end();
    await client.closed();
    numbersIn(await client.rest());
    while (running.subscribers().length > 0) await Bun.sleep(1);
    await Bun.sleep(20);
  }
  for (const event of await popHttp(running, total)) numbersIn(JSON.stringify(event));
  const { published, delivered, popped, dropped, queued, buffered } = running.deliveries();
  expect([published, queued, buffered]).toEqual([total, 0, 0]);
  expect(delivered + popped + dropped).toBe(total);
  for (let number = 0; number < total; number += 1) {
    const state = running.fate(number)?.state;
    // Events that a killed connection had taken but not passed on count as delivered; a lost event never arrives.
    if (state === 'lost') expect(received.has(number)).toBe(false);
    else expect(['delivered', 'popped']).toContain(state ?? 'none');
  }
  expect(received.size).toBeLessThanOrEqual(delivered + popped);
  // Their number depends on the machine.
  expect(received.size).toBeGreaterThan(total / 2);
}, 60_000);
