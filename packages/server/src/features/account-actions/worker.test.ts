import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { credential } from '@manager/simulator';
import { createCredentials } from '../../gateway/accounts/credentials.ts';
import { NO_CLAIMS } from '../../gateway/accounts/testing.ts';
import type { WakingLoop } from '../../gateway/accounts/waking-loop.ts';
import { startUpstreamRig, type UpstreamRig } from '../../gateway/testing.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { openStore, prepareStore, type Store } from '../../workers/store.ts';
import { recordFailures } from './queries/candidates.ts';
import { createAutoDisableWorker } from './worker.ts';

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
    authFiles: NAMES.map((name) => credential({ provider: 'codex', name, email: `${name}@example.test` })),
  });
  const db = openDatabase(path);
  recordFailures(
    db,
    NAMES.map((file) => ({
      file,
      provider: 'codex',
      authIndex: String(upstream.simulator.authFiles().find(({ name }) => name === file)?.auth_index),
      accountId: '',
      accountSnapshot: '',
      authLabel: '',
      actionType: 'reauth',
      reasonCode: 'token_revoked',
      reason: 'revoked',
      autoDisableEligible: true,
      evidence: {},
      seenAtMs: Date.now(),
    })),
    { autoDisable: true, nowMs: Date.now() },
  );
  db.close();
  worker = createAutoDisableWorker({
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
    effective: async () => true,
    now: () => Date.now() + aheadMs,
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

const disabled = () => upstream.simulator.authFiles().flatMap(({ name, disabled: is }) => (is === true ? [name] : []));

test('however long the upstream was away, what is due is done soon after', async () => {
  upstream.simulator.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 503 },
    times: 'always',
  });
  for (let count = 0; count < 20; count += 1) await look(SOON_MS);
  expect(disabled()).toEqual([]);
  upstream.simulator.clearFaults();
  await look(SOON_MS);
  expect(disabled()).toEqual(NAMES);
});

test('an account whose look always fails keeps no other waiting', async () => {
  const [broken = '', ...others] = NAMES;
  const cut = { on: 'list', credential: broken, when: 'before', actions: [{ do: 'disconnect' }] } as const;
  upstream.simulator.hook({ ...cut, times: 'always' });
  await look(0);
  expect(disabled()).toEqual(others);
  upstream.simulator.clearHooks();
  await look(SOON_MS);
  expect(disabled()).toEqual(NAMES);
});

test('another account that took the place right before is as it was', async () => {
  const [name = ''] = NAMES;
  const by = credential({ provider: 'codex', name, email: 'other@example.test' });
  upstream.simulator.hook({
    on: 'status',
    when: 'before',
    credential: name,
    actions: [{ do: 'replace', credential: name, by }],
  });
  await look(0);
  expect(disabled()).toEqual(NAMES.slice(1));
  const { rows } = await store.reader.run('listCandidates', { status: '', limit: 10 });
  expect(rows.find(({ file }) => file === name)).toMatchObject({
    autoDisabledAtMs: null,
    lastError: 'the auth file now holds another account',
  });
});
