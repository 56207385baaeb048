import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway, TEST_UPSTREAM_KEY } from '../support/test-gateway.ts';

let gateway: Simulator;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());

const EVIL = 'https://evil.example';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('a manager without a gateway', () => {
  let manager: ManagerProcess;
  beforeEach(async () => {
    manager = await ManagerProcess.start();
    gateway.clearRequests();
  });
  afterEach(() => manager.remove());

  const setup = (headers: Record<string, string>, body: object = {}) =>
    fetch(`${manager.url}/setup`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ cpaBaseUrl: gateway.url, cpaManagementKey: TEST_UPSTREAM_KEY, ...body }),
    });

  test('is bound by no web page of another address, and asks no address for one', async () => {
    for (const [headers, status, code] of [
      [{ 'content-type': 'text/plain' }, 415, 'json_required'],
      [{ 'content-type': 'application/x-www-form-urlencoded' }, 415, 'json_required'],
      [{ 'content-type': 'text/plain', origin: EVIL }, 403, 'cross_site_refused'],
      [{ ...JSON_TYPE, origin: EVIL }, 403, 'cross_site_refused'],
      [{ ...JSON_TYPE, origin: 'null' }, 403, 'cross_site_refused'],
      [{ ...JSON_TYPE, origin: 'http://127.0.0.1:1' }, 403, 'cross_site_refused'],
      [{ ...JSON_TYPE, 'sec-fetch-site': 'cross-site' }, 403, 'cross_site_refused'],
      [{ ...JSON_TYPE, 'sec-fetch-site': 'same-site' }, 403, 'cross_site_refused'],
    ] as const) {
      const answer = await setup(headers);
      expect(answer.status).toBe(status);
      expect(answer.headers.has('access-control-allow-origin')).toBe(false);
      expect(await answer.json()).toMatchObject({ code });
    }
    expect(gateway.requests()).toEqual([]);
    expect(await (await fetch(`${manager.url}/usage-service/info`)).json()).toMatchObject({ configured: false });
  });

  test('gives a page of another address nothing to read, and no permission to send', async () => {
    for (const path of ['/health', '/usage-service/info', '/usage-service/config', '/setup', '/v1/models']) {
      const answers = [
        await fetch(manager.url + path, { headers: { origin: EVIL } }),
        await fetch(manager.url + path, { method: 'POST', headers: { origin: EVIL } }),
        await fetch(manager.url + path, {
          method: 'OPTIONS',
          headers: { origin: EVIL, 'access-control-request-method': path === '/setup' ? 'POST' : 'GET' },
        }),
      ];
      const names = answers.flatMap(({ headers }) => [...headers.keys()]);
      // A method that a path does not know needs the key in any case.
      expect(names.filter((name) => name === 'access-control-allow-origin').length).toBeLessThanOrEqual(1);
      for (const answer of answers)
        if (answer.status !== 405) expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    }
  });

  test('lets nobody without the key change its settings', async () => {
    const change = {
      headers: JSON_TYPE,
      body: '{"config":{"collector":{"enabled":false}},"authIssueQueueEnabled":true}',
    };
    const put = await fetch(`${manager.url}/usage-service/config`, { method: 'PUT', ...change });
    const patch = await fetch(`${manager.url}/usage-service/account-processing-policy`, { method: 'PATCH', ...change });
    expect([put.status, patch.status]).toEqual([401, 401]);
    expect((await fetch(`${manager.url}/usage-service/config`)).status).toBe(200);
    expect(gateway.requests()).toEqual([]);
  });

  test('is set up by a program without any key', async () => {
    expect((await setup(JSON_TYPE)).status).toBe(200);
  });

  test('is set up by its own page', async () => {
    const { host } = new URL(manager.url);
    const page = { ...JSON_TYPE, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
    expect((await setup(page)).status).toBe(200);
    const info = await fetch(`${manager.url}/usage-service/info`, { headers: { origin: EVIL } });
    expect(info.headers.get('access-control-allow-origin')).toBe('*');
  });

  test('is set up from anywhere with the admin key, in the header or in the body', async () => {
    const foreign = { 'content-type': 'text/plain', origin: EVIL, 'sec-fetch-site': 'cross-site' };
    expect((await setup(foreign, { adminKey: manager.adminKey })).status).toBe(200);
    expect((await setup({ ...foreign, authorization: `Bearer ${manager.adminKey}` })).status).toBe(200);
  });
});

test('a web page of another address makes a connected manager forward nothing that the gateway counts as a failed key', async () => {
  const manager = await ManagerProcess.start({ env: { ...boundTo(gateway, 'http') } });
  gateway.clearRequests();
  const attempts = [
    ['HEAD', 'simplugin/echo', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['GET', 'simplugin/echo', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
    ['GET', 'simplugin/echo', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['POST', 'simplugin/echo', { origin: EVIL, 'content-type': 'text/plain' }],
    ['POST', 'oauth-callback', { origin: EVIL, 'content-type': 'text/plain' }],
    ['GET', 'oauth-callback?state=x', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ] as const;
  for (const [method, path, headers] of attempts) {
    const answer = await fetch(`${manager.url}/v0/management/${path}`, { method, headers });
    expect([method, path, answer.status]).toEqual([method, path, 403]);
  }
  const returned = await fetch(`${manager.url}/v0/management/oauth-callback?state=x&code=y`, {
    headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  });
  expect(returned.status).not.toBe(403);
  expect(gateway.requests({ path: '/v0/management/simplugin*' })).toEqual([]);
  expect(gateway.requests({ path: '/v0/management/oauth-callback*' })).toHaveLength(1);
  await manager.remove();
});
