import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aliasesResponseSchema } from '@manager/core/contract/client-keys';
import { ADMIN, startTestServer, type TestServer } from '../../http/testing.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { createAliasRoutes } from './routes.ts';
import { createAliasService } from './service.ts';
import { deleteAlias, listAliases, upsertAliases } from './store.ts';

const NOW = 1_770_000_000_000;
const PATH = '/v0/management/api-key-aliases';
const A = 'a'.repeat(64);
const B = 'b'.repeat(64);
const C = 'c'.repeat(64);

let directory: string;
let db: Database;
let server: TestServer;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'aliases-'));
  db = openMigrated(join(directory, 'usage.sqlite'), { now: () => NOW });
  const context = { db, now: () => NOW };
  const service = createAliasService({
    list: async () => listAliases(context),
    upsert: async (change) => upsertAliases(context, change),
    remove: async (hash) => deleteAlias(context, hash),
  });
  server = startTestServer({ handlers: { aliases: createAliasRoutes(service) } });
});
afterEach(async () => {
  await server.stop(0);
  db.close();
  rmSync(directory, { recursive: true, force: true });
});

async function call(method: string, path = '', body?: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(server.url + PATH + path, {
    method,
    headers: ADMIN,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const put = (items: unknown, extra: object = {}) => call('PUT', '', { items, ...extra });
const names = async () => {
  const { items } = aliasesResponseSchema.parse((await call('GET')).body);
  return items.map((item) => `${item.apiKeyHash[0]}:${item.alias}`);
};

describe('aliases', () => {
  test('are empty at first', async () => {
    expect(await call('GET')).toEqual({ status: 200, body: { items: [] } });
  });

  test('are listed by name ignoring case, then by hash', async () => {
    const answer = await put([
      { apiKeyHash: B, alias: 'beta', updatedAtMs: 5 },
      { apiKeyHash: ` ${A.toUpperCase()} `, alias: '  Zulu ', updatedAtMs: 0 },
      { apiKeyHash: C, alias: 'Ärger' },
    ]);
    expect(answer).toEqual({
      status: 200,
      body: {
        items: [
          { apiKeyHash: B, alias: 'beta', updatedAtMs: 5 },
          { apiKeyHash: A, alias: 'Zulu', updatedAtMs: NOW },
          { apiKeyHash: C, alias: 'Ärger', updatedAtMs: NOW },
        ],
      },
    });
    expect(await call('GET')).toEqual(answer);
  });

  test('that are not listed in a PUT stay', async () => {
    await put([{ apiKeyHash: A, alias: 'one' }]);
    await put([{ apiKeyHash: B, alias: 'two' }]);
    await put([]);
    expect(await names()).toEqual(['a:one', 'b:two']);
  });

  test('can swap names in one request', async () => {
    await put([
      { apiKeyHash: A, alias: 'one' },
      { apiKeyHash: B, alias: 'two' },
    ]);
    const swapped = await put([
      { apiKeyHash: A, alias: 'two' },
      { apiKeyHash: B, alias: 'one' },
    ]);
    expect(swapped.status).toBe(200);
    expect(await names()).toEqual(['b:one', 'a:two']);
  });

  test('of two keys never have the same name, and a refused request changes nothing', async () => {
    await put([{ apiKeyHash: A, alias: 'Team A' }]);
    const duplicate = { status: 400, body: { code: 'api_key_alias_duplicate' } };
    expect(
      await put([
        { apiKeyHash: C, alias: 'fine' },
        { apiKeyHash: B, alias: ' team a ' },
      ]),
    ).toMatchObject(duplicate);
    expect(
      await put([
        { apiKeyHash: B, alias: 'same' },
        { apiKeyHash: C, alias: 'SAME' },
      ]),
    ).toMatchObject(duplicate);
    expect(await names()).toEqual(['a:Team A']);
  });

  test('a key that is listed twice in a request keeps the last name', async () => {
    await put([
      { apiKeyHash: A, alias: 'first' },
      { apiKeyHash: A, alias: 'second' },
    ]);
    expect(await names()).toEqual(['a:second']);
  });

  test.each([
    [{ activeApiKeyHashes: [B], allowOrphanAliasCleanup: true }, 200],
    [{ activeApiKeyHashes: [B, 'no hash', 7, null], allowOrphanAliasCleanup: true }, 200],
    [{ activeApiKeyHashes: [B] }, 400],
    [{ activeApiKeyHashes: [B], allowOrphanAliasCleanup: false }, 400],
    [{ activeApiKeyHashes: [], allowOrphanAliasCleanup: true }, 400],
    [{ activeApiKeyHashes: ['no hash'], allowOrphanAliasCleanup: true }, 400],
    [{ allowOrphanAliasCleanup: true }, 400],
    [{ activeApiKeyHashes: [A.toUpperCase(), B], allowOrphanAliasCleanup: true }, 400],
  ])('of a deleted key give their name back only when asked for: %j', async (extra, status) => {
    await put([
      { apiKeyHash: A, alias: 'wanted' },
      { apiKeyHash: C, alias: 'other orphan' },
    ]);
    expect((await put([{ apiKeyHash: B, alias: 'Wanted' }], extra)).status).toBe(status);
    expect(await names()).toEqual(status === 200 ? ['c:other orphan', 'b:Wanted'] : ['c:other orphan', 'a:wanted']);
  });

  test.each([
    [{}, 'api_key_aliases_required'],
    [{ items: null }, 'api_key_aliases_required'],
    [{ items: {} }, 'request_failed'],
    [{ items: [{ apiKeyHash: 'sk-client-key', alias: 'a' }] }, 'api_key_hash_invalid'],
    [{ items: [{ apiKeyHash: A, alias: '  ' }] }, 'api_key_alias_invalid'],
    [{ items: [{ apiKeyHash: A, alias: 'x'.repeat(121) }] }, 'api_key_alias_invalid'],
    [{ items: [{ apiKeyHash: A, alias: 'half \uD83D' }] }, 'api_key_alias_invalid'],
    ...['\u001b[31m', 'a\nb', 'a\0b', 'a\u0085b', '\u202eab', 'a\u2066b', '\u200b', '\u200d\u2060'].map(
      (alias) => [{ items: [{ apiKeyHash: A, alias }] }, 'api_key_alias_invalid'] as const,
    ),
    [{ items: [{ apiKeyHash: A, alias: 'a', updatedAtMs: '5' }] }, 'request_failed'],
    [{ items: [{ apiKeyHash: A }] }, 'request_failed'],
  ])('refuse %j', async (body, code) => {
    const answer = await call('PUT', '', body);
    expect(answer).toMatchObject({ status: 400, body: { code } });
    expect(JSON.stringify(answer)).not.toContain('sk-client-key');
    expect(await names()).toEqual([]);
  });

  test('may have joiners inside', async () => {
    const items = [
      { apiKeyHash: A, alias: '👩‍💻 desk' },
      { apiKeyHash: B, alias: 'می‌خواهم' },
    ];
    expect((await put(items)).status).toBe(200);
  });

  test('are counted in characters after trimming', async () => {
    expect((await put([{ apiKeyHash: A, alias: ` ${'😀'.repeat(120)} ` }])).status).toBe(200);
  });

  test('are deleted by hash, also a missing one', async () => {
    await put([{ apiKeyHash: A, alias: 'one' }]);
    expect(await call('DELETE', `/${A.toUpperCase()}`)).toEqual({ status: 200, body: { ok: true } });
    expect(await call('DELETE', `/${A}/`)).toEqual({ status: 200, body: { ok: true } });
    expect(await names()).toEqual([]);
    expect((await call('DELETE', '/nothing')).status).toBe(400);
    expect((await call('DELETE')).status).toBe(405);
    expect((await call('GET', `/${A}`)).status).toBe(405);
  });

  test('of many thousands of keys fit into a request, of more do not', async () => {
    const items = Array.from({ length: 5000 }, (_, index) => ({
      apiKeyHash: index.toString(16).padStart(64, '0'),
      alias: `key ${index}`,
    }));
    expect((await put(items)).status).toBe(200);
    expect((await put(Array.from({ length: 10 }, () => items).flat())).status).toBe(413);
  });
});
