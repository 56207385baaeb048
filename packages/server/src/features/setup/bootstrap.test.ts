import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_INSPECTION_CONFIG } from '@manager/core/contract/constants';
import type { CollectorSettings, GatewayConnection } from '../../platform/config/config.ts';
import {
  createAdminCredential,
  parseAdminCredential,
  verifyAdminCredential,
} from '../../platform/secrets/admin-key.ts';
import { isEnvelope } from '../../platform/secrets/envelope.ts';
import { openVault } from '../../platform/secrets/vault.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { readSetting, writeSettings } from '../../sqlite/settings.ts';
import { bootstrap, ConnectionConflict } from './bootstrap.ts';
import { createConnectionService } from './connection-service.ts';
import { ADMIN_ROW, BOOTSTRAP_ROW, LEGACY_ROW, MANAGER_ROW, readAdminCredential } from './connection-store.ts';

const DEFAULTS: CollectorSettings = {
  collectorMode: 'auto',
  queue: 'usage',
  popSide: 'right',
  batchSize: 100,
  pollIntervalMs: 500,
  queryLimit: 50_000,
  tlsSkipVerify: false,
};
const CONNECTION = { baseUrl: 'http://gateway:8317', managementKey: 'upstream-key-1' };

let directory: string;
let db: Database;
let clock = 1000;
const now = () => clock;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'bootstrap-'));
  db = openMigrated(join(directory, 'usage.sqlite'), { now });
});
afterEach(() => {
  db.close();
  rmSync(directory, { recursive: true, force: true });
});

const keyPath = () => join(directory, 'data.key');
const vault = () => openVault({ explicitText: '', path: keyPath(), randomBytes });
const put = (key: string, value: unknown) =>
  writeSettings(db, [{ key, value: typeof value === 'string' ? value : JSON.stringify(value), updatedAtMs: 1 }]);
const row = (key: string) => JSON.parse(readSetting(db, key)?.value ?? 'null');
const rawRows = () => JSON.stringify(db.query('SELECT * FROM settings ORDER BY key').all());

function start(options: { adminKey?: string; environment?: GatewayConnection; writes?: () => Promise<never> } = {}) {
  const config = { adminKey: options.adminKey ?? '', environmentConnection: options.environment ?? null };
  const used = vault();
  const result = bootstrap({ db, vault: used, config, now, randomBytes });
  const service = createConnectionService({
    config: { ...config, collector: DEFAULTS },
    vault: used,
    ...result,
    write: options.writes ?? (async (changes) => writeSettings(db, changes)),
    now,
  });
  return { ...result, service };
}

describe('first start', () => {
  test('makes keys, is fresh, and shows the admin key once', () => {
    const first = start();
    expect(first.dataKeyCreated).toBe(true);
    expect(first.generatedAdminKey).toMatch(/^mgr_/);
    expect(first.state).toMatchObject({
      status: 'fresh',
      projectInitialized: false,
      dataKeyReady: true,
      adminReady: true,
    });
    const account = parseAdminCredential(readAdminCredential(db) ?? '');
    expect(account && verifyAdminCredential(account, first.generatedAdminKey ?? '')).toBe(true);
    expect(account?.source).toBe('generated');
    expect(rawRows()).not.toContain(first.generatedAdminKey ?? '-');
    expect(first.service.effective()).toEqual({ source: '', connection: null, baseUrl: '' });
    expect(first.service.collectorTarget()).toBeNull();
  });

  test('a second start writes nothing', () => {
    start();
    clock += 5000;
    const before = rawRows();
    const second = start();
    expect(second.generatedAdminKey).toBeNull();
    expect(second.dataKeyCreated).toBe(false);
    expect(rawRows()).toBe(before);
  });

  test('a configured key seeds an empty store only', () => {
    const chosen = 'a-key-that-a-person-chose';
    expect(start({ adminKey: chosen }).generatedAdminKey).toBeNull();
    expect(row(ADMIN_ROW).source).toBe('env');
    expect(start({ adminKey: chosen }).warnings).toEqual([]);
    const changed = start({ adminKey: 'another' });
    expect(changed.warnings[0]).toContain('reset-admin-key');
    expect(changed.warnings.join()).not.toContain('another');
  });

  test('a configured key that could be guessed or not be sent is refused before anything is written', () => {
    const before = rawRows();
    expect(() => start({ adminKey: 'fifteen-letters' })).toThrow('fewer than 16 characters');
    expect(() => start({ adminKey: 'ümläüte-in-einem-langen-schlüssel' })).toThrow(
      'a character that clients cannot send',
    );
    expect(rawRows()).toBe(before);
    const warned = start({ adminKey: 'sixteen-letters!' });
    expect(warned.warnings).toEqual([expect.stringContaining('fewer than 24 characters')]);
    expect(start({ adminKey: 'sixteen-letters!' }).warnings).toEqual(warned.warnings);
    expect(start({ adminKey: '' }).warnings).toEqual([]);
  });

  test('a short key that is stored already still starts, with a warning while it is configured', () => {
    put(
      ADMIN_ROW,
      createAdminCredential({ key: 'short', source: 'env', nowMs: 1, randomBytes: (size) => new Uint8Array(size) }),
    );
    expect(start({ adminKey: 'short' }).warnings).toEqual([expect.stringContaining('fewer than 16 characters')]);
    expect(start({ adminKey: '' }).warnings).toEqual([]);
  });

  test('a damaged admin key is not replaced, and a warning is logged', () => {
    put(ADMIN_ROW, '{}');
    const result = start({ adminKey: 'x' });
    expect(result.generatedAdminKey).toBeNull();
    expect(result.warnings[0]).toContain('reset-admin-key');
  });
});

