import type { Database } from 'bun:sqlite';
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CooldownFields, cooldownIdentity } from '@manager/core/accounts/cooldown/row';
import { accountRecord } from '@manager/core/accounts/identity';
import { BUDGETS_PATH } from '@manager/core/contract/constants';
import { DEFAULT_NOTIFICATION_SETTINGS, NOTIFICATIONS_PATH } from '@manager/core/contract/notifications/kinds';
import type { NotificationTargetResponse } from '@manager/core/contract/notifications/targets';
import { VIEWER_LINKS_PATH } from '@manager/core/contract/viewer-links/words';
import { createEventWriter } from '@manager/server/events/ingest/event-writer';
import { createIngester } from '@manager/server/events/ingest/ingest';
import { sampleRecords } from '@manager/server/events/testing/sample-records';
import { sealTail } from '@manager/server/facts/seal';
import { fieldsOf } from '@manager/server/features/cooldowns/claim';
import type { NewClaim } from '@manager/server/gateway/claims/claim';
import { beginDisabling, requestClaim, settleClaims } from '@manager/server/gateway/claims/queries/change-claims';
import { MIGRATIONS } from '@manager/server/schema/migrations';
import { openMigrated } from '@manager/server/schema/open-migrated';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { askEverything } from './answers.ts';
import { STORED_ADMIN_KEY, STORED_DATA_KEY } from './stored-keys.ts';

/* Writes a small database in this version's format, and this version's answers about it, for the tests of all later versions. Run once for each release that changed the schema; see databases/README.md. */

const START_MS = Date.UTC(2026, 8, 1);
const STEP_MS = 27 * 60_000;
const EVENTS = 150;
const SEGMENT_ROWS = 50;
const ARRIVAL_MS = START_MS + EVENTS * STEP_MS + 60_000;

const folder = temporaryFolder();
const path = join(folder, 'usage.sqlite');
writeDatabase();
const manager = await ManagerProcess.start({
  dataDir: folder,
  adminKey: STORED_ADMIN_KEY,
  env: { MANAGER_DATA_KEY: STORED_DATA_KEY },
});
await put('/v0/management/api-key-aliases', { items: [{ apiKeyHash: 'ab'.repeat(32), alias: 'Build server' }] });
await put('/v0/management/model-prices', {
  prices: {
    'acme-large': { prompt: 2, completion: 8, cache: 0.5, source: 'manual' },
    'gpt-5.0': { prompt: 1.25, completion: 10, cache: 0.125, source: 'manual' },
    'claude-sonnet-4.0': { prompt: 3, completion: 15, cache: 0.3, cacheCreation: 3.75, source: 'manual' },
  },
});
await put(BUDGETS_PATH, {
  budgets: [
    { scope: 'all', name: '', usd: 500, timeZone: 'Europe/Berlin' },
    { scope: 'model', name: 'acme-large', usd: 20, timeZone: 'UTC' },
  ],
});
await post(VIEWER_LINKS_PATH, { name: 'Build team', keys: ['ab'.repeat(32)], expiresInDays: 0 });
await put(`${NOTIFICATIONS_PATH}/settings`, { ...DEFAULT_NOTIFICATION_SETTINGS, quotaLowPercent: 15 });
const { item } = (await post(`${NOTIFICATIONS_PATH}/targets`, {
  kind: 'webhook',
  name: 'Operations',
  // Nothing is sent while the database is asked.
  enabled: false,
  language: 'en',
  events: ['collector_down', 'account_login'],
  sendRecovered: true,
  showAccounts: false,
  timeZone: 'Asia/Kolkata',
  quietHours: { from: '22:00', to: '07:00' },
  options: {},
  secrets: { url: 'http://127.0.0.1:9/a-secret-path', signingSecret: 'a-secret-of-the-tests' },
})) as NotificationTargetResponse;
// It fails, and is in the log.
await post(`${NOTIFICATIONS_PATH}/targets/${item.id}/test`, {});
const { lines, answers } = await askEverything(manager);
if ((await manager.stop()) !== 0) throw new Error('the server did not stop cleanly');
const target = join(import.meta.dir, 'databases', MIGRATIONS.at(-1)?.name ?? '');
mkdirSync(target, { recursive: true });
copyFileSync(path, join(target, 'usage.sqlite'));
writeFileSync(join(target, 'export.jsonl'), lines);
writeFileSync(join(target, 'answers.jsonl'), answers.map((answer) => `${JSON.stringify(answer)}\n`).join(''));
rmSync(folder, { recursive: true });
console.log(target);

