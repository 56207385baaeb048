import { afterEach, describe, expect, test } from 'bun:test';
import { healthResponseSchema, infoResponseSchema } from '@manager/core/contract/system/info';
import { startTestServer, type TestServer } from '../../../http/testing.ts';
import type { BootstrapState } from '../../setup/bootstrap-state.ts';
import { createInfoRoutes } from './routes.ts';
import { createInfoService } from './service.ts';

const FRESH: BootstrapState = {
  version: 1,
  status: 'fresh',
  adminReady: true,
  projectInitialized: false,
  dataKeyReady: true,
  migratedLegacy: true,
  hasHistoricalData: false,
  updatedAtMs: 1,
};

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});

function start(
  state: Partial<BootstrapState> = {},
  connected = false,
  demo = false,
  hasHistory = () => false,
): TestServer {
  const service = createInfoService({
    process: { version: 'v1.2.3', startedAt: 1_770_000_000_000, demo },
    bootstrapState: () => ({ ...FRESH, ...state }),
    connected: () => connected,
    hasHistory,
  });
  const server = startTestServer({ handlers: { info: createInfoRoutes(service) } });
  servers.push(server);
  return server;
}

async function info(server: TestServer): Promise<unknown> {
  const answer = await fetch(`${server.url}/usage-service/info`);
  expect(answer.status).toBe(200);
  const body: unknown = await answer.json();
  expect(infoResponseSchema.safeParse(body).error).toBeUndefined();
  return body;
}

describe('info', () => {
  test('of a new manager requires setup', async () => {
    expect(await info(start())).toEqual({
      service: 'cpa-manager-plus',
      mode: 'embedded',
      startedAt: 1_770_000_000_000,
      configured: false,
      projectInitialized: false,
      adminReady: true,
      setupRequired: true,
      migrationStatus: 'fresh',
      dataKeyReady: true,
      hasHistoricalData: false,
      version: 'v1.2.3',
    });
  });

  test('notices history from after the start, and checks no more then', async () => {
    let events = 0;
    let asked = 0;
    const hasHistory = () => {
      asked += 1;
      return events > 0;
    };
    const server = start({}, true, false, hasHistory);
    expect(await info(server)).toMatchObject({ hasHistoricalData: false });
    events = 1;
    expect(await info(server)).toMatchObject({ hasHistoricalData: true });
    expect(await info(server)).toMatchObject({ hasHistoricalData: true });
    expect(asked).toBe(2);
  });

  test('a complete connection counts, whatever the stored state says', async () => {
    expect(await info(start({}, true))).toMatchObject({
      configured: true,
      projectInitialized: true,
      setupRequired: false,
    });
  });

  test('without a connection the stored state decides', async () => {
    const state = { status: 'migrated', projectInitialized: true, hasHistoricalData: true } as const;
    expect(await info(start(state))).toMatchObject({
      configured: true,
      migrationStatus: 'migrated',
      hasHistoricalData: true,
    });
  });

  test('a lost data key requires setup again', async () => {
    expect(await info(start({ dataKeyReady: false, status: 'needs_setup' }))).toMatchObject({
      dataKeyReady: false,
      setupRequired: true,
    });
  });

  test('a demo has its flag', async () => {
    expect(await info(start({}, true, true))).toMatchObject({ demo: true });
  });
});

test('health answers before anything is set up', async () => {
  const answer = await fetch(`${start().url}/health`);
  expect(answer.status).toBe(200);
  expect(healthResponseSchema.parse(await answer.json())).toEqual({ ok: true, service: 'cpa-manager-plus' });
});
