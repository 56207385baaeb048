import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFIGURATION_VERSIONS_PATH } from '@manager/core/contract/constants';
import {
  configurationVersionKeptSchema,
  configurationVersionsSchema,
  configurationVersionTextSchema,
} from '@manager/core/contract/gateway-configuration';
import { ADMIN, startTestServer, type TestServer } from '../../http/testing.ts';
import { openVault, type SecretVault } from '../../platform/secrets/vault.ts';
import { MIGRATIONS } from '../../schema/migrations.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { openMigrated as openWithSteps } from '../../sqlite/migrate.ts';
import { configurationHistoryRoutes } from './routes.ts';
import { createConfigurationHistory } from './service.ts';
import { configurationReads, configurationWrites, MAX_AGE_MS, MAX_VERSIONS } from './store.ts';

const TEXT = '\ufeff# a comment\r\napi-keys:\r\n  - client-key-1\r\n\r\n';

let directory: string;
let db: Database;
let server: TestServer;
let vault: SecretVault;
let gateway: string;
let nowMs: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'configurations-'));
  nowMs = 1_770_000_000_000;
  gateway = 'http://gateway.test:8317';
  const now = () => nowMs;
  db = openMigrated(join(directory, 'usage.sqlite'), { now });
  vault = vaultOf('data.key');
  vault.ensureKey();
  const context = { db, now };
  const history = createConfigurationHistory({
    vault: { hasKey: () => vault.hasKey(), seal: (secret) => vault.seal(secret), open: (stored) => vault.open(stored) },
    gateway: () => gateway,
    list: async (of) => configurationReads.listConfigurations(context, of),
    read: async (of) => configurationReads.readConfiguration(context, of),
    keep: async (version) => configurationWrites.keepConfiguration(context, version),
    removeAll: async () => configurationWrites.deleteConfigurations(context, null),
    maxCompressedBytes: 64 * 1024,
    now,
  });
  server = startTestServer({ handlers: { configurationHistory: configurationHistoryRoutes(history) } });
});
afterEach(async () => {
  await server.stop(0);
  db.close();
  rmSync(directory, { recursive: true, force: true });
});

const vaultOf = (name: string) => openVault({ explicitText: '', path: join(directory, name), randomBytes });

