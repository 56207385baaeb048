import type { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '../../http/testing.ts';
import { openMigrated } from '../../schema/open-migrated.ts';
import { viewerLinkRoutes, viewerRoutes } from './routes.ts';
import { createViewerLinkService, type ViewerLinkService } from './service.ts';
import { findViewerLink, viewerLinkReads, viewerLinkWrites } from './store.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const A = 'a'.repeat(64);
const EMPTY = new TextEncoder().encode('{}');

let directory: string;
let db: Database;
let service: ViewerLinkService;
let server: TestServer;
let nowMs: number;
let uses: number;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'viewer-links-'));
  nowMs = 1_770_000_000_000;
  uses = 0;
  db = openMigrated(join(directory, 'usage.sqlite'), { now: () => nowMs });
  const context = { db, now: () => nowMs };
  let ids = 0;
  service = createViewerLinkService({
    reader: { run: async (name, args) => viewerLinkReads[name](context, args as never) as never },
    writer: {
      run: async (name, args) => {
        if (name === 'noteViewerUse') uses += 1;
        return viewerLinkWrites[name](context, args as never) as never;
      },
    },
    find: (hash, at) => findViewerLink(db, hash, at),
    aliases: async () => [],
    ask: async () => ({ pieces: [EMPTY], tag: 'W/"x"' }),
    now: () => nowMs,
    newId: () => `link-${++ids}`,
    randomBytes,
    log: { warn: () => {} },
  });
  server = startTestServer({
    handlers: { viewerLinks: viewerLinkRoutes(service), viewer: viewerRoutes(service) },
    findViewer: service.findViewer,
    now: () => nowMs,
  });
});
afterEach(async () => {
  await server.stop(0);
  db.close();
  rmSync(directory, { recursive: true, force: true });
});

const statusAt = async (path: string, token: string, headers: Record<string, string> = {}) =>
  (await fetch(server.url + path, { headers: { ...headers, authorization: `Bearer ${token}` } })).status;
const see = (token: string, headers?: Record<string, string>) => statusAt('/usage-service/viewer', token, headers);

describe('a viewer link', () => {
  test('is stored as a digest of its token', async () => {
    const { token, link } = await service.create({
      name: ' Team ',
      keys: [` ${A.toUpperCase()} `, A],
      expiresInDays: 7,
    });
    expect(token).toMatch(/^mgv_[A-Za-z0-9_-]{43}$/);
    expect(link).toEqual({
      id: 'link-1',
      name: 'Team',
      keys: [A],
      createdAtMs: nowMs,
      expiresAtMs: nowMs + 7 * DAY_MS,
      lastUsedAtMs: null,
    });
    expect(JSON.stringify(db.query('SELECT * FROM viewer_links').all())).not.toContain(token.slice(4, 20));
    expect(await service.list()).toEqual({ items: [link] });
  });

  test('expires at its time, and one without an end does not', async () => {
    const short = await service.create({ name: 'a', keys: null, expiresInDays: 1 });
    const endless = await service.create({ name: 'b', keys: null, expiresInDays: 0 });
    nowMs += DAY_MS - 1;
    expect([await see(short.token), await see(endless.token)]).toEqual([200, 200]);
    nowMs += 1;
    expect([await see(short.token), await see(endless.token)]).toEqual([401, 200]);
    nowMs += 5_000 * DAY_MS;
    expect(await see(endless.token)).toBe(200);
  });

  test('ends with the next request after it is revoked', async () => {
    const { token, link } = await service.create({ name: 'a', keys: [A], expiresInDays: 0 });
    expect(await see(token)).toBe(200);
    await service.revoke(link.id);
    expect(await see(token)).toBe(401);
    await expect(service.revoke(link.id)).rejects.toThrow('no such viewer link');
  });

  test('notes the hour of its last use, once an hour', async () => {
    const { token } = await service.create({ name: 'a', keys: [A], expiresInDays: 0 });
    for (let request = 0; request < 5; request += 1) await see(token);
    expect(uses).toBe(1);
    expect((await service.list()).items[0]?.lastUsedAtMs).toBe(Math.floor(nowMs / HOUR_MS) * HOUR_MS);
    nowMs += HOUR_MS;
    await see(token);
    expect(uses).toBe(2);
  });

  test('is one of 200 at most', async () => {
    for (let count = 0; count < 200; count += 1) await service.create({ name: 'a', keys: null, expiresInDays: 1 });
    await expect(service.create({ name: 'a', keys: null, expiresInDays: 1 })).rejects.toThrow('200 viewer links');
  });

  test.each([
    [{ name: '', keys: null }, 'name'],
    [{ name: 'x'.repeat(121), keys: null }, 'name'],
    [{ name: 'a\u202eb', keys: null }, 'name'],
    [{ name: 'a', keys: [] }, 'keys'],
    [{ name: 'a', keys: ['sk-client-key'] }, 'keys'],
    [{ name: 'a', keys: Array.from({ length: 501 }, (_, index) => index.toString(16).padStart(64, '0')) }, 'keys'],
  ])('is refused when it is not valid: %#', async (members, named) => {
    const refused = service.create({ ...members, expiresInDays: 1 });
    await expect(refused).rejects.toThrow(named);
    await expect(refused).rejects.not.toThrow('sk-client-key');
  });
});

