import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import type { CooldownFields } from '@manager/core/accounts/cooldown/apply';
import { credential } from '@manager/simulator';
import { createCredentials } from '../../gateway/accounts/credentials.ts';
import { NO_CLAIMS } from '../../gateway/accounts/testing.ts';
import type { WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { startUpstreamRig, type UpstreamRig } from '../../gateway/testing.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openStore, prepareStore, type Store } from '../../workers/store.ts';
import { createCooldownWorker } from './worker.ts';

const SOON_MS = 16_000;
const NAMES = ['codex-0.json', 'codex-1.json', 'codex-2.json', 'codex-3.json', 'codex-4.json'];

let folder: TestFolder;
let store: Store;
let upstream: UpstreamRig;
let worker: WakingLoop;
/** How far the clock of the worker is ahead. */
let aheadMs = 0;
let rested = Promise.withResolvers<void>();
let resume = Promise.withResolvers<void>();

beforeEach(async () => {
  folder = createTestFolder();
  mkdirSync(folder.path('temp'));
  const path = folder.path('usage.sqlite');
  prepareStore(path, { now: Date.now, tempDirectory: folder.path('temp') });
  store = openStore({ path, hourlyRollup: true, now: Date.now, log: { info() {}, error: console.error } });
  upstream = await startUpstreamRig({
    authFiles: NAMES.map((name) =>
      credential({ provider: 'codex', name, email: `${name}@example.test`, disabled: true }),
    ),
  });
  worker = createCooldownWorker({
    credentials: createCredentials({
      http: upstream.http,
      connection: () => upstream.connection,
      tlsSkipVerify: () => false,
      elapsed: () => performance.now(),
      manualChanges: NO_CLAIMS,
      endClaims: async () => {},
      log: console,
    }),
    reader: store.reader,
    writer: store.writer,
    configured: () => true,
    now: () => Date.now() + aheadMs,
    elapsed: () => Date.now() + aheadMs,
    log: { info() {}, warn() {} },
    async wait(_ms, signal) {
      signal.addEventListener('abort', () => resume.reject(signal.reason), { once: true });
      rested.resolve();
      await resume.promise;
    },
  });
});
afterEach(async () => {
  await worker.stop();
  await store.close();
  await upstream.stop();
  folder.dispose();
});

/** One look at everything, as late as is given. */
async function look(afterMs: number): Promise<void> {
  aheadMs = afterMs;
  const again = resume;
  rested = Promise.withResolvers();
  resume = Promise.withResolvers();
  worker.start();
  again.resolve();
  await rested.promise;
}

async function rests(name: string): Promise<void> {
  const index = upstream.simulator.authFiles().find((file) => file.name === name)?.auth_index;
  const row: CooldownFields = {
    file: name,
    authIndex: String(index),
    provider: 'codex',
    accountSnapshot: '',
    owner: 'manager_usage_429',
    reasonCode: 'codex_usage_limit_reached',
    windowKind: '',
    evidence: null,
    eventHash: '',
    preDisabledState: false,
    recoverAtMs: Date.now() - 1_000,
    disabledAtMs: Date.now() - 2_000,
  };
  await store.writer.run('storeCooldown', { id: null, row, status: 'active', signalId: null });
}

const resting = () => upstream.simulator.authFiles().flatMap(({ name, disabled }) => (disabled === true ? [name] : []));

test('however long the upstream was away, what is due ends soon after', async () => {
  for (const name of NAMES) await rests(name);
  upstream.simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  for (let count = 0; count < 20; count += 1) await look(SOON_MS);
  expect(resting()).toEqual(NAMES);
  upstream.simulator.clearFaults();
  await look(SOON_MS);
  expect(resting()).toEqual([]);
});

test('an account whose look always fails is tried more and more rarely, and keeps no other waiting', async () => {
  const [broken = '', ...others] = NAMES;
  for (const name of NAMES) await rests(name);
  const cut = { on: 'list', credential: broken, when: 'before', actions: [{ do: 'disconnect' }] } as const;
  upstream.simulator.hook({ ...cut, times: 'always' });
  await look(0);
  expect(resting()).toEqual([broken]);
  await rests(others[0] ?? '');
  await look(SOON_MS);
  upstream.simulator.clearHooks();
  // The second attempt had the company of one that was answered, so the third comes later.
  await look(SOON_MS);
  expect(resting()).toEqual([broken]);
  await look(2 * SOON_MS);
  expect(resting()).toEqual([]);
});
