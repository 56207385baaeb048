import { afterEach, expect, test } from 'bun:test';
import { NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import type { NotificationLogResponse } from '@manager/core/contract/notifications/targets';
import { until } from '@manager/core/testing/until';
import { ManagerProcess } from '../support/manager-process.ts';

const SECRET_PATH = 'hook-with-a-secret-in-its-path';

let manager: ManagerProcess | null = null;
let receiver: ReturnType<typeof Bun.serve> | null = null;
afterEach(async () => {
  await manager?.remove();
  receiver?.stop(true);
});

async function ask(method: string, path: string, body: unknown): Promise<void> {
  const running = manager;
  if (running === null) throw new Error('no manager');
  const answer = await fetch(`${running.url}${NOTIFICATIONS_PATH}${path}`, {
    method,
    headers: { authorization: `Bearer ${running.adminKey}` },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

const settings = (diskFreeGiB: number) =>
  ask('PUT', '/settings', { baseUrl: '', quotaLowPercent: 20, diskFreeGiB, collectorDownMinutes: 5 });

/** A target that hears of a full disk, in a database that knows it. */
async function prepare(received: string[]): Promise<string> {
  receiver = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch(request) {
      received.push(request.headers.get('x-manager-message-id') ?? '');
      return new Response('ok');
    },
  });
  manager = await ManagerProcess.start({});
  await settings(0);
  await ask('POST', '/targets', {
    kind: 'webhook',
    name: 'Hook',
    enabled: true,
    language: 'en',
    events: ['disk_low'],
    sendRecovered: true,
    showAccounts: true,
    timeZone: '',
    quietHours: null,
    options: {},
    secrets: { url: `http://127.0.0.1:${receiver.port}/${SECRET_PATH}` },
  });
  const { dataDir } = manager;
  await until(async () => (await observed(dataDir)).includes('disk_low'));
  await manager.stop();
  return dataDir;
}

async function observed(dataDir: string): Promise<string> {
  const { openDatabase } = await import('@manager/server/sqlite/open');
  const db = openDatabase(`${dataDir}/usage.sqlite`, { readonly: true });
  try {
    return db.query<{ observed: string }, []>('SELECT observed FROM notification_targets').get()?.observed ?? '';
  } finally {
    db.close();
  }
}

test.each(['notification_composed', 'notification_delivered'])(
  'a message survives a kill at %s, and is sent once more at most',
  async (stopAt) => {
    const received: string[] = [];
    const dataDir = await prepare(received);
    const killed = await ManagerProcess.start({ dataDir, stopAt });
    manager = killed;
    // No volume has as much free space.
    await settings(1_000_000);
    await killed.killed();
    expect(received).toHaveLength(stopAt === 'notification_composed' ? 0 : 1);

    manager = await ManagerProcess.start({ dataDir });
    // The attempt of the killed process counts, so that the next one is half a minute later.
    await until(() => received.length === (stopAt === 'notification_composed' ? 1 : 2));
    expect(new Set(received).size).toBe(1);
    await until(async () => (await log()).some(({ status }) => status === 'sent'));
    expect(manager.output + killed.output).not.toContain(SECRET_PATH);
  },
  240_000,
);

async function log(): Promise<readonly { readonly status: string }[]> {
  if (manager === null) throw new Error('no manager');
  return (await manager.json<NotificationLogResponse>(`${NOTIFICATIONS_PATH}/log`)).items;
}