describe('a viewer', () => {
  test('reaches nothing but the two endpoints for viewers, and no gateway', async () => {
    const { token } = await service.create({ name: 'a', keys: null, expiresInDays: 0 });
    const paths = [
      '/status',
      '/usage-service/config',
      '/usage-service/viewer-links',
      '/v0/management/monitoring/analytics',
      '/v0/management/usage/export',
      '/v0/management/config',
      '/v0/management/oauth-callback',
      '/v1/models',
      '/v0/resource/plugins/x',
    ];
    for (const path of paths) {
      const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 403, { code: 'viewer_not_allowed' }]);
    }
  });

  test('without a token is told so, and not that a link has ended', async () => {
    const errorFor = async (headers: Record<string, string>) => {
      const answer = await fetch(`${server.url}/usage-service/viewer`, { headers });
      return { status: answer.status, ...((await answer.json()) as { code: string; error: string }) };
    };
    const refused = { status: 401, code: 'invalid_viewer_token' };
    expect(await errorFor({})).toMatchObject({ ...refused, error: 'the token of a viewer link is missing' });
    const ended = await errorFor({ authorization: `Bearer mgv_${'x'.repeat(43)}` });
    expect(ended).toMatchObject({ ...refused, error: expect.stringContaining('has expired or was revoked') });
  });

  test('with a wrong token is refused everywhere, and counts as a wrong admin key', async () => {
    const wrong = `mgv_${'x'.repeat(43)}`;
    const from = { 'x-forwarded-for': '203.0.113.7' };
    expect(await statusAt('/v1/models', wrong, from)).toBe(401);
    for (let count = 2; count <= 100; count += 1) expect(await see(wrong, from)).toBe(401);
    expect(await see(wrong, from)).toBe(429);
    expect(await statusAt('/status', 'guess', from)).toBe(429);
    const { token } = await service.create({ name: 'a', keys: null, expiresInDays: 0 });
    expect(await see(token, from)).toBe(200);
    expect(server.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    expect(JSON.stringify(server.log.lines)).not.toContain(wrong);
  });

  test('needs no admin key that begins alike to stop working', async () => {
    const chosen = 'mgv_a-chosen-admin-key-0123';
    const other = startTestServer({ verifyAdminKey: (key) => key === chosen, findViewer: service.findViewer });
    const answer = await fetch(`${other.url}/status`, { headers: { authorization: `Bearer ${chosen}` } });
    await other.stop(0);
    expect(answer.status).toBe(200);
  });
});
