import { describe, expect, test } from 'bun:test';
import { authenticated, command, connectRaw, KEY, messageFrame, popResp, subscribed } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { Fault, FramePosition } from './fault-types.ts';

const start = simulatorStarter();

const EVENT = '{"model":"gpt-5.4","n":1}';
const FRAME = messageFrame(EVENT);
const POP = `*1\r\n$${EVENT.length}\r\n${EVENT}\r\n`;

/** What is sent before a frame breaks off. */
const CUTS: readonly { at: FramePosition; message: string; pop: string }[] = [
  { at: 'array-header', message: '*', pop: '*' },
  { at: 'length', message: '*3\r\n$7\r\nmessage\r\n$5\r\nusage\r\n$2', pop: '*1\r\n$2' },
  { at: 'payload', message: FRAME.slice(0, -15), pop: POP.slice(0, -15) },
  { at: 'before-crlf', message: FRAME.slice(0, -2), pop: POP.slice(0, -2) },
];

describe('cut-frame', () => {
  for (const { at, message, pop } of CUTS) {
    test(`${at}: a message breaks off and the connection ends`, async () => {
      const running = await start();
      const client = await subscribed(running);
      running.fault({ kind: 'cut-frame', at, on: 'message' });
      await running.publish(EVENT);
      expect(await client.rest()).toBe(message);
      expect(running.deliveries()).toMatchObject({ delivered: 0, dropped: 1 });
      const next = await subscribed(running);
      await running.publish(EVENT);
      expect(await next.read(FRAME.length)).toBe(FRAME);
    });

    test(`${at}: the answer of a pop breaks off; its events are gone`, async () => {
      const running = await start();
      const client = await authenticated(running);
      await running.publish(EVENT);
      running.fault({ kind: 'cut-frame', at, on: 'pop' });
      client.send(command('RPOP', 'usage', '10'));
      expect(await client.rest()).toBe(pop);
      expect(running.queueLength()).toBe(0);
    });

    test(`${at}: a stalled frame goes on after its time`, async () => {
      const running = await start();
      const client = await subscribed(running);
      running.fault({ kind: 'stall-frame', at, ms: 45_000, on: 'message' });
      await running.publish(EVENT);
      expect(await client.read(message.length)).toBe(message);
      running.advance(44_999);
      await Bun.sleep(10);
      expect(client.waiting()).toBe(0);
      running.advance(1);
      expect(message + (await client.read(FRAME.length - message.length))).toBe(FRAME);
      expect(running.deliveries().delivered).toBe(1);
    });
  }
});

describe('close-before-reply', () => {
  for (const on of ['AUTH', 'SUBSCRIBE', 'POP'] as const) {
    test(`${on}: the command runs, its answer does not come`, async () => {
      const running = await start();
      await running.publish(EVENT);
      running.fault({ kind: 'close-before-reply', on });
      const client = await connectRaw(running);
      client.send(command('AUTH', KEY));
      if (on !== 'AUTH') await client.read(5);
      if (on === 'SUBSCRIBE') client.send(command('SUBSCRIBE', 'usage'));
      if (on === 'POP') client.send(command('LPOP', 'usage'));
      expect(await client.rest()).toBe('');
      expect(running.queueLength()).toBe(on === 'POP' ? 0 : 1);
      expect(running.requests({ method: 'LPOP' })).toMatchObject(
        on === 'POP' ? [{ consumedEvents: 1, finished: false }] : [],
      );
    });
  }

  test('runs: false leaves the events where they are', async () => {
    const running = await start();
    await running.publish(EVENT);
    running.fault({ kind: 'close-before-reply', on: 'POP', runs: false });
    const client = await authenticated(running);
    client.send(command('RPOP', 'usage', '5'));
    await client.closed();
    expect(running.queueLength()).toBe(1);
  });
});

describe('packets', () => {
  test('drip sends byte by byte, with the same result', async () => {
    const running = await start();
    running.fault({ kind: 'drip', times: 'always' });
    const client = await subscribed(running);
    await running.publish(EVENT, { count: 3 });
    expect(await client.read(FRAME.length * 3)).toBe(FRAME.repeat(3));
  });

  test('glue holds frames back and sends them in one piece', async () => {
    const running = await start();
    const client = await subscribed(running);
    running.fault({ kind: 'glue', ms: 1000 });
    await running.publish(EVENT, { count: 5 });
    await Bun.sleep(10);
    expect(client.waiting()).toBe(0);
    running.advance(1000);
    expect(await client.read(FRAME.length * 5)).toBe(FRAME.repeat(5));
  });
});