async function call(method: string, path = '', body?: string): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${server.url}${CONFIGURATION_VERSIONS_PATH}${path}`, {
    method,
    headers: ADMIN,
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, body: await answer.json() };
}
const keep = async (origin: string, text: string) => {
  nowMs += 1_000;
  return configurationVersionKeptSchema.parse((await call('POST', `?origin=${origin}`, text)).body);
};
const list = async () => configurationVersionsSchema.parse((await call('GET')).body).items;
const textOf = async (id: number) => configurationVersionTextSchema.parse((await call('GET', `/${id}`)).body).text;

describe('versions of a configuration', () => {
  test('are none at first', async () => {
    expect(await call('GET')).toEqual({ status: 200, body: { items: [] } });
  });

  test('have every byte of their text, which is encrypted in the database', async () => {
    const { version, added } = await keep('seen', TEXT);
    expect(added).toBe(true);
    expect(version).toMatchObject({ origin: 'seen', bytes: Buffer.byteLength(TEXT) });
    expect(await textOf(version.id)).toBe(TEXT);
    const [row] = db.query<{ envelope: string }, []>('SELECT envelope FROM gateway_configurations').all();
    expect(row?.envelope).toStartWith('enc:v1:');
    expect(Buffer.from(db.serialize()).includes('client-key-1')).toBe(false);
    expect(JSON.stringify(server.log.lines)).not.toContain('client-key-1');
  });

  test('show who made them, the newest first; looking again at the newest one adds nothing', async () => {
    await keep('seen', 'a: 1\n');
    expect((await keep('seen', 'a: 1\n')).added).toBe(false);
    await keep('saved', 'a: 2\n');
    // Reading what was just saved is no change.
    expect((await keep('seen', 'a: 2\n')).version.origin).toBe('saved');
    await keep('seen', 'a: 3\n');
    expect((await list()).map(({ origin }) => origin)).toEqual(['elsewhere', 'saved', 'seen']);
  });

  test('are a timeline: a text that returns is a version of its own, and the older ones stay as they are', async () => {
    await keep('seen', 'a: 1\nb: 1\n');
    await keep('saved', 'a: 2\nb: 1\n');
    await keep('seen', 'a: 2\nb: 2\n');
    const before = await list();
    const restored = await keep('saved', 'a: 1\nb: 1\n');
    expect(restored).toMatchObject({
      added: true,
      version: { digest: before[2]?.digest, origin: 'saved', firstSeenAtMs: nowMs, lastSeenAtMs: nowMs },
    });
    expect(restored.version.changed).toEqual(['a', 'b']);
    expect(await list()).toEqual([restored.version, ...before]);

    const again = await keep('seen', 'a: 1\nb: 1\n');
    expect(again).toEqual({ added: false, version: { ...restored.version, lastSeenAtMs: nowMs } });
    expect(await list()).toEqual([again.version, ...before]);
    expect(await textOf(before[0]?.id ?? 0)).toBe('a: 2\nb: 2\n');
    // Elsewhere, somebody put back what was there.
    expect((await keep('seen', 'a: 2\nb: 2\n')).version).toMatchObject({ origin: 'elsewhere', changed: ['a', 'b'] });
    expect(await list()).toHaveLength(5);
  });

  test('of an earlier schema stay, and are followed by those that return', async () => {
    const path = join(directory, 'earlier.sqlite');
    const earlier = openWithSteps(path, { now: () => nowMs, migrations: MIGRATIONS.slice(0, 16) });
    earlier.run(
      `INSERT INTO gateway_configurations (id, gateway, digest, envelope, bytes, origin, first_seen_at_ms, last_seen_at_ms, changed)
       VALUES (3, 'g', 'one', 'text one', 5, 'seen', ?1, ?1, NULL), (8, 'g', 'two', 'text two', 6, 'saved', ?1 + 1, ?1 + 2, '["a"]')`,
      [nowMs],
    );
    earlier.close();
    const context = { db: openMigrated(path, { now: () => nowMs }), now: () => nowMs + 5 };
    const versions = () => configurationReads.listConfigurations(context, { gateway: 'g', nowMs });
    const before = versions();
    expect(before).toEqual([
      {
        id: 8,
        digest: 'two',
        origin: 'saved',
        bytes: 6,
        firstSeenAtMs: nowMs + 1,
        lastSeenAtMs: nowMs + 2,
        changed: ['a'],
      },
      { id: 3, digest: 'one', origin: 'seen', bytes: 5, firstSeenAtMs: nowMs, lastSeenAtMs: nowMs, changed: null },
    ]);
    const of = { gateway: 'g', id: 3, nowMs };
    expect(configurationReads.readConfiguration(context, of)?.envelope).toBe('text one');
    const returned = { gateway: 'g', digest: 'one', envelope: 'text one', bytes: 5, saved: true, changes: null };
    const { version, added } = configurationWrites.keepConfiguration(context, returned);
    expect({ added, id: version.id }).toEqual({ added: true, id: 9 });
    expect(versions()).toEqual([version, ...before]);
    context.db.close();
  });

  test('say which settings changed, without values; of the first it is not known', async () => {
    await keep('seen', 'port: 1\napi-keys:\n  - client-key-1\n');
    await keep('saved', 'port: 2\napi-keys:\n  - client-key-1\n  - client-key-2\n');
    await keep('seen', 'port: 2\napi-keys:\n  - client-key-1\n  - client-key-2\n');
    await keep('seen', '# port\nport: 2\napi-keys:\n  - client-key-1\n  - client-key-2\n');
    expect((await list()).map(({ changed }) => changed)).toEqual([[], ['port', 'api-keys (+1)'], null]);
    // A version that returns is compared with the one that it replaces.
    await keep('saved', 'port: 1\napi-keys:\n  - client-key-1\n');
    expect((await list()).map(({ changed }) => changed)).toEqual([
      ['port', 'api-keys (−1)'],
      [],
      ['port', 'api-keys (+1)'],
      null,
    ]);
    expect(Buffer.from(db.serialize()).includes('client-key')).toBe(false);
  });

  test('are kept where the version before cannot be read', async () => {
    await keep('seen', 'a: 1\n');
    vault = vaultOf('other.key');
    vault.ensureKey();
    expect((await keep('seen', 'a: 2\n')).version).toMatchObject({ origin: 'elsewhere', changed: null });
  });

  test('stay in their order when the clock is set back', async () => {
    await keep('seen', 'a: 1\n');
    nowMs -= 3_600_000;
    const { version } = await keep('seen', 'a: 2\n');
    expect((await list())[0]?.id).toBe(version.id);
  });

  test('are kept 50 at most, and for 30 days', async () => {
    for (let number = 0; number <= MAX_VERSIONS; number++) await keep('saved', `a: ${number}\n`);
    const kept = await list();
    expect(kept).toHaveLength(MAX_VERSIONS);
    expect(await textOf(kept.at(-1)?.id ?? 0)).toBe('a: 1\n');
    nowMs += MAX_AGE_MS;
    expect(await list()).toEqual([]);
    expect(await call('GET', `/${kept[0]?.id}`)).toMatchObject({ status: 404 });
    await keep('seen', 'a: new\n');
    expect(db.query('SELECT id FROM gateway_configurations').all()).toHaveLength(1);
  });

  test('belong to their gateway', async () => {
    const { version } = await keep('seen', 'a: 1\n');
    gateway = 'http://other.test:8317';
    expect(await list()).toEqual([]);
    expect((await call('GET', `/${version.id}`)).status).toBe(404);
    expect((await keep('seen', 'a: 1\n')).version.origin).toBe('seen');
  });

  test('are deleted', async () => {
    await keep('seen', 'a: 1\n');
    expect(await call('DELETE')).toEqual({ status: 200, body: { ok: true } });
    expect(await list()).toEqual([]);
  });

  test('cannot be read with another data key', async () => {
    const { version } = await keep('seen', 'a: 1\n');
    vault = vaultOf('other.key');
    vault.ensureKey();
    expect(await call('GET', `/${version.id}`)).toMatchObject({
      status: 409,
      body: { code: 'configuration_version_unreadable' },
    });
    // Seeing it meanwhile leaves what the right key opens.
    await keep('seen', 'a: 1\n');
    vault = vaultOf('data.key');
    expect(await textOf(version.id)).toBe('a: 1\n');
  });

  test('are not kept without a data key, and make none', async () => {
    vault = vaultOf('missing.key');
    expect(await call('POST', '?origin=seen', 'a: 1\n')).toMatchObject({
      status: 409,
      body: { code: 'data_key_missing' },
    });
    expect(vault.hasKey()).toBe(false);
  });

  test.each([
    ['POST', '?origin=seen', '', 400, 'configuration_text_missing'],
    ['POST', '', 'a: 1', 400, 'request_failed'],
    ['POST', '?origin=elsewhere', 'a: 1', 400, 'request_failed'],
    ['GET', '/7', undefined, 404, 'configuration_version_not_found'],
    ['GET', '/x', undefined, 404, 'configuration_version_not_found'],
    ['GET', '/1/text', undefined, 404, 'request_failed'],
    ['PUT', '', 'a: 1', 405, 'method_not_allowed'],
  ])('refuse %s %s of %p', async (method, path, body, status, code) => {
    expect(await call(method, path, body)).toMatchObject({ status, body: { code } });
  });

  test('that stay above the limit when compressed are refused', async () => {
    const text = randomBytes(70 * 1024).toString('base64');
    expect(await call('POST', '?origin=seen', text)).toMatchObject({
      status: 413,
      body: { code: 'configuration_too_large' },
    });
  });

  test('need the admin key, and a gateway', async () => {
    expect((await fetch(`${server.url}${CONFIGURATION_VERSIONS_PATH}`)).status).toBe(401);
    gateway = '';
    expect(await call('GET')).toMatchObject({ status: 412, body: { code: 'usage_service_not_configured' } });
  });
});
