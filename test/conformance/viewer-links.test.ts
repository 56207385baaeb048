import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { viewerLinkCreatedSchema, viewerLinksResponseSchema } from '@manager/core/contract/viewer-links/links';
import { viewerAnalyticsResponseSchema, viewerResponseSchema } from '@manager/core/contract/viewer-links/viewer';
import { until } from '@manager/core/testing/until';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { readStatus } from '../support/status.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';
import { SCENARIOS } from './scenarios/all.ts';

const LINKS = '/usage-service/viewer-links';
const VIEWER = '/usage-service/viewer';
const ANALYTICS = `${VIEWER}/analytics`;
const OWN_KEY = 'sk-client-key-of-the-viewer-0123456789';
const FOREIGN_KEY = 'sk-client-key-of-somebody-else-0123456789';
const hashOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex');
const EVERYTHING = {
  from_ms: 1,
  to_ms: 4_102_444_800_000,
  include: { summary: true, comparison: true, timeline: true, models: true, keys: true, requests: {} },
};

let gateway: Simulator;
let manager: ManagerProcess;
/** What the viewer must never see: every account and foreign key of the events. */
const markers: string[] = [];

beforeAll(async () => {
  gateway = await startTestGateway();
  manager = await ManagerProcess.start({ env: boundTo(gateway) });
  await until(async () => (await readStatus(manager)).collector.collector === 'running');
  const events = makeEvents({ seed: 7, numberFrom: 0 });
  for (let index = 0; index < 20; index += 1) {
    const marked = markedEvent(events.next().value.text, index);
    await gateway.publish(JSON.stringify(marked));
  }
  await until(async () => (await readStatus(manager)).events === 20);
  await manager.fetch('/v0/management/api-key-aliases', {
    method: 'PUT',
    body: JSON.stringify({
      items: [
        { apiKeyHash: hashOf(OWN_KEY), alias: 'Own team' },
        { apiKeyHash: hashOf(FOREIGN_KEY), alias: 'marker-foreign-alias' },
      ],
    }),
  });
  markers.push('marker-foreign-alias', hashOf(FOREIGN_KEY), OWN_KEY, FOREIGN_KEY);
});

afterAll(async () => {
  await manager.remove();
  await gateway.stop();
});

/** Half of the events are of the viewer's key; all name accounts and contain failures in every place there is. */
function markedEvent(text: string, index: number): object {
  const marker = (name: string) => {
    markers.push(`marker-${name}-${index}`);
    return `marker-${name}-${index}`;
  };
  return {
    ...JSON.parse(text),
    api_key: index % 2 === 0 ? OWN_KEY : FOREIGN_KEY,
    request_id: marker('request'),
    source: marker('source'),
    auth_index: marker('index'),
    account: marker('account'),
    failed: index % 4 === 0,
    fail: { status_code: 429, body: marker('failure') },
    response_headers: { 'X-Request-Id': [marker('trace')], 'X-Organization': [marker('organization')] },
  };
}

async function createLink(keys: readonly string[] | null) {
  const body = JSON.stringify({ name: 'Team', keys, expiresInDays: 30 });
  const answer = await manager.fetch(LINKS, { method: 'POST', body });
  expect(answer.status).toBe(201);
  return viewerLinkCreatedSchema.parse(await answer.json());
}

function asViewer(token: string, path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(manager.url + path, {
    redirect: 'manual',
    ...init,
    headers: { ...init.headers, Authorization: `Bearer ${token}` },
  });
}

const post = (token: string, body: object) =>
  asViewer(token, ANALYTICS, { method: 'POST', body: JSON.stringify(body) });

/** Open to everybody, with or without a key: none of them has data. */
const PUBLIC: ReadonlySet<string> = new Set([
  '/health',
  '/usage-service/info',
  '/',
  '/management.html',
  '/usage-service/code-editor.js',
  '/usage-service/manager-pages.js',
]);

const OTHERS = [
  '/v0/management/auth-files',
  '/v0/management/api-keys',
  '/v0/management/logs',
  '/v0/management/plugins',
  '/v0/management/oauth-callback?code=1&state=2',
  '/v1/models',
  '/models',
  '/v0/resource/plugins/a/page.html',
  '/v0/management/usage/maintenance',
  '/v0/management/quota-snapshots/query',
  '/usage-service/quota-cooldowns',
  '/usage-service/account-processing-policy',
  '/usage-service/gateway-configuration/versions',
].map((path) => ({ method: 'GET', path }));

