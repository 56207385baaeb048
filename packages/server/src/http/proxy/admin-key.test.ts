import { afterEach, describe, expect, test } from 'bun:test';
import { ADMIN_KEY, SAVED_KEY, startProxy, startRecordingGateway } from './testing.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function setUp() {
  const gateway = startRecordingGateway();
  const manager = startProxy({ upstreamUrl: gateway.url });
  cleanups.push(gateway.stop, manager.stop);
  return { gateway, manager };
}

const basic = `Basic ${Buffer.from(`admin:${ADMIN_KEY}`).toString('base64')}`;
const HEADERS: readonly Record<string, string>[] = [
  { Authorization: `Bearer ${ADMIN_KEY} x` },
  { Authorization: `Bearer sk-client, Bearer ${ADMIN_KEY}` },
  { Authorization: `Basic ${ADMIN_KEY}` },
  { Authorization: basic },
  { Authorization: ADMIN_KEY },
  { Authorization: `Token ${ADMIN_KEY}` },
  { 'X-Management-Key': ADMIN_KEY },
  { 'X-Api-Key': ADMIN_KEY },
  { 'X-Goog-Api-Key': ADMIN_KEY },
  { Cookie: `a=b; key=${ADMIN_KEY}` },
  { 'X-Custom': `{"key":"${ADMIN_KEY}"}` },
  { Referer: `http://manager.test/management.html?key=${encodeURIComponent(ADMIN_KEY)}` },
  { 'Proxy-Authorization': basic },
  { 'X-Forwarded-For': ADMIN_KEY },
  { 'X-Manager-Hop': ADMIN_KEY },
  { 'User-Agent': `curl ${ADMIN_KEY}` },
];
const QUERIES = [
  `key=${ADMIN_KEY}`,
  `${ADMIN_KEY}=1`,
  `auth_token=%6d${ADMIN_KEY.slice(1)}`,
  `a=${encodeURIComponent(basic)}`,
  ADMIN_KEY,
];
const PATHS = ['/v1/models', '/models', '/v0/resource/plugins/p/index.html', '/v0/management/some-plugin/state'];

/** Everything that arrived, in the forms in which it could be read there. */
function arrived(requests: ReturnType<typeof setUp>['gateway']['requests']): string {
  const text = requests
    .map(({ headers, target }) => JSON.stringify([...headers]) + decodeURIComponent(target))
    .join('\n');
  const decoded = text.replace(/[A-Za-z0-9+/]{20,}={0,2}/g, (run) => Buffer.from(run, 'base64').toString());
  return text + decoded;
}

describe.each(PATHS)('the admin key never reaches the gateway through %s', (path) => {
  test.each(HEADERS.map((headers) => [JSON.stringify(headers), headers] as const))('as %s', async (_text, headers) => {
    const { gateway, manager } = setUp();
    await fetch(manager.url + path, { headers });
    await fetch(`${manager.url}${path}?x=1`, { headers: { ...headers, 'X-Other': 'kept' } });
    expect(gateway.requests.length).toBe(2);
    expect(arrived(gateway.requests)).not.toContain(ADMIN_KEY);
    expect(gateway.requests[1]?.target).toBe(`${path}?x=1`);
    expect(gateway.requests[1]?.headers.get('x-other')).toBe('kept');
  });

  test.each(QUERIES)('in the query %s', async (query) => {
    const { gateway, manager } = setUp();
    await fetch(`${manager.url}${path}?a=%2F&${query}&b=c+d`);
    expect(gateway.requests.map(({ target }) => target)).toEqual([`${path}?a=%2F&b=c+d`]);
  });
});

test('nor beside the saved key: other headers and the query are searched too', async () => {
  const { gateway, manager } = setUp();
  const authorization = { Authorization: `Bearer ${ADMIN_KEY}` };
  for (const headers of HEADERS.slice(6)) {
    await fetch(`${manager.url}/v0/management/logs?key=${ADMIN_KEY}&limit=5`, {
      headers: { ...headers, ...authorization },
    });
  }
  expect(gateway.requests).toHaveLength(HEADERS.length - 6);
  expect(arrived(gateway.requests)).not.toContain(ADMIN_KEY);
  for (const { headers, target } of gateway.requests) {
    expect([headers.get('authorization'), target]).toEqual([`Bearer ${SAVED_KEY}`, '/v0/management/logs?limit=5']);
  }
});

test('nor in a WebSocket handshake, as one of its subprotocols or anywhere else', async () => {
  const handshakes: Headers[] = [];
  const gateway = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request, server) {
      handshakes.push(request.headers);
      return server.upgrade(request, { data: undefined }) ? undefined : new Response('no');
    },
    websocket: { message() {} },
  });
  const manager = startProxy({ upstreamUrl: `http://127.0.0.1:${gateway.port}` });
  cleanups.push(() => gateway.stop(true), manager.stop);
  const open = (protocols: string[], headers: Record<string, string>) =>
    new Promise((resolve) => {
      const url = `${manager.url.replace('http', 'ws')}/v0/management/some-plugin?x=1&key=${ADMIN_KEY}`;
      const socket = new WebSocket(url, { headers, protocols } as never);
      socket.onopen = () => socket.close();
      socket.onclose = resolve;
      socket.onerror = resolve;
    });
  await open(['binary'], {});
  await open(['binary', ADMIN_KEY], {});
  await open(['binary'], { Cookie: ADMIN_KEY, 'X-Api-Key': ADMIN_KEY });
  expect(handshakes).toHaveLength(3);
  expect(handshakes[0]?.get('sec-websocket-protocol')).toBe('binary');
  expect(handshakes.map((headers) => JSON.stringify([...headers])).join()).not.toContain(ADMIN_KEY);
});

test('a token of a viewer link does not reach the gateway either', async () => {
  const token = `mgv_${'Ab0_-'.repeat(8)}xyz`;
  for (const path of PATHS) {
    const { gateway, manager } = setUp();
    const basicToken = `Basic ${Buffer.from(`viewer:${token}`).toString('base64')}`;
    for (const headers of [
      { 'X-Api-Key': token },
      { 'X-Management-Key': token },
      { Cookie: `a=b; viewer=${token}` },
      { Authorization: basicToken },
    ])
      await fetch(manager.url + path, { headers });
    await fetch(`${manager.url}${path}?a=1&key=${token}&b=%6d${token.slice(1)}`);
    expect(gateway.requests).toHaveLength(5);
    expect(arrived(gateway.requests)).not.toContain(token);
    expect(gateway.requests[4]?.target).toBe(`${path}?a=1`);
  }
});

test('a key of the caller passes as it is', async () => {
  const { gateway, manager } = setUp();
  const headers = { Authorization: 'Bearer sk-client', 'X-Api-Key': 'k', Cookie: 'a=b', 'X-Custom': 'mgr_other' };
  await fetch(`${manager.url}/v1/models?key=sk-client`, { headers });
  const sent = gateway.requests[0];
  expect(Object.fromEntries(Object.keys(headers).map((name) => [name, sent?.headers.get(name)]))).toEqual(headers);
  expect(sent?.target).toBe('/v1/models?key=sk-client');
});