describe('connection records', () => {
  test('a plaintext legacy record becomes two encrypted records, and leaves no trace', () => {
    put(LEGACY_ROW, {
      baseUrl: 'gateway:8317/v0/management',
      managementKey: ' upstream-key-1 ',
      queue: 'q',
      popSide: 'left',
      other: 1,
    });
    const { service, state, records } = start();
    expect(state).toMatchObject({ status: 'migrated', connectionStorageMigrationVersion: 2 });
    expect(service.effective()).toEqual({ source: 'db', connection: CONNECTION, baseUrl: CONNECTION.baseUrl });
    expect(records.manager.collector).toEqual({ queue: 'q', popSide: 'left' });
    expect(row(LEGACY_ROW)).toMatchObject({ baseUrl: CONNECTION.baseUrl, queue: 'q', other: 1 });
    expect(isEnvelope(row(LEGACY_ROW).managementKey)).toBe(true);
    expect(isEnvelope(row(MANAGER_ROW).upstreamConnection.managementKey)).toBe(true);
    db.close();
    expect(readFileSync(join(directory, 'usage.sqlite')).includes('upstream-key-1')).toBe(false);
    db = openMigrated(join(directory, 'usage.sqlite'), { now });
  });

  test('a complete manager record with a stale legacy record starts, and rewrites the legacy one', () => {
    put(MANAGER_ROW, {
      upstreamConnection: CONNECTION,
      collector: { enabled: false, batchSize: 9, extra: 'kept' },
      later: true,
    });
    put(LEGACY_ROW, { baseUrl: 'http://old', managementKey: 'old-key', queue: 'old' });
    const { service } = start();
    expect(row(LEGACY_ROW).baseUrl).toBe(CONNECTION.baseUrl);
    expect(row(MANAGER_ROW)).toMatchObject({
      later: true,
      collector: { enabled: false, batchSize: 9, extra: 'kept', queue: 'old' },
    });
    expect(service.effective().connection).toEqual(CONNECTION);
    expect(service.collectorTarget()).toBeNull();
    expect(rawRows()).not.toContain('old-key');
  });

  test('a conflict refuses the start, encrypts both rows, and does not count as migrated', () => {
    put(MANAGER_ROW, { upstreamConnection: { baseUrl: 'http://b' } });
    put(LEGACY_ROW, CONNECTION);
    expect(() => start()).toThrow(ConnectionConflict);
    expect(() => start()).toThrow('--repair-conflict');
    expect(isEnvelope(row(LEGACY_ROW).managementKey)).toBe(true);
    expect(row(BOOTSTRAP_ROW)).toBeNull();
    expect(readAdminCredential(db)).toBeNull();
  });

  test('a URL of one record is never joined with the key of the other', () => {
    put(MANAGER_ROW, { upstreamConnection: { baseUrl: 'http://b' } });
    put(LEGACY_ROW, { managementKey: 'k' });
    const { service, state } = start();
    expect(service.effective()).toEqual({ source: '', connection: null, baseUrl: 'http://b' });
    expect(state.status).toBe('needs_setup');
    expect(row(MANAGER_ROW).upstreamConnection.managementKey).toBeUndefined();
    expect(row(LEGACY_ROW).baseUrl).toBe('');
  });

  test('if the second row cannot be written, the first is not either', () => {
    put(MANAGER_ROW, { upstreamConnection: CONNECTION });
    put(LEGACY_ROW, { baseUrl: 'http://old', managementKey: 'old-key' });
    db.run(`CREATE TRIGGER no_legacy BEFORE UPDATE ON settings WHEN NEW.key = '${LEGACY_ROW}'
      BEGIN SELECT RAISE(ABORT, 'disk'); END`);
    const before = rawRows();
    expect(() => start()).toThrow('disk');
    expect(rawRows()).toBe(before);
    db.run('DROP TRIGGER no_legacy');
    expect(start().service.effective().connection).toEqual(CONNECTION);
  });

  test('the environment wins over the database, with all of its settings', async () => {
    put(MANAGER_ROW, { upstreamConnection: CONNECTION, collector: { enabled: false, batchSize: 9 } });
    const environment = { baseUrl: 'http://env', managementKey: 'env-key' };
    const { service, state } = start({ environment });
    expect(state.projectInitialized).toBe(true);
    expect(service.environmentManaged()).toBe(true);
    expect(service.effective()).toEqual({ source: 'env', connection: environment, baseUrl: 'http://env' });
    expect(service.collectorTarget()).toEqual({ connection: environment, settings: DEFAULTS });
    await service.save({ connection: null, collector: { queryLimit: 7 } });
    expect(rawRows()).not.toContain('http://env');
    expect(start().service.effective().connection).toEqual(CONNECTION);
  });

  test('a row that is no JSON blocks nothing and is not overwritten', () => {
    put(MANAGER_ROW, 'not json');
    const { service, warnings } = start();
    expect(warnings[0]).toContain('cannot be read');
    expect(service.collectorTarget()).toBeNull();
    expect(readSetting(db, MANAGER_ROW)?.value).toBe('not json');
  });

  test('invalid members of an old row fall back to the configuration', () => {
    put(MANAGER_ROW, {
      upstreamConnection: CONNECTION,
      collector: { collectorMode: 'x', queue: ' ', batchSize: 0, pollIntervalMs: '5' },
    });
    expect(start().service.managerRecord().collector).toEqual({ ...DEFAULTS, enabled: true });
  });

  test('a stored unknown time zone does not stop the inspection', () => {
    put(MANAGER_ROW, {
      upstreamConnection: CONNECTION,
      codexInspection: { workers: 9, schedule: { timeZone: 'Mars/Base' } },
    });
    const { codexInspection } = start().service.managerRecord();
    expect(codexInspection).toMatchObject({ workers: 9, schedule: { timeZone: '' } });
  });
});

