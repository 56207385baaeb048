import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@manager/core/contract/errors';
import * as z from 'zod';
import type { Collector, CollectorState, CollectorTarget } from '../../gateway/collector.ts';
import { createGatewayHttp, HOP_HEADER } from '../../gateway/http-call.ts';
import { createManagementClient } from '../../gateway/management-client.ts';
import { createKeyRefusalGate } from '../../gateway/refusal-gate.ts';
import { ADMIN, ADMIN_KEY, INSTANCE_ID, startTestServer } from '../../http/testing.ts';
import type { CollectorSettings, GatewayConnection } from '../../platform/config/config.ts';
import { openVault } from '../../platform/secrets/vault.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { readSetting, writeSettings } from '../../sqlite/settings.ts';
import { createInfoRoutes } from '../system/info/routes.ts';
import { createInfoService } from '../system/info/service.ts';
import { bootstrap } from './bootstrap.ts';
import { createCollectorControl } from './collector-control.ts';
import { createConnectionService } from './connection-service.ts';
import { hasHistoricalData } from './connection-store.ts';
import { createGatewayCheck } from './gateway-check.ts';
import { createGatewayProbe } from './gateway-probe.ts';
import { pointsToThisManager } from './loop-probe.ts';
import { createSetupRoutes } from './routes.ts';
import { createSetupService } from './service.ts';

/** Members that these tests read by name; all others are compared as a whole. */
const BODY = z.looseObject({
  error: z.string().optional(),
  code: z.string().optional(),
  source: z.string().optional(),
  config: z.looseObject({ collector: z.looseObject({}), codexInspection: z.looseObject({}) }).optional(),
});
const STARTED_AT = 1_770_000_000_000;
export const CONFIGURED: CollectorSettings = {
  collectorMode: 'http',
  queue: 'usage',
  popSide: 'left',
  batchSize: 7,
  pollIntervalMs: 500,
  queryLimit: 50_000,
  tlsSkipVerify: false,
};

/** A gateway whose answers a test sets, and that records its requests. */
export function startTestGateway() {
  const state = {
    key: 'upstream-key',
    config: { 'usage-statistics-enabled': false } as unknown,
    configStatus: 200,
    putStatus: 200,
    location: '',
    delayMs: 0,
    calls: [] as string[],
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      state.calls.push(`${request.method} ${pathname}`);
      await Bun.sleep(state.delayMs);
      if (!pathname.startsWith('/v0/management/')) return new Response('not found', { status: 404 });
      if (request.headers.get('authorization') !== `Bearer ${state.key}`)
        return Response.json({ error: 'invalid management key' }, { status: 401 });
      if (request.method === 'PUT') {
        state.calls.push(await request.text());
        return Response.json({ status: 'ok' }, { status: state.putStatus });
      }
      const headers: Record<string, string> = state.location === '' ? {} : { Location: state.location };
      return Response.json(state.config, { status: state.configStatus, headers });
    },
  });
  return { state, server, url: `http://127.0.0.1:${server.port}` };
}

/** Records its calls; the real one has separate tests. */
function recordingCollector() {
  const told: (CollectorTarget | 'stop')[] = [];
  const state: { now: CollectorState } = { now: 'stopped' };
  const collector: Collector = {
    async start(target) {
      told.push(target);
      state.now = 'running';
    },
    async stop() {
      told.push('stop');
      state.now = 'stopped';
    },
    configurationChanged() {},
    active: () => state.now !== 'stopped',
    status: () => ({
      collector: state.now,
      upstream: '',
      mode: 'auto',
      transport: '',
      queue: 'usage',
      lastConsumedAt: 0,
      lastInsertedAt: 0,
      totalInserted: 0,
      totalSkipped: 0,
      totalRepaired: 0,
      deadLetters: 0,
      lastError: '',
      failedStage: null,
      starved: false,
      gaps: { count: 0, open: [] },
      spooledRecords: 0,
    }),
  };
  return { collector, told, state };
}

