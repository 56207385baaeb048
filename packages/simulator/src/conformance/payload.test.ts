import { describe, expect, test } from 'bun:test';
import eventIndex from '../fixtures/usage-events.index.json';
import { isObject } from '../json.ts';
import { reduceToProfile } from '../payload.ts';
import { PROFILE_NAMES, profileOf } from '../profiles.ts';
import { EVENT_LINES, eventLine } from '../testing/fixtures.ts';
import { authenticated, messageFrame, popHttp, popResp, subscribed } from '../testing/raw-client.ts';
import { simulatorStarter } from '../testing/start.ts';
import type { EventObject, ProfileName } from '../types.ts';

const start = simulatorStarter();

describe('every sample event', () => {
  for (const { line, name } of eventIndex.lines) {
    const text = EVENT_LINES[line - 1] ?? '';
    test(`${line} ${name} arrives unchanged over the three transports`, async () => {
      const running = await start();
      await running.publish(text);
      expect(await popHttp(running, 10)).toEqual([JSON.parse(text)]);

      const poller = await authenticated(running);
      await running.publish(text);
      expect(await popResp(poller, 10)).toEqual([text]);

      const subscriber = await subscribed(running);
      await running.publish(text);
      const frame = messageFrame(text);
      expect(await subscriber.read(Buffer.byteLength(frame))).toBe(frame);
    });
  }
});

/** Members of a version: those of its sample line, with the documented differences. */
const EXPECTED: Readonly<Record<ProfileName, readonly string[]>> = {
  'v6.9.38': members(eventLine(21)),
  'v6.10.8': members(eventLine(20)),
  'v7.0.7': [...members(eventLine(20)), 'fail', 'tokens.cache_read_tokens', 'tokens.cache_creation_tokens'],
  'v7.1.17': [
    ...members(eventLine(20)),
    'fail',
    'tokens.cache_read_tokens',
    'tokens.cache_creation_tokens',
    'response_headers',
  ],
  'v7.1.39': [...members(eventLine(19)), 'response_headers'],
  'v7.2.140': members(eventLine(2)),
  'http-only': members(eventLine(2)),
  off: members(eventLine(2)),
  home: members(eventLine(2)),
};

function members(event: EventObject): string[] {
  const names = Object.keys(event);
  const tokens = isObject(event.tokens) ? Object.keys(event.tokens) : [];
  return [...names, ...tokens.map((name) => `tokens.${name}`)];
}

describe('a full event is reduced to what a version publishes', () => {
  for (const name of PROFILE_NAMES) {
    test(name, () => {
      const reduced = reduceToProfile(eventLine(2), profileOf(name));
      expect(members(reduced).sort()).toEqual([...EXPECTED[name]].sort());
    });
  }

  test('with the values that version gave: cache reads in cached_tokens only, tier default', () => {
    const reduced = reduceToProfile(eventLine(2), profileOf('v7.1.39'));
    expect(reduced.service_tier).toBe('default');
    expect(reduced.tokens).toMatchObject({ cached_tokens: 40960, cache_read_tokens: 0, total_tokens: 50520 });
  });

  test('claude totals leave out the cache before v7.1.26', () => {
    expect(reduceToProfile(eventLine(3), profileOf('v7.1.17')).tokens).toMatchObject({ total_tokens: 3050 });
    expect(reduceToProfile(eventLine(3), profileOf('v7.1.39')).tokens).toMatchObject({ total_tokens: 23650 });
  });

  test('members are ordered as on the wire, whatever the version', () => {
    const reduced = reduceToProfile(eventLine(2), profileOf('v6.10.8'));
    expect(Object.keys(reduced)).toEqual(Object.keys(eventLine(20)));
  });
});

test('objects are published with the five escaped characters', async () => {
  const running = await start();
  const poller = await authenticated(running);
  await running.publish({ ...eventLine(2), user_agent: '<a>&\u2028\u2029' });
  const [text = ''] = await popResp(poller, 1);
  expect(text).toContain('"user_agent":"\\u003ca\\u003e\\u0026\\u2028\\u2029"');
});

test('text that is not JSON comes as a string over HTTP and as it is over RESP', async () => {
  const running = await start();
  const poller = await authenticated(running);
  await running.publish('plain text');
  expect(await popHttp(running, 1)).toEqual(['plain text']);
  await running.publish('plain text');
  expect(await popResp(poller, 1)).toEqual(['plain text']);
});

test('lengths are bytes of UTF-8', async () => {
  const running = await start();
  const subscriber = await subscribed(running);
  await running.publish('{"model":"模型-ü"}');
  const frame = '*3\r\n$7\r\nmessage\r\n$5\r\nusage\r\n$21\r\n{"model":"模型-ü"}\r\n';
  expect(await subscriber.read(Buffer.byteLength(frame))).toBe(frame);
});