describe('a lost data key', () => {
  function configured() {
    put(MANAGER_ROW, { upstreamConnection: CONNECTION, collector: { batchSize: 9 } });
    start();
  }

  test('keeps the rows, creates no key, and names the file to restore', () => {
    configured();
    renameSync(keyPath(), `${keyPath()}.away`);
    const before = row(MANAGER_ROW);
    const lost = start();
    expect(lost.state).toMatchObject({
      dataKeyReady: false,
      projectInitialized: false,
      adminReady: true,
      status: 'needs_setup',
    });
    expect(lost.service.effective()).toEqual({ source: 'db', connection: null, baseUrl: CONNECTION.baseUrl });
    expect(lost.service.collectorTarget()).toBeNull();
    expect(lost.warnings[0]).toContain(keyPath());
    expect(lost.dataKeyCreated).toBe(false);
    expect(row(MANAGER_ROW)).toEqual(before);
    renameSync(`${keyPath()}.away`, keyPath());
    const back = start();
    expect(back.state).toMatchObject({ dataKeyReady: true, projectInitialized: true });
    expect(back.service.effective().connection).toEqual(CONNECTION);
  });

  test('saving other settings meanwhile keeps the ciphertext', async () => {
    configured();
    renameSync(keyPath(), `${keyPath()}.away`);
    const ciphertext = row(MANAGER_ROW).upstreamConnection.managementKey;
    const { service } = start();
    await service.save({ connection: null, collector: { enabled: false } });
    expect(row(MANAGER_ROW).upstreamConnection.managementKey).toBe(ciphertext);
    expect(service.bootstrapState().dataKeyReady).toBe(false);
    renameSync(`${keyPath()}.away`, keyPath());
    expect(start().service.effective().connection).toEqual(CONNECTION);
  });

  test('saving the key again fixes it', async () => {
    configured();
    rmSync(keyPath());
    const { service } = start();
    const record = await service.save({ connection: { ...CONNECTION, managementKey: 'new-key' } });
    expect(record).toMatchObject({ managementKeyConfigured: true, collector: { batchSize: 9 } });
    expect(service.bootstrapState()).toMatchObject({ dataKeyReady: true, projectInitialized: true, status: 'ready' });
    expect(start().service.effective().connection?.managementKey).toBe('new-key');
  });

  describe.each([
    [
      'a notification target',
      `INSERT INTO notification_targets (id, kind, enabled, config, secrets, observed, created_at_ms, updated_at_ms)
       VALUES ('t', 'slack', 1, '{}', ?, '[]', 0, 0)`,
    ],
    [
      "a version of the gateway's configuration",
      `INSERT INTO gateway_configurations (gateway, digest, bytes, origin, first_seen_at_ms, last_seen_at_ms, envelope)
       VALUES ('', '', 1, 'seen', 0, 0, ?)`,
    ],
  ])('that only %s needs', (_, insert) => {
    const environment = { baseUrl: 'http://env', managementKey: 'env-key' };
    beforeEach(() => {
      start({ environment });
      db.run(insert, [vault().seal('a-secret')]);
      renameSync(keyPath(), `${keyPath()}.away`);
    });

    test('creates no key either, and names the file', () => {
      const lost = start({ environment });
      expect(lost).toMatchObject({ dataKeyCreated: false, state: { dataKeyReady: false, projectInitialized: true } });
      expect(lost.warnings).toEqual([expect.stringContaining(keyPath())]);
      expect(lost.service.effective().connection).toEqual(environment);
      expect(existsSync(keyPath())).toBe(false);
      renameSync(`${keyPath()}.away`, keyPath());
      expect(start({ environment })).toMatchObject({ warnings: [], state: { dataKeyReady: true } });
    });

    test('stays lost when a management key is saved, and with a wrong file', async () => {
      const { service } = start();
      await service.save({ connection: CONNECTION });
      expect(service.bootstrapState()).toMatchObject({ dataKeyReady: false, projectInitialized: true });
      const again = start();
      expect(again.service.effective().connection).toEqual(CONNECTION);
      expect(again.state.dataKeyReady).toBe(false);
      expect(again.warnings).toEqual([expect.stringContaining(keyPath())]);
    });

    test('is not replaced to encrypt a connection that is stored in clear', async () => {
      put(LEGACY_ROW, CONNECTION);
      const { service } = start();
      expect(service.effective().connection).toEqual(CONNECTION);
      await service.save({ connection: null, collector: { enabled: false } });
      expect(existsSync(keyPath())).toBe(false);
      renameSync(`${keyPath()}.away`, keyPath());
      expect(start()).toMatchObject({ warnings: [], state: { dataKeyReady: true } });
      expect(rawRows()).not.toContain(CONNECTION.managementKey);
    });
  });

  test('a wrong data key counts as lost', () => {
    configured();
    rmSync(keyPath());
    vault().ensureKey();
    expect(start().state.dataKeyReady).toBe(false);
  });
});

