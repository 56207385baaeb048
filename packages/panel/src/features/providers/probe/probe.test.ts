import { describe, expect, test } from 'bun:test';
import { KINDS, kindOf } from '../../../platform/gateway/providers/kinds.ts';
import { listedModels, modelListCall, testCall } from './probe.ts';
import { testWord } from './test-word.ts';

const typed = { key: 'the-key', authIndex: '', weight: null };
const listed = { key: 'the-key', authIndex: 'ab', weight: null };
const entry = { 'base-url': 'https://x.test/v1/' };

describe('a call to a provider', () => {
  test('goes to the address of its kind', () => {
    const urls = KINDS.map((kind) => testCall(kind, entry, listed, 'a/b').url.replace('https://x.test/v1', ''));
    expect(urls).toEqual([
      '/v1beta/models/a%2Fb:generateContent',
      '/v1beta/interactions',
      '/responses',
      '/responses',
      '/v1/messages',
      '/v1/publishers/google/models/a%2Fb:generateContent',
      '/chat/completions',
    ]);
    expect(testCall(kindOf('claude'), {}, listed, 'm').url).toBe('https://api.anthropic.com/v1/messages');
    const lists = KINDS.map((kind) =>
      modelListCall(kind, entry, listed)?.url.replace(/^https:\/\/x.test\/v1|\?.*$/g, ''),
    );
    expect(lists).toEqual([
      '/v1beta/models',
      '/v1beta/models',
      '/models',
      '/models',
      '/v1/models',
      undefined,
      '/models',
    ]);
  });

  test('leaves the key to the gateway where the gateway has the account', () => {
    for (const kind of KINDS) {
      const sent = testCall(kind, entry, listed, 'm');
      expect(sent.auth_index).toBe('ab');
      expect(JSON.stringify(sent)).not.toContain('the-key');
      expect(Object.values(sent.header).some((value) => value.includes('$TOKEN$'))).toBe(true);
    }
  });

  test('has the typed key, its headers and its proxy otherwise', () => {
    const whole = { ...entry, 'proxy-url': 'http://p.test', headers: { 'X-Own': '1', 'X-Client': '$copied' } };
    const sent = testCall(kindOf('openai'), whole, typed, 'm');
    expect(sent.proxy_url).toBe('http://p.test');
    expect(sent.header).toEqual({ 'Content-Type': 'application/json', Authorization: 'Bearer the-key', 'X-Own': '1' });
    expect(sent).not.toHaveProperty('auth_index');
    expect(testCall(kindOf('openai'), { ...entry, 'proxy-url': 'direct' }, typed, 'm')).not.toHaveProperty('proxy_url');
  });
});

test('names of models are read from every kind of answer', () => {
  expect(listedModels('{"data":[{"id":"b"},{"id":"a"},{"id":"a"}]}')).toEqual(['a', 'b']);
  expect(listedModels('{"models":[{"name":"models/gem"}]}')).toEqual(['gem']);
  expect(listedModels('["x",{"id":1}]')).toEqual(['x']);
  for (const other of ['{}', 'no', '{"data":{}}']) expect(listedModels(other)).toBeNull();
});

test.each([
  [200, '', 'Works'],
  [401, '', 'Refused'],
  [403, '', 'Refused'],
  [404, '', 'NotFound'],
  [429, '', 'Limit'],
  [500, '', 'Failed'],
  [0, 'request failed', 'Unreached'],
  [0, 'the gateway returned 502: request failed', 'Unreached'],
  [0, 'invalid proxy_url', 'Gateway'],
] as const)('a test with status %p %p is shown as %p', (status, body, word) => {
  expect(testWord({ status, body })).toBe(`providers.test${word}`);
});