function put(path: string, body: unknown): Promise<unknown> {
  return manager.json(path, { method: 'PUT', body: JSON.stringify(body) });
}

function post(path: string, body: unknown): Promise<unknown> {
  return manager.json(path, { method: 'POST', body: JSON.stringify(body) });
}

function writeDatabase(): void {
  const now = () => ARRIVAL_MS;
  const db = openMigrated(path, { now });
  const ingester = createIngester(db, createEventWriter(db, { hourlyRollup: true }), now);
  const next = sampleRecords({ seed: 21, startMs: START_MS, stepMs: STEP_MS, accounts: 12, models: 4, keys: 5 });
  const texts = Array.from({ length: EVENTS }, next);
  const odd = [
    { event_hash: 'an opaque identity', timestamp: '2026-09-02T10:00:00.123456789Z', model: 'acme-large' },
    { timestamp: '1999-12-31T23:59:59Z', model: 'acme-large', tokens: { input_tokens: 7 } },
    { timestamp: '2026-09-02T10:00:01Z', model: 'größe/模型', failed: true, fail: { status_code: 503, body: 'busy' } },
  ];
  const all = [...texts, ...odd.map((record) => JSON.stringify(record)), 'no record at all'];
  ingester.ingest({ records: all.map((text) => ({ text, receivedAtMs: ARRIVAL_MS })) });
  for (let sealed = 0; sealed < 2; sealed += 1) sealTail({ db, now }, SEGMENT_ROWS);
  db.query('INSERT INTO collection_gaps (from_ms, to_ms, kind, estimated_lost) VALUES (?, ?, ?, ?)').run(
    START_MS + 3_600_000,
    START_MS + 7_200_000,
    'away',
    null,
  );
  writeClaims(db, now);
  db.close();
}

/** Accounts in the three states of auto-disable: requested, possibly disabled, disabled. */
function writeClaims(db: Database, now: () => number): void {
  const context = { db, now };
  const enabled = { kind: 'accounts', accounts: [] } as const;
  for (const owner of ['inspection', 'cooldown', 'account_action']) {
    const claims = ['disabling', 'held', 'enabling', 'ended'].map((state) => claimOf(owner, state));
    const ids = beginDisabling(context, { owner, claims, enabled }).map(({ id }) => id);
    settleClaims(context, { ids: ids.slice(1), as: 'held' });
    settleClaims(context, { ids: ids.slice(2, 3), as: 'enabling' });
    settleClaims(context, { ids: ids.slice(3), as: 'ended', lastError: 'manual change' });
    requestClaim(db, owner, claimOf(owner, 'requested'), now());
  }
}

function claimOf(owner: string, state: string): NewClaim {
  const subject = {
    file: `${owner}-${state}.json`,
    authIndex: `ix-${owner}-${state}`,
    provider: 'codex',
    accountSnapshot: `${owner}-${state}@example.test`,
  };
  const account = accountRecord(cooldownIdentity(subject));
  if (owner !== 'cooldown') return { subject: subject.file, account, details: null, untilMs: null, request: null };
  const cooldown: CooldownFields = {
    ...subject,
    owner: 'manager_usage_429',
    reasonCode: 'codex_usage_limit_reached',
    windowKind: 'weekly',
    evidence: null,
    eventHash: `hash-${state}`,
    preDisabledState: false,
    recoverAtMs: START_MS + 400 * 86_400_000,
    disabledAtMs: ARRIVAL_MS,
  };
  return { ...fieldsOf(cooldown), request: null };
}