describe('saving', () => {
  test('writes both rows and the state together and is in effect at once', async () => {
    const { service } = start();
    clock = 7000;
    const record = await service.save({
      connection: { baseUrl: ' gateway:8317/ ', managementKey: ' upstream-key-1 ' },
      collector: { enabled: true, batchSize: 50, queue: 'q2' },
      codexInspection: { ...DEFAULT_INSPECTION_CONFIG, workers: 2 },
    });
    expect(record).toMatchObject({ baseUrl: CONNECTION.baseUrl, managementKeyConfigured: true, updatedAtMs: 7000 });
    expect(service.collectorTarget()).toEqual({
      connection: CONNECTION,
      settings: { ...DEFAULTS, batchSize: 50, queue: 'q2' },
    });
    expect(service.isBoundKey(' upstream-key-1 ')).toBe(true);
    expect(service.isBoundKey('upstream-key-2')).toBe(false);
    expect(row(BOOTSTRAP_ROW)).toMatchObject({ status: 'ready', projectInitialized: true });
    expect(row(LEGACY_ROW)).toMatchObject({ baseUrl: CONNECTION.baseUrl, queue: 'q2' });
    expect(rawRows()).not.toContain('upstream-key-1');
    const again = start().service;
    expect(again.managerRecord()).toEqual(record);
  });

  test('a failed write changes nothing in memory', async () => {
    const { service } = start({ writes: () => Promise.reject(new Error('disk full')) });
    await expect(service.save({ connection: CONNECTION })).rejects.toThrow('disk full');
    expect(service.effective().connection).toBeNull();
    expect(service.isBoundKey('')).toBe(false);
  });

  test('one read-check-save runs after the other, also after a failure', async () => {
    const { service } = start();
    const order: string[] = [];
    const step = (name: string, fail = false) =>
      service.serialise(async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
        if (fail) throw new Error(name);
      });
    const results = await Promise.allSettled([step('a', true), step('b'), step('c')]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });
});
