import { expect } from 'bun:test';
import type { Server } from 'node:net';
import type { ManagerProcess } from './manager-process.ts';
import { TEST_UPSTREAM_KEY } from './test-gateway.ts';

interface Refused {
  readonly status: number;
  readonly error: string;
  readonly code: string;
  readonly reason?: string;
  readonly triesLeft?: number;
}

/** An answer of JSON, which never contains the management key. */
export async function send(manager: ManagerProcess, method: string, path: string, body?: object): Promise<Refused> {
  const answer = await manager.fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  expect(text).not.toContain(TEST_UPSTREAM_KEY);
  return { status: answer.status, ...(JSON.parse(text) as Omit<Refused, 'status'>) };
}

export const setup = (manager: ManagerProcess, cpaBaseUrl: string, rest: object = {}) =>
  send(manager, 'POST', '/setup', { cpaBaseUrl, cpaManagementKey: TEST_UPSTREAM_KEY, ...rest });

/** Listens on a free port. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The answer to a WebSocket handshake that is refused. */
export async function handshakeThrough(manager: ManagerProcess): Promise<object> {
  const answer = await fetch(`${manager.url}/v0/resource/plugins/x`, {
    headers: {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    },
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}
