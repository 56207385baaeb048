import { describe, expect, test } from 'bun:test';
import { Hono } from 'hono';
import type { ManagerEnv } from './environment.ts';
import { queryParameter } from './query.ts';
import { ADMIN, startTestServer } from './testing.ts';

describe('a parameter of the query', () => {
  test.each([
    ['', 200, '-'],
    ['?days=7', 200, '7'],
    ['?days=', 200, ''],
    ['?days', 200, ''],
    ['?days=7&days=7', 200, '7'],
    ['?days=%37&days=7', 200, '7'],
    ['?other=1&other=2&days=7', 200, '7'],
    ['?Days=1&days=7', 200, '7'],
    ['?days=7&days=8', 400, 'days: given more than once, with different values'],
    ['?days=7&d%61ys=8', 400, 'days: given more than once, with different values'],
    ['?days=&days=8', 400, 'days: given more than once, with different values'],
    ['?days=7&days', 400, 'days: given more than once, with different values'],
  ])('of %p is %d %p', async (query, status, text) => {
    const path = '/v0/management/monitoring/days';
    const server = startTestServer({
      handlers: { monitoring: new Hono<ManagerEnv>().get(path, (c) => c.json(queryParameter(c, 'days') ?? '-')) },
    });
    try {
      const answer = await fetch(server.url + path + query, { headers: ADMIN });
      const body = await answer.json();
      expect({ status: answer.status, body }).toEqual({
        status,
        body: status === 200 ? text : { error: text, code: 'request_failed' },
      });
    } finally {
      await server.stop(0);
    }
  });
});