describe('pub/sub oddities', () => {
  const NIL = '*2\r\n$4\r\npong\r\n$-1\r\n';
  for (const [fault, answer] of [
    [null, NIL],
    [{ kind: 'pong', reply: 'simple' }, '+PONG\r\n'],
    [{ kind: 'pong', reply: 'none' }, ''],
  ] as readonly [Fault | null, string][]) {
    test(`PING with ${JSON.stringify(fault)}`, async () => {
      const running = await start();
      const client = await subscribed(running);
      if (fault !== null) running.fault(fault);
      client.send(command('PING') + command('PING', 'x'));
      const expected = `${answer}*2\r\n$4\r\npong\r\n$1\r\nx\r\n`;
      expect(await client.read(expected.length)).toBe(expected);
    });
  }

  for (const [frame, bytes] of [
    ['pong', NIL],
    ['subscribe', '*3\r\n$9\r\nsubscribe\r\n$5\r\nusage\r\n:1\r\n'],
    ['unknown', '*2\r\n$10\r\ninvalidate\r\n$1\r\nx\r\n'],
  ] as const) {
    test(`an unasked ${frame} frame, at once or after the next subscription`, async () => {
      const running = await start();
      const client = await subscribed(running);
      running.fault({ kind: 'extra-frame', frame });
      expect(await client.read(bytes.length)).toBe(bytes);
      client.end();
      while (running.subscribers().length > 0) await Bun.sleep(1);
      running.fault({ kind: 'extra-frame', frame });
      const next = await subscribed(running);
      expect(await next.read(bytes.length)).toBe(bytes);
    });
  }

  test('a message of another channel', async () => {
    const running = await start();
    const client = await subscribed(running);
    running.fault({ kind: 'wrong-channel' });
    await running.publish(EVENT);
    const wrong = FRAME.replace('usage', 'other');
    expect(await client.read(FRAME.length * 2)).toBe(FRAME + wrong);
  });

  test('duplicates come twice and are counted once', async () => {
    const running = await start();
    running.fault({ kind: 'duplicate', times: 2 });
    await running.publish(EVENT, { number: 1 });
    const poller = await authenticated(running);
    expect(await popResp(poller, 1)).toEqual([EVENT]);
    expect(await popResp(poller, 9)).toEqual([EVENT]);
    const client = await subscribed(running);
    await running.publish(EVENT, { number: 2 });
    expect(await client.read(FRAME.length * 2)).toBe(FRAME + FRAME);
    expect(running.deliveries()).toMatchObject({
      published: 2,
      popped: 1,
      delivered: 1,
      dropped: 0,
      queued: 0,
      buffered: 0,
    });
  });

  test('reverse gives the newest of a pop first', async () => {
    const running = await start();
    for (const n of [1, 2, 3]) await running.publish(`{"n":${n}}`);
    running.fault({ kind: 'reverse' });
    expect(await popResp(await authenticated(running), 2)).toEqual(['{"n":2}', '{"n":1}']);
  });

  test('a refresh storm, and nothing where the version does not know it', async () => {
    const running = await start();
    const client = await subscribed(running);
    await running.refresh({ count: 100 });
    const storm = messageFrame('{"refresh":true}').repeat(100);
    expect(await client.read(storm.length)).toBe(storm);
    running.setProfile('v7.0.7');
    const old = await subscribed(running);
    await running.refresh();
    await Bun.sleep(5);
    expect(old.waiting()).toBe(0);
  });

  test('the errors channel gets failures, and only with a subscriber', async () => {
    const running = await start();
    running.publishError();
    const client = await authenticated(running);
    client.send(command('SUBSCRIBE', 'errors'));
    const confirmation = '*3\r\n$9\r\nsubscribe\r\n$6\r\nerrors\r\n:1\r\n';
    expect(await client.read(confirmation.length)).toBe(confirmation);
    running.publishError({ status_code: 500 });
    const frame = '*3\r\n$7\r\nmessage\r\n$6\r\nerrors\r\n$19\r\n{"status_code":500}\r\n';
    expect(await client.read(frame.length)).toBe(frame);
    await running.publish(EVENT);
    expect(running.queueLength()).toBe(1);
  });

  test('the channel is echoed as the client spelled it', async () => {
    const running = await start({ profile: 'v7.0.7' });
    const client = await authenticated(running);
    client.send(command('subscribe', ' Usage '));
    const confirmation = '*3\r\n$9\r\nsubscribe\r\n$5\r\nUsage\r\n:1\r\n';
    expect(await client.read(confirmation.length)).toBe(confirmation);
    await running.publish('{}');
    expect(await client.read(FRAME.length - EVENT.length + 1)).toContain('Usage');
  });
});

