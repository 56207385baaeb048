import { describe, expect, test } from 'bun:test';
import { testRedaction } from '@manager/core/redaction/testing/cases';
import { messageOf } from './error-text.ts';
import { createLogging, type Logger } from './logger.ts';
import { createRedactor } from './redactor.ts';

async function capture(pretty = false) {
  const lines: string[] = [];
  const logging = await createLogging({ sink: { write: (line) => lines.push(line) }, pretty });
  return { ...logging, lines };
}

describe('redaction', () => {
  const redactor = createRedactor();
  for (const secret of ['s3cret-value', 'quote"and\\slash', 'äöü key/+']) redactor.protect(secret);
  redactor.protect('abc');

  const cases: [string, string, string[]][] = [
    ['a known value', 'key s3cret-value used', ['s3cret-value']],
    ['a known value inside JSON', JSON.stringify({ a: 'quote"and\\slash' }), ['and\\\\slash']],
    ['a known value inside a URL', `/x?k=${encodeURIComponent('äöü key/+')}`, ['%C3%A4']],
    ['a bearer token', '{"h":"Authorization: Bearer abc.def-1"}', ['abc.def-1']],
    ['a manager key', `mgr_${'x'.repeat(43)}`, ['xxxx']],
    ['a client key', 'sk-0123456789abcdefghij', ['0123']],
    ['a password in a URL', 'dial http://user:pass@host/', ['user', 'pass@']],
    ['an e-mail address', 'account jane.doe+x@mail.example.com failed', ['jane', 'doe']],
  ];
  for (const [name, text, absent] of cases) {
    test(name, () => {
      const clean = redactor.redact(text);
      for (const part of absent) expect(clean).not.toContain(part);
    });
  }

  test('an address keeps its first letter and domain', () => {
    expect(redactor.redact('jane@example.com')).toBe('j***@example.com');
  });

  test('ordinary text stays', () => {
    const text = '{"path":"/node_modules/@manager/core","v":"bun@1.4.5","url":"http://host:1/a","abc":1}';
    expect(redactor.redact(text)).toBe(text);
  });
});

describe('log lines', () => {
  test('are JSON with level, time and message', async () => {
    const { logger, lines } = await capture();
    logger.info({ port: 1 }, 'listening');
    const line = JSON.parse(lines.join(''));
    expect(line).toMatchObject({ level: 'info', port: 1, msg: 'listening' });
    expect(new Date(line.time).getTime()).toBeGreaterThan(0);
    expect(line).not.toHaveProperty('hostname');
  });

  test('hide members that carry secrets, whatever their value', async () => {
    const { logger, lines } = await capture();
    logger.info(
      { authorization: 'plain1', headers: { authorization: 'plain2' }, request: { adminKey: 'plain3' } },
      'x',
    );
    expect(lines.join('')).not.toContain('plain');
  });

  test('hide protected values in messages, fields, errors and causes', async () => {
    const { logger, protect, lines } = await capture();
    protect('s3cret-value');
    logger.child({ part: 's3cret-value' }).warn({ list: ['s3cret-value'] }, 'with s3cret-value');
    logger.error({ err: new Error('s3cret-value', { cause: new Error('s3cret-value') }) }, 'x');
    expect(lines.length).toBe(2);
    expect(lines.join('')).not.toContain('s3cret-value');
  });

  test('keep of the URLs in errors and their causes only scheme, host and port', async () => {
    const { logger, lines } = await capture();
    const url = "http://user-1:word-1@host:1/path-1/it's;p=1?code=query-1#part-1";
    const thrown = (message: string, cause?: Error) =>
      Object.assign(new Error(message, { cause }), { code: 'ECONNRESET', path: url, cert: { raw: 'certificate-1' } });
    const errors = [
      thrown('cut off'),
      thrown(`Malformed_HTTP_Response fetching "${url}". For more information`),
      thrown('outer', thrown(`inner ${url}`)),
      new AggregateError([thrown(url)], url),
    ];
    for (const err of errors) logger.error({ err }, 'failed');
    logger.warn(`waits: ${messageOf(errors[1])}`);
    expect(lines.join('')).not.toMatch(/user-1|word-1|path-1|query-1|part-1|certificate-1/);
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ code: 'ECONNRESET', path: 'http://host:1/...' });
    expect(lines[4]).toContain('fetching \\"http://host:1/...\\". For more information');
  });

  test('show a generated admin key exactly once', async () => {
    const { logger, announceAdminKey, lines } = await capture();
    const key = `mgr_${'k'.repeat(43)}`;
    announceAdminKey(key);
    logger.info({ key }, key);
    expect(lines.filter((line) => line.includes(key)).length).toBe(1);
    expect(lines[0]).toContain(`New admin key: ${key}`);
  });

  test('on a terminal are readable, and redacted too', async () => {
    const { logger, protect, lines } = await capture(true);
    protect('s3cret-value');
    logger.info({ a: 's3cret-value' }, 'hello');
    expect(lines.join('')).toContain('hello');
    expect(lines.join('')).not.toContain('s3cret-value');
    expect(() => JSON.parse(lines.join(''))).toThrow();
  });
});

describe('the log', () => {
  const logged = async (write: (logger: Logger) => void) => {
    const { logger, lines } = await capture();
    write(logger);
    return lines.join('');
  };
  // The message as it was given: what stays is compared with it.
  testRedaction({
    value: (value) => logged((logger) => logger.info(value, 'x')),
    text: async (text) => JSON.parse(await logged((logger) => logger.warn(text))).msg,
  });

  test('keeps counts of tokens', async () => {
    expect(await logged((logger) => logger.info({ total_tokens: 12 }, 'x'))).toContain('"total_tokens":12');
  });

  test('hides secrets in errors and their causes, and stays JSON', async () => {
    const text = await logged((logger) =>
      logger.error(
        { err: new Error('Cookie: a="b"; refused', { cause: new Error('{"access_token":"value-1"}') }) },
        'client_secret=value-2',
      ),
    );
    expect(JSON.parse(text).level).toBe('error');
    expect(text).not.toMatch(/a=\\"b|value-/);
  });
});
