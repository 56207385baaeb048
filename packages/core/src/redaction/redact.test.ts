import { describe, expect, test } from 'bun:test';
import { isMaskedSource, maskSource, redactCredentials, sanitizeFailureText } from './redact.ts';

describe('failure texts', () => {
  test('ordinary words that look like key prefixes stay', () => {
    for (const text of ['task-manager failed', 'disk-failure-report', 'risk-assessment', 'kiosk-terminal-7']) {
      expect(sanitizeFailureText(text)).toBe(text);
    }
  });

  test('secrets in JSON, in JSON inside JSON, and in header lists are replaced', () => {
    const cases = [
      ['{"Authorization":"Basic dXNlcjpwYXNz","x":1}', '{"Authorization":"[redacted]","x":1}'],
      ['{"authorization":["Bearer abcdefgh1"],"x":1}', '{"authorization":["[redacted]"],"x":1}'],
      ['{\\"access_token\\":\\"abc\\",\\"x\\":1}', '{\\"access_token\\":\\"[redacted]\\",\\"x\\":1}'],
      ['{"set-cookie":["a=b; c","d=e"],"x":1}', '{"set-cookie":["[redacted]"],"x":1}'],
      ['{\\"cookie\\":\\"a=b\\",\\"x\\":1}', '{\\"cookie\\":\\"[redacted]\\",\\"x\\":1}'],
      ['{"cookie":"a=\\"b\\"; c=d","x":1}', '{"cookie":"[redacted]","x":1}'],
      ['Cookie: a=b\nNext: line', 'Cookie: [redacted]\nNext: line'],
      ['{"api_key_hash":"abc"}', '{"api_key_hash":"abc"}'],
      ['{"x-api-key":["abc"],"x":1}', '{"x-api-key":["[redacted]"],"x":1}'],
      ['a\\nCookie: sid=1\\r\\nauthorization: abc', 'a\\nCookie: [redacted]'],
      ['\\u003csk-abcdefgh\\u003e', '\\u003c[redacted]\\u003e'],
      ['{\\\\\\"cookie\\\\\\":\\\\\\"a=b\\\\\\"}', '{\\\\\\"cookie\\\\\\":\\\\\\"[redacted]\\\\\\"}'],
      ['x-api-key = zzz', 'x-api-key = [redacted]'],
      ['{"session_token":"abc","client_secret":"d"}', '{"session_token":"[redacted]","client_secret":"[redacted]"}'],
      ['the token eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM.c2ln-x_1 expired', 'the token [redacted] expired'],
      [`bad xai-${'a1'.repeat(20)}, no`, 'bad [redacted], no'],
      ['xai-person@example.org.json', 'x***@example.org.json'],
      ['refused: token=abcdefgh1ijklmnop, again', 'refused: token=[redacted], again'],
      ['invalid token: authentication_required; token: abc1', 'invalid token: authentication_required; token: abc1'],
      ['gen (jürgen@example.org)', 'gen (j***@example.org)'],
    ] as const;
    for (const [text, expected] of cases) expect(sanitizeFailureText(text)).toBe(expected);
  });

  test('is idempotent', () => {
    const texts = [
      'Authorization: Bearer abcdefghijkl',
      '{"authorization":["Bearer abcdefgh1"],"set-cookie":["a=b"],"cookie":"x"}',
      'Set-Cookie: sid=1; Path=/, X: 1',
      'api key: abc, me@example.org, sk-abcdefgh',
      'é'.repeat(5000),
      `${'x'.repeat(4095)}é${'y'.repeat(50)}`,
    ];
    for (const text of texts) {
      const once = sanitizeFailureText(text);
      expect(sanitizeFailureText(once)).toBe(once);
    }
  });

  test('whole characters are kept at the limit', () => {
    const cut = sanitizeFailureText('é'.repeat(3000));
    expect(cut).toBe(`${'é'.repeat(2048)}...`);
  });

  test('hostile texts of megabytes are processed fast', () => {
    const size = 4 * 1024 * 1024;
    const patterns = [
      'x',
      'a@',
      '@',
      'a.',
      ' ',
      '"cookie":',
      '\\',
      '"',
      'authorization:',
      'sk-',
      'cookie:',
      '[',
      'bearer ',
      'token:',
      'token=a',
    ];
    // Processor time, because it does not depend on other load.
    const started = process.cpuUsage();
    for (const pattern of patterns) {
      const body = pattern.repeat(size / pattern.length);
      for (const text of [body, `sk-${body}`, `"cookie":"${body}`, `${body}@example.org`, `é${body}é`]) {
        expect(sanitizeFailureText(text).length).toBeLessThanOrEqual(4099);
      }
    }
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(15_000);
  });
});

test('credentials are recognized by their shape alone', () => {
  expect(redactCredentials('key_sk-abcdef1 and sess-abcdef')).toBe('key_[redacted] and [redacted]');
  expect(redactCredentials(`github_pat_${'a'.repeat(20)}`)).toBe('[redacted]');
  expect(redactCredentials('short sk-1')).toBe('short sk-1');
});

test('a masked source is known as masked, however few characters the key has', () => {
  const keys = ['k', 'sk-short', 'sk-demo-client-key-0001', '\0\u{10000}\u{10000}', 'ééééé', '\u{1F511}'.repeat(9)];
  for (const key of [...keys, 'person@example.org', '@', '\u{1F511}@x']) {
    expect(isMaskedSource(maskSource(key, true))).toBe(true);
    expect(isMaskedSource(key)).toBe(false);
  }
});
