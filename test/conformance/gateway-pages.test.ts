import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const OWN_POLICY = "default-src 'self'; report-uri https://evil.example";
const HOSTILE = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': OWN_POLICY,
  'Content-Security-Policy-Report-Only': OWN_POLICY,
  'X-Content-Type-Options': 'off',
  'Service-Worker-Allowed': '/',
  'Set-Cookie': 'session=of-the-gateway; Path=/',
  'Clear-Site-Data': '"*"',
  'Strict-Transport-Security': 'max-age=31536000',
  Refresh: '0; url=/management.html',
  Link: '<https://evil.example/x.js>; rel=preload; as=script',
  'Speculation-Rules': '"/rules.json"',
  'Alt-Svc': 'h3="evil.example:443"',
  NEL: '{"report_to":"x","max_age":31536000}',
  'Report-To': '{"group":"x","max_age":31536000,"endpoints":[{"url":"https://evil.example"}]}',
  'Reporting-Endpoints': 'x="https://evil.example"',
  'Critical-CH': 'Sec-CH-UA-Model',
  'Set-Login': 'logged-in',
  'WWW-Authenticate': 'Basic realm="Enter the admin key as password"',
  'Authentication-Info': 'nextnonce="x"',
  'Cross-Origin-Opener-Policy': 'unsafe-none',
  'Origin-Agent-Cluster': '?0',
  'No-Vary-Search': 'params',
  'Content-Location': '/management.html',
  SourceMap: 'https://evil.example/map',
  'X-Of-The-Plugin': 'kept',
  'Cache-Control': 'max-age=5',
};
const DROPPED = [
  'service-worker-allowed',
  'set-cookie',
  'clear-site-data',
  'strict-transport-security',
  'refresh',
  'link',
  'speculation-rules',
  'alt-svc',
  'nel',
  'report-to',
  'reporting-endpoints',
  'critical-ch',
  'set-login',
  'www-authenticate',
  'authentication-info',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'no-vary-search',
  'content-location',
  'sourcemap',
];
const SANDBOX = 'sandbox allow-scripts allow-forms allow-popups allow-downloads';

let gateway: Simulator;
let sandboxing: ManagerProcess;
let trusting: ManagerProcess;

beforeAll(async () => {
  gateway = await startTestGateway();
  sandboxing = await ManagerProcess.start({ env: boundTo(gateway) });
  trusting = await ManagerProcess.start({ env: { ...boundTo(gateway), USAGE_TRUSTED_PLUGIN_PAGES: 'true' } });
});
afterAll(async () => {
  await sandboxing.remove();
  await trusting.remove();
  await gateway.stop();
});

async function forwarded(manager: ManagerProcess, path: string, status: number, init: BunFetchRequestInit = {}) {
  const respond = { status, headers: { ...HOSTILE, Location: '/elsewhere' }, body: '<!doctype html><p>page' };
  const match = { path: path.split('?', 1)[0] ?? '' };
  const fault = gateway.fault({ kind: 'http', match, respond, times: 'always' });
  try {
    return await manager.fetch(path, { redirect: 'manual', ...init });
  } finally {
    gateway.clearFaults(fault);
  }
}

test.each(['public, max-age=9999', 's-maxage=60', 'max-age=60, must-revalidate'])(
  'what the saved key may read is kept by no shared cache: %s',
  async (value) => {
    const path = '/v0/management/logs';
    const respond = { status: 200, headers: { 'Cache-Control': value }, body: '{}' };
    const fault = gateway.fault({ kind: 'http', match: { path }, respond, times: 'always' });
    expect((await sandboxing.fetch(path)).headers.get('cache-control')).toBe('no-store');
    gateway.clearFaults(fault);
  },
);

describe('everything forwarded is sandboxed', () => {
  test.each([
    ['GET', '/v0/resource/plugins/simplugin/index.html', 200],
    ['HEAD', '/v0/resource/plugins/simplugin/index.html', 200],
    ['POST', '/v0/resource/plugins/simplugin/index.html', 500],
    ['GET', '/v0/resource/plugins/simplugin/missing.html', 404],
    ['GET', '/v0/resource/plugins/simplugin/moved.html', 302],
    ['GET', '/v0/management/simplugin/page', 200],
    ['GET', '/v0/management/oauth-callback?state=x', 200],
    ['GET', '/v0/management/logs', 200],
    ['PATCH', '/v0/management/auth-files/fields', 200],
    ['GET', '/v1/models', 200],
  ])('%s %s with %i', async (method, path, status) => {
    const body = method === 'PATCH' ? { body: '{"name":"a.json"}' } : {};
    for (const manager of [sandboxing, trusting]) {
      const { headers, status: received } = await forwarded(manager, path, status, { method, ...body });
      expect(received).toBe(status);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      for (const name of DROPPED) expect([name, headers.get(name)]).toEqual([name, null]);
      const isTrusted = manager === trusting && path.startsWith('/v0/resource/');
      expect(headers.get('content-security-policy')).toBe(isTrusted ? OWN_POLICY : SANDBOX);
      expect(headers.get('content-security-policy-report-only')).toBe(isTrusted ? OWN_POLICY : null);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('x-of-the-plugin')).toBe('kept');
      expect(headers.get('cache-control')).toBe('max-age=5');
    }
  });
});

test('no redirect of the gateway leads to a route of the manager', async () => {
  const leadsTo = async (path: string, location: string) => {
    const respond = { status: 307, headers: { Location: location }, body: '' };
    const fault = gateway.fault({ kind: 'http', match: { path }, respond, times: 'always' });
    try {
      const { headers, status } = await sandboxing.fetch(path, { redirect: 'manual', method: 'POST', body: '{}' });
      expect(status).toBe(307);
      return headers.get('location');
    } finally {
      gateway.clearFaults(fault);
    }
  };
  for (const path of ['/v0/management/api-call', '/v0/resource/plugins/simplugin/x']) {
    for (const location of [
      '/v0/management/account-inspection/run',
      'account-inspection/../../../v0/management/usage/archives/1/delete',
      `${sandboxing.url}/setup`,
      `//${new URL(sandboxing.url).host}/usage-service/config#x`,
      '/v0/%6danagement/api-key-aliases/abc?x=1',
      '\\v0\\management\\usage\\export',
      '/status',
    ]) {
      if (path.includes('api-call') || !location.startsWith('account'))
        expect([location, await leadsTo(path, location)]).toEqual([location, null]);
    }
    for (const location of [
      '/management.html#/',
      '/v0/management/api-keys',
      'https://example.test/status',
      '/elsewhere',
    ])
      expect(await leadsTo(path, location)).toBe(location);
  }
});

test('trusting plugin pages is warned about in the log and in /status', async () => {
  expect(trusting.output).toContain('USAGE_TRUSTED_PLUGIN_PAGES is on');
  expect(await trusting.json('/status')).toMatchObject({ trustedPluginPages: true });
  expect(sandboxing.output).not.toContain('USAGE_TRUSTED_PLUGIN_PAGES');
  expect(await sandboxing.json('/status')).not.toHaveProperty('trustedPluginPages');
});

test('the panel, also one of the operator, sends requests to its own server only and gives no address away', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'panel.html'), '<!doctype html><title>mine</title>');
  const custom = await ManagerProcess.start({ env: { PANEL_PATH: join(folder, 'panel.html') } });
  for (const manager of [sandboxing, custom]) {
    for (const method of ['GET', 'HEAD']) {
      const { headers } = await fetch(`${manager.url}/management.html`, { method });
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('content-security-policy')).toContain("connect-src 'self';");
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
    }
  }
  await custom.remove();
});
