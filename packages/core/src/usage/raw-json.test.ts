import { describe, expect, test } from 'bun:test';
import { redactedJson, redactedJsonText } from './raw-json.ts';

describe('the kept original', () => {
  test('has sorted keys at every depth and all unknown members', () => {
    const { text } = redactedJson({ b: [{ z: 1, a: null }], a: { d: true, c: 1.5 }, '10': 1, '9': 2 });
    expect(text).toBe('{"10":1,"9":2,"a":{"c":1.5,"d":true},"b":[{"a":null,"z":1}]}');
  });

  test('sorts by code points', () => {
    expect(redactedJson({ '\u{1f600}': 1, '\uff01': 2, z: 3 }).text).toBe('{"z":3,"\uff01":2,"\u{1f600}":1}');
  });

  test('hides credentials under every spelling of their name', () => {
    const item = {
      api_key: 'a1',
      'X-API-Key': 'b2',
      Authorization: ['c3'],
      response_headers: { 'Set-Cookie': ['d4'], 'Proxy-Authorization': 'e5', ' Cookie ': 'f6' },
      client_secret: { deep: 'g7' },
      mySecretThing: 'h8',
      accessToken: 'i9',
    };
    const { text } = redactedJson(item);
    expect(text).not.toMatch(/[a-i][1-9]"/);
    expect(JSON.parse(text).response_headers['Set-Cookie']).toBe('[redacted]');
  });

  test('keeps fingerprints, token counts and hashes', () => {
    const item = { access_token_sha256: 'ab', api_key_hash: 'cd', tokens: { total_tokens: 1 } };
    expect(JSON.parse(redactedJson(item).text)).toEqual(item);
  });

  test('masks the names of accounts, which can be provider keys', () => {
    const { text } = redactedJson({ source: 'sk-demo-client-key-0001', email: 'person@example.org', account: 'plain' });
    expect(JSON.parse(text)).toEqual({ source: 'm:sk-d...0001', email: 'per***@example.org', account: 'plain' });
  });

  test('masks what the item says to be a key, at any depth and in items that are wrapped', () => {
    const item = { auth_type: 'apikey', provider: 'claude', source: 'team/key-7781', seen: [{ account: 'short-one' }] };
    const masked = { ...item, source: 'm:team...7781', seen: [{ account: 'm:shor...-one' }] };
    expect(JSON.parse(redactedJson(item).text)).toEqual(masked);
    expect(JSON.parse(redactedJson({ detail: item, source: 'plain' }).text)).toEqual({
      detail: masked,
      source: 'plain',
    });
    const wrapper = { cache_input_mode: 'included_in_input', raw_json: JSON.stringify(item) };
    const { raw_json } = JSON.parse(redactedJsonText(JSON.stringify(wrapper)));
    expect(JSON.parse(raw_json)).toEqual(masked);
    expect(JSON.parse(redactedJson({ key: 'client-key-1' }).text)).toEqual({ key: 'm:clie...ey-1' });
    expect(JSON.parse(redactedJsonText('{"account":"abc/def"}', 'abc/def'))).toEqual({ account: 'm:****' });
  });

  test('cleans caller data and failure bodies', () => {
    const { text } = redactedJson({
      user_agent: 'a\u202eb',
      fail: { body: 'Authorization: Bearer abcdefgh', status_code: 500 },
      fail_body: 'me@example.org',
      body: 'me@example.org',
    });
    expect(JSON.parse(text)).toEqual({
      user_agent: 'a b',
      fail: { body: 'Authorization: [redacted]', status_code: 500 },
      fail_body: 'm***@example.org',
      body: 'me@example.org',
    });
  });

  test('is stable when redacted again', () => {
    const once = redactedJson({
      source: 'person@example.org',
      fail: { body: '{"cookie":"x"}' },
      note: 'sk-abcdefgh',
    }).text;
    expect(redactedJsonText(once)).toBe(once);
  });

  test('members named like object internals are plain members', () => {
    expect(redactedJson(JSON.parse('{"__proto__":{"a":1},"constructor":2}')).text).toBe(
      '{"__proto__":{"a":1},"constructor":2}',
    );
  });
});

test('a text that is no JSON object is sanitized as text', () => {
  expect(redactedJsonText('Authorization: Bearer abc')).toBe('Authorization: [redacted]');
  expect(redactedJsonText('["me@example.org"]')).toBe('["m***@example.org"]');
});