describe('malformed input', () => {
  for (const [input, answer] of [
    ['*x\r\n', '-ERR protocol error\r\n'],
    ['*1\r\n$x\r\n', '-ERR protocol error\r\n'],
    [':1\r\n', '-ERR protocol error\r\n'],
    ['*0\r\n', '-ERR empty command\r\n'],
    ['*1\r\n$9\r\nAUT', '-ERR unexpected EOF\r\n'],
    ['*2\r\n$4\r\nAU', '-ERR unexpected EOF\r\n'],
    ['*2\r\n', ''],
  ] as const) {
    test(JSON.stringify(input), async () => {
      const running = await start();
      const client = await connectRaw(running);
      client.send(input);
      await Bun.sleep(5);
      client.finish();
      expect(await client.rest()).toBe(answer);
    });
  }

  test('elements may be simple strings and integers; names have no case; commands may be pipelined', async () => {
    const running = await start();
    await running.publish('{"n":1}');
    const client = await connectRaw(running);
    client.send(`*2\r\n+auth\r\n+${KEY}\r\n*3\r\n$4\r\nrPoP\r\n$5\r\nUSAGE\r\n:5\r\n`);
    const expected = '+OK\r\n*1\r\n$7\r\n{"n":1}\r\n';
    expect(await client.read(expected.length)).toBe(expected);
  });

  test('a command may arrive in single bytes', async () => {
    const running = await start();
    const client = await connectRaw(running);
    for (const byte of command('AUTH', KEY)) {
      client.send(byte);
      await Bun.sleep(0);
    }
    expect(await client.read(5)).toBe('+OK\r\n');
  });
});

describe('the port', () => {
  test('silent clients are closed after 10 s, not by old versions', async () => {
    const running = await start();
    const client = await connectRaw(running);
    await Bun.sleep(10);
    running.advance(9_999);
    await Bun.sleep(5);
    expect(client.isClosed()).toBe(false);
    running.advance(1);
    await client.closed();
    running.setProfile('v6.10.8');
    const patient = await connectRaw(running);
    await Bun.sleep(10);
    running.advance(60_000);
    await Bun.sleep(5);
    expect(patient.isClosed()).toBe(false);
  });

  test('refused connections: the port opens again after its time, or when the fault is cleared', async () => {
    const running = await start();
    running.fault({ kind: 'refuse-connections', forMs: 5_000 });
    await expect(connectRaw(running)).rejects.toThrow();
    running.advance(5_000);
    await authenticated(running);
    const id = running.fault({ kind: 'refuse-connections' });
    await expect(connectRaw(running)).rejects.toThrow();
    running.clearFaults(id);
    await authenticated(running);
  });

  test('a restart with downtime closes everything and opens the same port again', async () => {
    const running = await start();
    const client = await subscribed(running);
    await running.publish(EVENT);
    running.restart({ downMs: 3_000 });
    await client.closed();
    await expect(connectRaw(running)).rejects.toThrow();
    running.advance(3_000);
    await subscribed(running);
  });

  test('accepted and then silent', async () => {
    const running = await start();
    running.fault({ kind: 'silent-connections' });
    const client = await connectRaw(running);
    client.send(command('AUTH', KEY));
    await Bun.sleep(10);
    running.advance(600_000);
    await Bun.sleep(5);
    expect([client.waiting(), client.isClosed()]).toEqual([0, false]);
    await authenticated(running);
  });

  test('reset right after accepting', async () => {
    const running = await start();
    running.fault({ kind: 'reset-connections' });
    const client = await connectRaw(running);
    await client.closed();
    await authenticated(running);
  });

  test('freeze keeps the socket open and sends nothing; afterwards everything arrives', async () => {
    const running = await start();
    const client = await subscribed(running);
    running.fault({ kind: 'freeze' });
    await running.publish(EVENT);
    client.send(command('PING'));
    await Bun.sleep(10);
    expect([client.waiting(), client.isClosed()]).toEqual([0, false]);
    running.clearFaults();
    const expected = `${FRAME}*2\r\n$4\r\npong\r\n$-1\r\n`;
    expect((await client.read(expected.length)).length).toBe(expected.length);
  });
});

test('a fault applies once, or as often as set, after the skipped occasions', async () => {
  const running = await start();
  const client = await subscribed(running);
  running.fault({ kind: 'pong', reply: 'simple', skip: 1, times: 2 });
  client.send(command('PING', 'a').repeat(4));
  const expected = '*2\r\n$4\r\npong\r\n$1\r\na\r\n+PONG\r\n+PONG\r\n*2\r\n$4\r\npong\r\n$1\r\na\r\n';
  expect(await client.read(expected.length)).toBe(expected);
});

test('RESP commands are recorded in order with arguments, replies and what they consumed', async () => {
  const running = await start();
  await running.publish(EVENT);
  const client = await authenticated(running);
  await popResp(client, 3);
  client.send(command('HELLO', '3'));
  await client.read(5);
  expect(running.requests({ protocol: 'resp' })).toMatchObject([
    { sequence: 1, method: 'AUTH', args: [KEY], reply: '+OK', consumedEvents: 0, finished: true },
    { method: 'RPOP', args: ['usage', '3'], reply: '*1', consumedEvents: 1 },
    { method: 'HELLO', args: ['3'], reply: "-ERR unknown command 'hello'" },
  ]);
});