export interface SetupWorld {
  readonly directory: string;
  readonly db: Database;
  readonly gateway: ReturnType<typeof startTestGateway>;
  readonly manager: Manager;
  /** ms */
  clock: number;
  /** A new process on the same files. */
  restart(environment?: GatewayConnection): Promise<void>;
  call(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Without a key by default. */
  setup(body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** A valid setup, with changes. */
  request(extra?: object): object;
  save(config: object): Promise<Answer>;
  /** All settings except the gate's digests of keys. */
  settingsText(): string;
}

type Manager = Awaited<ReturnType<typeof startManager>>;

export interface Answer {
  readonly status: number;
  readonly body: z.infer<typeof BODY>;
}

export const failure = (status: number, code: string) => ({ status, body: { code } });

/** A fresh manager on real files and sockets, and a gateway, for every test of a file. */
export function setupWorld(): SetupWorld {
  let directory = '';
  let current: { db: Database; gateway: ReturnType<typeof startTestGateway>; manager: Manager } | null = null;
  const managers: Manager[] = [];

  function live() {
    if (current === null) throw new Error('only inside of a test');
    return current;
  }

  async function start(db: Database, environment: GatewayConnection | null): Promise<Manager> {
    const manager = await startManager({ directory, db, environment, now: () => world.clock });
    managers.push(manager);
    return manager;
  }

  const world: SetupWorld = {
    clock: 5000,
    get directory() {
      return directory;
    },
    get db() {
      return live().db;
    },
    get gateway() {
      return live().gateway;
    },
    get manager() {
      return live().manager;
    },
    async restart(environment) {
      live().manager = await start(live().db, environment ?? null);
    },
    async call(method, path, body, headers = ADMIN) {
      const answer = await fetch(live().manager.url + path, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return { status: answer.status, body: BODY.parse(await answer.json()) };
    },
    setup: (body, headers = {}) => world.call('POST', '/setup', body, headers),
    request: (extra = {}) => ({
      cpaBaseUrl: `${live().gateway.url}/`,
      cpaManagementKey: ' upstream-key ',
      ...extra,
    }),
    save: (config) => world.call('PUT', '/usage-service/config', { config }),
    settingsText: () =>
      JSON.stringify(live().db.query("SELECT * FROM settings WHERE key <> 'upstream_key_refusals'").all()),
  };

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'setup-'));
    const db = openMigrated(join(directory, 'usage.sqlite'), { now: () => world.clock });
    current = { db, gateway: startTestGateway(), manager: await start(db, null) };
  });
  afterEach(async () => {
    for (const manager of managers.splice(0)) await manager.stop(0);
    await live().gateway.server.stop(true);
    live().db.close();
    current = null;
    rmSync(directory, { recursive: true, force: true });
  });
  return world;
}

async function startManager(options: {
  readonly directory: string;
  readonly db: Database;
  readonly environment: GatewayConnection | null;
  readonly now: () => number;
}) {
  const { directory, db, environment, now } = options;
  const vault = openVault({ explicitText: '', path: join(directory, 'data.key'), randomBytes });
  const config = { adminKey: ADMIN_KEY, environmentConnection: environment, collector: CONFIGURED };
  const { records, state, othersLost } = bootstrap({ db, vault, config, now, randomBytes });
  const write = async (changes: Parameters<typeof writeSettings>[1]) => writeSettings(db, changes);
  const connection = createConnectionService({ config, vault, records, state, othersLost, write, now });
  const gate = await createKeyRefusalGate({
    now,
    readSetting: async (key) => readSetting(db, key)?.value ?? null,
    writeSetting: async (key, value) => writeSettings(db, [{ key, value, updatedAtMs: now() }]),
  });
  const management = createManagementClient({ http: createGatewayHttp({ gate, now, instanceId: INSTANCE_ID }), now });
  const collector = recordingCollector();
  const service = createSetupService({
    connection,
    check: createGatewayCheck({
      management,
      pointsToThisManager: (target) => pointsToThisManager(target, STARTED_AT),
      probe: createGatewayProbe({ [HOP_HEADER]: INSTANCE_ID }),
      gate,
      now,
    }),
    isAdminKey: (key) => key === ADMIN_KEY,
    collector: createCollectorControl({ collector: collector.collector, target: connection.collectorTarget }),
    configured: CONFIGURED,
  });
  const checks: AbortSignal[] = [];
  const observed: typeof service = {
    ...service,
    checkSetup(request, signal) {
      checks.push(signal);
      return service.checkSetup(request, signal);
    },
  };
  const info = createInfoService({
    process: { version: 'v0.0.0-test', startedAt: STARTED_AT, demo: false },
    bootstrapState: connection.bootstrapState,
    connected: () => connection.effective().connection !== null,
    hasHistory: () => hasHistoricalData(db),
  });
  const server = startTestServer({
    setupOpen: () => connection.effective().source === '',
    handlers: (authenticator) => ({
      setup: createSetupRoutes(observed, authenticator),
      info: createInfoRoutes(info),
      management: () => {
        throw new AppError('invalid_admin_key');
      },
    }),
  });
  return {
    ...server,
    connection,
    gate,
    collector,
    /** Of every check that has arrived: aborted when its caller left. */
    checks,
  };
}