describe('the token of a viewer link', () => {
  test('is refused by every endpoint but its own two', async () => {
    const { token } = await createLink([hashOf(OWN_KEY)]);
    const asked = [...SCENARIOS, ...OTHERS].map(({ method = 'GET', path }) => ({ method, path }));
    const opened: string[] = [];
    for (const { method, path } of asked) {
      const [pathname = ''] = path.split('?');
      if (PUBLIC.has(pathname) || pathname.startsWith(`${VIEWER}/`) || pathname === VIEWER || method === 'OPTIONS')
        continue;
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: '{}' };
      const answer = await asViewer(token, path, { method, ...body });
      const text = await answer.text();
      const isRefused = answer.status === 403 && (method === 'HEAD' || text.includes('"viewer_not_allowed"'));
      // No such path or method, whoever asks.
      const isNothing = (answer.status === 404 || answer.status === 405) && !isRefused && text.length < 200;
      const wasNothing = SCENARIOS.some((one) => one.path === path && (one.status === 404 || one.status === 405));
      if (!isRefused && !(isNothing && wasNothing)) opened.push(`${method} ${path}: ${answer.status}`);
    }
    expect(opened).toEqual([]);
    expect(asked.length).toBeGreaterThan(100);
  });

  test('does not pass with an upgrade, in the address or as another header', async () => {
    const { token } = await createLink(null);
    const headers = {
      Upgrade: 'websocket',
      Connection: 'Upgrade',
      'Sec-WebSocket-Key': 'x',
      'Sec-WebSocket-Version': '13',
    };
    expect((await asViewer(token, '/v0/management/ws', { headers })).status).toBe(403);
    expect((await fetch(`${manager.url}${VIEWER}?token=${token}&key=${token}`)).status).toBe(401);
    expect((await fetch(manager.url + VIEWER, { headers: { 'X-Management-Key': token } })).status).toBe(401);
  });

  test('opens the usage of its client keys, and names nothing else', async () => {
    const { token } = await createLink([hashOf(OWN_KEY)]);
    const about = await (await asViewer(token, VIEWER)).text();
    expect(viewerResponseSchema.parse(JSON.parse(about)).keys).toEqual([
      { api_key_hash: hashOf(OWN_KEY), name: 'Own team' },
    ]);
    const answer = await (await post(token, EVERYTHING)).text();
    const shown = viewerAnalyticsResponseSchema.parse(JSON.parse(answer));
    expect([shown.summary?.calls, shown.requests?.total_count, shown.keys?.length]).toEqual([10, 10, 1]);
    expect(shown.requests?.items.filter(({ fail_kind }) => fail_kind === 'rate_limited').length).toBe(5);
    for (const marker of markers) expect([marker, (about + answer).includes(marker)]).toEqual([marker, false]);
  });

  test('cannot ask beyond its client keys, by accounts or for text', async () => {
    const { token } = await createLink([hashOf(OWN_KEY)]);
    const refused = await post(token, { ...EVERYTHING, api_key_hashes: [hashOf(FOREIGN_KEY)] });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'viewer_key_not_covered' }]);
    const both = await post(token, { ...EVERYTHING, api_key_hashes: [hashOf(FOREIGN_KEY), hashOf(OWN_KEY)] });
    expect(viewerAnalyticsResponseSchema.parse(await both.json()).summary?.calls).toBe(10);
    const beyond = [
      { search_query: 'marker' },
      { search_api_key_hash: hashOf(FOREIGN_KEY) },
      { filters: { accounts: ['marker-account-0'] } },
      { include: { filter_selectors: true } },
      { include: { account_stats: true } },
      { include: { drilldown_preview: { from_ms: 1, to_ms: 2 } } },
      { include: { row_ids: ['x'] } },
      { include: { breakdown: { by: 'account' } } },
      { include: { requests: { limit: 201 } } },
    ];
    for (const members of beyond) expect((await post(token, { ...EVERYTHING, ...members })).status).toBe(400);
  });

  test('of different links never share an answer, at once or by entity tag', async () => {
    const [own, foreign, all] = await Promise.all([
      createLink([hashOf(OWN_KEY)]),
      createLink([hashOf(FOREIGN_KEY)]),
      createLink(null),
    ]);
    const question = { ...EVERYTHING, include: { summary: true, keys: true } };
    const tokens = [own.token, foreign.token, all.token];
    const answers = await Promise.all([...tokens, ...tokens].map((token) => post(token, question)));
    const keys = await Promise.all(
      answers.map(async (answer) => viewerAnalyticsResponseSchema.parse(await answer.json()).keys),
    );
    expect(keys.map((rows) => rows?.map(({ api_key_hash }) => api_key_hash).toSorted())).toEqual(
      [0, 1].flatMap(() => [
        [hashOf(OWN_KEY)],
        [hashOf(FOREIGN_KEY)],
        [hashOf(OWN_KEY), hashOf(FOREIGN_KEY)].toSorted(),
      ]),
    );
    const tag = answers[0]?.headers.get('etag') ?? '';
    const body = JSON.stringify(question);
    const again = (token: string) =>
      asViewer(token, ANALYTICS, { method: 'POST', body, headers: { 'If-None-Match': tag } });
    expect((await again(own.token)).status).toBe(304);
    expect((await again(foreign.token)).status).toBe(200);
  });

  test('is revoked at once, listed without itself, and on no disk or log', async () => {
    const { token, link } = await createLink(null);
    expect((await asViewer(token, VIEWER)).status).toBe(200);
    await until(async () => {
      const list = viewerLinksResponseSchema.parse(await (await manager.fetch(LINKS)).json());
      return list.items.some(({ id, lastUsedAtMs }) => id === link.id && (lastUsedAtMs ?? 1) % 3_600_000 === 0);
    });
    expect(await (await manager.fetch(LINKS)).text()).not.toContain(token);
    expect((await manager.fetch(`${LINKS}/${link.id}`, { method: 'DELETE' })).status).toBe(200);
    for (const path of [VIEWER, '/status', '/v1/models', '/v0/management/config']) {
      const answer = await asViewer(token, path);
      expect([path, answer.status, await answer.json()]).toMatchObject([path, 401, { code: 'invalid_viewer_token' }]);
    }
    expect(manager.output).not.toContain(token);
    for (const name of readdirSync(manager.dataDir).filter((file) => file.startsWith('usage.sqlite')))
      if (!name.endsWith('.lock')) expect(readFileSync(join(manager.dataDir, name), 'latin1')).not.toContain(token);
  });
});
