import { afterEach, describe, expect, test } from 'bun:test';
import { maintenanceStatusResponseSchema, statusResponseSchema } from '@manager/core/contract/system/status';
import type { CollectorStatus } from '../../../gateway/collector.ts';
import { ADMIN, exchange, startTestServer, type TestServer } from '../../../http/testing.ts';
import { createStatusRoutes } from './routes.ts';
import { createStatusService, type StatusServiceDeps } from './service.ts';

const SHOWN: Omit<CollectorStatus, 'failedStage'> = {
  collector: 'running',
  upstream: 'http://gateway:8317',
  mode: 'auto',
  transport: 'subscribe',
  queue: 'usage',
  lastConsumedAt: 1_770_000_001_000,
  lastInsertedAt: 1_770_000_001_004,
  totalInserted: 40,
  totalSkipped: 2,
  deadLetters: 0,
  totalRepaired: 0,
  lastError: '',
  starved: false,
  gaps: { count: 1, open: ['starved'], last: { fromMs: 1, toMs: null, kind: 'starved', estimatedLost: null } },
  spooledRecords: 0,
};
/** The stage of an error is in its text already. */
const COLLECTOR: CollectorStatus = { ...SHOWN, failedStage: null };

const MIGRATION = {
  name: 'usage_cache_accounting_v2',
  status: 'completed',
  lastEventId: 0,
  targetEventId: 0,
  processedRows: 0,
  changedRows: 0,
  appliedRows: 0,
  updatedAtMs: 1_770_000_000_000,
};

const DATABASE = {
  databaseBytes: 4096,
  walBytes: 0,
  shmBytes: 32768,
  totalBytes: 36864,
  journalSizeLimitBytes: 268_435_456,
  checkpoint: { mode: 'pending', busy: 0, logFrames: 0, checkpointedFrames: 0, executedAtMs: 0, durationMs: 0 },
} as const;

const servers: TestServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(0);
});

function start(deps: Partial<StatusServiceDeps> = {}): TestServer {
  const service = createStatusService({
    version: 'v0.4.0',
    configured: () => true,
    databasePath: '/data/usage.sqlite',
    counts: async () => ({ events: 812, deadLetters: 1, implausibleTimestamps: 3 }),
    collectorStatus: () => COLLECTOR,
    dataMigration: async () => MIGRATION,
    maintenanceWork: () => ({ deferredIndexes: 0, offlineJobs: 0 }),
    databaseFiles: () => DATABASE,
    gatewayAheadMs: () => null,
    trustedPluginPages: false,
    ...deps,
  });
  const server = startTestServer({ handlers: { status: createStatusRoutes(service) } });
  servers.push(server);
  return server;
}

async function read(server: TestServer, query = ''): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${server.url}/status${query}`, { headers: ADMIN });
  return { status: answer.status, body: await answer.json() };
}

describe('status', () => {
  test('is complete', async () => {
    const { status, body } = await read(start());
    expect(status).toBe(200);
    expect(statusResponseSchema.safeParse(body).error).toBeUndefined();
    expect(body).toEqual({
      service: 'cpa-manager-plus',
      version: 'v0.4.0',
      configured: true,
      dbPath: '/data/usage.sqlite',
      events: 812,
      eventCount: 812,
      deadLetters: 1,
      implausibleTimestamps: 3,
      lastConsumedAt: 1_770_000_001_000,
      lastInsertedAt: 1_770_000_001_004,
      collector: { ...SHOWN, deadLetters: 1 },
      dataMigration: MIGRATION,
      databaseMaintenance: {
        required: false,
        performanceDegraded: false,
        deferredIndexes: 0,
        offlineJobs: 0,
        reasons: [],
      },
      database: DATABASE,
    });
  });

  test('shows missing times as null at the top and 0 in the collector', async () => {
    const never = { ...COLLECTOR, lastConsumedAt: 0, lastInsertedAt: 0 };
    expect((await read(start({ collectorStatus: () => never }))).body).toMatchObject({
      lastConsumedAt: null,
      lastInsertedAt: null,
      collector: { lastConsumedAt: 0, lastInsertedAt: 0 },
    });
  });

  test('shows a refused key and why nothing arrives', async () => {
    const keyRefused = { reason: 'key_rejected', tries: 3, lastAtMs: 1, nextTryAtMs: 2 } as const;
    const starved: CollectorStatus = { ...COLLECTOR, starved: true, starvedReason: 'partial', keyRefused };
    const { body } = await read(start({ collectorStatus: () => starved }));
    expect(statusResponseSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ collector: { starved: true, starvedReason: 'partial', keyRefused } });
  });

  test('shows how far the clock of the gateway is off', async () => {
    const { body } = await read(start({ gatewayAheadMs: () => -240_000 }));
    expect(statusResponseSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ gatewayClockAheadMs: -240_000 });
  });

  test('leaves out the database when its files cannot be read', async () => {
    expect((await read(start({ databaseFiles: () => null }))).body).not.toHaveProperty('database');
  });

  test('needs the admin key even before setup', async () => {
    expect((await fetch(`${start().url}/status`)).status).toBe(401);
  });
});

describe('database maintenance', () => {
  const never = () => {
    throw new Error('must not be called');
  };

  test.each([
    [
      { deferredIndexes: 0, offlineJobs: 0 },
      { required: false, performanceDegraded: false, reasons: [] },
    ],
    [
      { deferredIndexes: 2, offlineJobs: 0 },
      { required: true, performanceDegraded: true, reasons: ['deferred_indexes'], command: 'cleanup-derived' },
    ],
    [
      { deferredIndexes: 0, offlineJobs: 1 },
      { required: true, performanceDegraded: true, reasons: ['offline_derived_cleanup'], command: 'cleanup-derived' },
    ],
    [
      { deferredIndexes: 1, offlineJobs: 1 },
      {
        required: true,
        performanceDegraded: true,
        reasons: ['deferred_indexes', 'offline_derived_cleanup'],
        command: 'cleanup-derived',
      },
    ],
  ])('alone, for %j, counts nothing', async (work, expected) => {
    const server = start({
      maintenanceWork: async () => work,
      counts: never,
      databaseFiles: never,
      dataMigration: never,
    });
    const { status, body } = await read(server, '?scope=database-maintenance');
    expect(status).toBe(200);
    expect(maintenanceStatusResponseSchema.safeParse(body).error).toBeUndefined();
    expect(body).toEqual({ databaseMaintenance: { ...work, ...expected } });
  });

  test('alone, also without a Host', async () => {
    const server = start({ counts: never, databaseFiles: never, dataMigration: never });
    const head = 'GET /status?scope=database-maintenance HTTP/1.0';
    const received = await exchange(
      server,
      [`${head}\r\nAuthorization: ${ADMIN.authorization}\r\nConnection: close\r\n\r\n`],
      '}}',
    );
    expect(received).toStartWith('HTTP/1.1 200');
    const body: unknown = JSON.parse(received.slice(received.indexOf('{')));
    expect(maintenanceStatusResponseSchema.parse(body)).toEqual(body as never);
  });

  test('another scope returns everything', async () => {
    expect((await read(start(), '?scope=other')).body).toHaveProperty('events');
  });

  test.each(['', '?scope=database-maintenance'])(
    'that cannot be read is a 500 with a fixed text (%s)',
    async (query) => {
      const server = start({
        maintenanceWork: () => {
          throw new Error('no such table: index_jobs in /data/usage.sqlite');
        },
      });
      expect(await read(server, query)).toEqual({
        status: 500,
        body: { error: 'the maintenance state cannot be read', code: 'request_failed' },
      });
    },
  );
});
