import { describe, expect, test } from 'bun:test';
import { type CallOptions, createClient } from '../../platform/api/client.ts';
import { makeMaintenance } from './testing/make-maintenance.ts';
import { archiveCalls, isMaintenance } from './wire.ts';

type Answering = (path: string, options: CallOptions | undefined) => Response;

function callsTo(answer: Answering) {
  const asked: string[] = [];
  const calls = archiveCalls(
    createClient({
      page: 'http://manager.test/',
      fetch: async (url, init) => {
        asked.push(`${init.method} ${url.pathname.slice(1)}${url.search}`);
        return answer(url.pathname, { method: 'GET' });
      },
      session: () => ({ key: 'key', base: 'http://manager.test/', mode: 'manager' }),
      onUnauthorized: () => {},
      onNotConfigured: () => {},
      clock: () => 0,
      wait: async () => {},
    }),
  );
  return { asked, calls };
}

const failing = (status: number) => () => new Response('{"error":"no","code":"request_failed"}', { status });

describe('whether a server has archives', () => {
  test.each([
    ['answers the probe', () => new Response(null, { status: 204 }), true],
    ['answers a page', () => new Response('<html>', { status: 200 }), false],
    ['does not know it', failing(404), false],
    ['refuses HEAD', failing(405), false],
  ] as const)('a server that %s: %#', async (_, answer, has) => {
    const { calls, asked } = callsTo(answer);
    expect(await calls.probe()).toBe(has);
    expect(asked).toEqual(['HEAD v0/management/usage/maintenance']);
  });

  test('is not decided by one that fails', async () => {
    await expect(callsTo(failing(503)).calls.probe()).rejects.toMatchObject({ status: 503 });
  });

  test('an answer without its members is rejected', async () => {
    const json = (body: unknown) => () => Response.json(body);
    const { calls } = callsTo(json(makeMaintenance()));
    expect(await calls.maintenance()).toMatchObject({ raw_event_count: 1_500 });
    await expect(callsTo(json({ status: 'ok' })).calls.maintenance()).rejects.toMatchObject({ kind: 'shape' });
    expect([isMaintenance(null), isMaintenance([]), isMaintenance({ raw_event_count: 1 })]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('what is sent', () => {
  const id = 'a'.repeat(32);
  const answer = () => Response.json({ run: {}, segments: [] });

  test.each([
    ['resume', 'archiving', `resume?expected_stage=archiving&background=true`],
    ['verify', null, 'verify?background=true'],
    ['delete', null, 'delete?background=true'],
    ['cancel', null, 'cancel'],
  ] as const)('for %s', async (command, stage, sent) => {
    const { calls, asked } = callsTo(answer);
    await calls.act(id, command, stage);
    expect(asked).toEqual([`POST v0/management/usage/archives/${id}/${sent}`]);
  });

  test('for a list', async () => {
    const { calls, asked } = callsTo(() => Response.json({ runs: [], total: 0, status_counts: {} }));
    await calls.list({ status: '', mode: '' }, '');
    await calls.list({ status: 'failed', mode: 'manual' }, 'abc');
    expect(asked).toEqual([
      'GET v0/management/usage/archives?limit=50',
      'GET v0/management/usage/archives?limit=50&status=failed&mode=manual&cursor=abc',
    ]);
  });
});
