import { describe, expect, test } from 'bun:test';
import { readDuration, readHead, stampMs } from './log-line.ts';

const ACCESS_LINE =
  '[2026-11-29 06:43:34] [a1b2c3d4] [warn ] [gin_logger.go:95] 400 |          62ms |       127.0.0.1 | POST    "/v1/messages?key=sk-...1234"';

describe('a line of the log', () => {
  test('of a request is read into its parts', () => {
    expect(readHead(ACCESS_LINE)).toEqual({
      stamp: '2026-11-29 06:43:34',
      requestId: 'a1b2c3d4',
      level: 'warn',
      source: 'gin_logger.go:95',
      message: '400 |          62ms |       127.0.0.1 | POST    "/v1/messages?key=sk-...1234"',
      access: {
        status: 400,
        latencyMs: 62,
        ip: '127.0.0.1',
        method: 'POST',
        path: '/v1/messages?key=sk-...1234',
        error: '',
      },
    });
  });

  test('may end in an error', () => {
    expect(readHead(`${ACCESS_LINE} | broken | pipe`)?.access?.error).toBe('broken | pipe');
  });

  test('without a request is a message', () => {
    const head = readHead('[2026-11-29 06:42:53] [--------] [info ] [util.go:70] log level changed');
    expect(head).toMatchObject({ requestId: '', level: 'info', message: 'log level changed', access: null });
  });

  test.each([
    ['[2026-11-29 06:42:53] [debug] [util.go:70] no id', { requestId: '', level: 'debug', source: 'util.go:70' }],
    ['[2026-11-29 06:42:53] free text', { level: '', message: 'free text' }],
    ['[2026-11-29 06:42:53] [--------] [error] no source', { level: 'error', source: '', message: 'no source' }],
    ['[2026-11-29 06:42:53] [--------] [info ] [a.go:1] ', { message: '' }],
  ])('of another version is read as far as possible: %s', (line, expected) => {
    expect(readHead(line)).toMatchObject(expected);
  });

  test.each(['  at main.go:3', '', '{"a":1}', '[not a time] x', 'goroutine 1 [running]:'])('%p continues', (line) => {
    expect(readHead(line)).toBeNull();
  });

  test('that is hostile is read in no time', () => {
    const started = process.cpuUsage();
    for (const part of ['"\\', '| ', '] [', '[', '200 | ']) {
      readHead(`[2026-11-29 06:43:34] [a] [info ] [a.go:1] 200 | 1ms | 1.1.1.1 | GET "${part.repeat(30_000)}`);
      readHead(`[2026-11-29 06:43:34] ${part.repeat(30_000)}`);
    }
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(2_000);
  });
});

test.each([
  ['62ms', 62],
  ['1.5s', 1_500],
  ['1m2.5s', 62_500],
  ['1h0m1s', 3_601_000],
  ['250µs', 0.25],
  ['soon', null],
  ['', null],
])('the duration %p is %p ms', (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test('a stamp is an instant', () => {
  expect(stampMs('2026-11-29 06:43:34')).toBe(Date.UTC(2026, 10, 29, 6, 43, 34));
});
