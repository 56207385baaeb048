import { afterEach, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { ADMIN_KEY, startProxy, startRecordingGateway } from '../testing.ts';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const FILES = [
  {
    id: 'one.json',
    name: 'one.json',
    auth_index: 'i1',
    provider: 'codex',
    account: 'a@example.test',
    account_id: 'acc-1',
  },
  { id: 'two-a', name: 'two.json', auth_index: 'i2', provider: 'x-ai', account: 'b@example.test' },
  { id: 'two-b', name: 'two.json', auth_index: 'i3', provider: 'x-ai', account: 'c@example.test' },
  { id: 'src.json', name: 'src.json', auth_index: 'i4', provider: 'gemini' },
  { id: 'src-child', name: 'src.json', auth_index: 'i5', provider: 'gemini' },
  { name: 'noid.json', auth_index: 'i6', provider: 'claude' },
];
const CONTENT = '{"token":"x"}';

function setUp() {
  const gateway = startRecordingGateway((request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/download')) return new Response(CONTENT);
    return request.method === 'GET' ? Response.json({ files: FILES }) : Response.json({ status: 'ok' });
  });
  const manager = startProxy({ upstreamUrl: gateway.url });
  cleanups.push(gateway.stop, manager.stop);
  const send = async (
    method: string,
    path: string,
    options: { body?: unknown; headers?: Record<string, string> } = {},
  ) => {
    const answer = await fetch(`${manager.url}/v0/management/auth-files${path}`, {
      method,
      headers: { Authorization: `Bearer ${ADMIN_KEY}`, ...options.headers },
      ...(options.body === undefined
        ? {}
        : { body: options.body instanceof FormData ? options.body : JSON.stringify(options.body) }),
    });
    const sent = gateway.requests.filter((request) => request.method !== 'GET');
    return { status: answer.status, sent: sent.at(-1), all: sent };
  };
  return { send };
}

const header = (identities: unknown) => encodeURIComponent(JSON.stringify(identities));
const sentBody = (sent: { body: string } | undefined): unknown => JSON.parse(sent?.body ?? 'null');

describe('PATCH status', () => {
  test('a verified account is sent as its runtime id and index, and helper members are removed', async () => {
    const { send } = setUp();
    const body = { name: 'two-b', disabled: true, cpamp_physical_name: 'two.json', cpamp_provider: 'grok' };
    const { status, sent } = await send('PATCH', '/status', { body });
    expect(status).toBe(200);
    expect(sentBody(sent)).toEqual({ name: 'two-b', disabled: true, auth_index: 'i3' });
  });

  test.each([
    [
      'another account behind the same file',
      { name: 'one.json', cpamp_physical_name: 'one.json', cpamp_account_id: 'acc-2' },
      409,
    ],
    [
      'the account id the row carries',
      { name: 'one.json', cpamp_physical_name: 'one.json', cpamp_account_id: 'acc-1' },
      200,
    ],
    ['a name that stands for two credentials', { name: 'two.json', cpamp_physical_name: 'two.json' }, 409],
    [
      'two credentials told apart by index',
      { name: 'two.json', auth_index: 'i2', cpamp_physical_name: 'two.json' },
      200,
    ],
    ['another provider', { name: 'one.json', cpamp_physical_name: 'one.json', cpamp_provider: 'claude' }, 409],
    ['a file that is gone', { name: 'gone.json', cpamp_physical_name: 'gone.json' }, 404],
    ['a row without id', { name: 'noid.json', cpamp_physical_name: 'noid.json' }, 409],
    ['the source row, which stands for its whole file', { name: 'src.json', cpamp_physical_name: 'src.json' }, 409],
    ['an expanded child', { name: 'src-child', cpamp_physical_name: 'src.json' }, 409],
    ['a source file without identities', { name: 'src.json', cpamp_source_file: true }, 400],
  ])('%s: %p → %i', async (_name, body, expected) => {
    const { send } = setUp();
    const { status, all } = await send('PATCH', '/status', { body: { ...body, disabled: true } });
    expect(status).toBe(expected);
    expect(all).toHaveLength(expected === 200 ? 1 : 0);
  });

  test('a whole source file is switched only when every member is named', async () => {
    const { send } = setUp();
    const identity = (runtime_id: string, auth_index: string) => ({ name: 'src.json', runtime_id, auth_index });
    const body = { name: 'src.json', disabled: true, auth_index: 'i4', cpamp_source_file: true };
    const part = await send('PATCH', '/status', {
      body: { ...body, cpamp_source_identities: [identity('src.json', 'i4')] },
    });
    expect(part.status).toBe(409);
    const whole = [identity('src-child', 'i5'), identity('src.json', 'i4')];
    const { status, sent } = await send('PATCH', '/status', { body: { ...body, cpamp_source_identities: whole } });
    expect(status).toBe(200);
    expect(sentBody(sent)).toEqual({ name: 'src.json', disabled: true });
  });

  test('without identity the request passes, and an undecodable body is left to the gateway', async () => {
    const { send } = setUp();
    expect(sentBody((await send('PATCH', '/status', { body: { name: 'one.json', disabled: false } })).sent)).toEqual({
      name: 'one.json',
      disabled: false,
    });
    expect((await send('PATCH', '/status', { body: [1] })).sent?.body).toBe('[1]');
  });
});

describe('PATCH fields', () => {
  const identity = { name: 'two.json', runtimeId: 'two-a', authIndex: 'i2' };

  test('sends the identified account as its runtime id', async () => {
    const { send } = setUp();
    const headers = { 'X-CPAMP-Auth-File-Mutation-Identity': header([identity]) };
    const { status, sent } = await send('PATCH', '/fields', {
      body: { name: 'two.json', note: 'n', priority: 7 },
      headers,
    });
    expect(status).toBe(200);
    expect(sentBody(sent)).toMatchObject({ name: 'two-a', note: 'n' });
  });

  test.each([
    ['empty', header([]), { name: 'two.json' }, 400],
    ['malformed', '%7B', { name: 'two.json' }, 400],
    ['two identities', header([identity, identity]), { name: 'two.json' }, 400],
    ['no name', header([identity]), { note: 'n' }, 400],
    ['a name of another credential', header([identity]), { name: 'two-b' }, 409],
    ['above 1 MiB', header([{ ...identity, accountId: 'x'.repeat(1024 * 1024) }]), { name: 'two.json' }, 413],
  ])('%s → refused', async (_name, value, body, expected) => {
    const { send } = setUp();
    const { status, all } = await send('PATCH', '/fields', {
      body,
      headers: { 'X-CPAMP-Auth-File-Mutation-Identity': value },
    });
    // The listener itself refuses a header above the runtime's limit.
    expect(status === 431 ? 413 : status).toBe(expected);
    expect(all).toHaveLength(0);
  });
});

describe('DELETE', () => {
  const both = [
    { name: 'two.json', runtimeId: 'two-a' },
    { name: 'two.json', runtimeId: 'two-b' },
  ];
  const headers = (identities: unknown) => ({
    'X-CPAMP-Auth-File-Physical-Name': 'two.json',
    'X-CPAMP-Auth-File-Delete-Identities': header(identities),
  });

  test('a file is deleted only with exactly its members', async () => {
    const { send } = setUp();
    expect((await send('DELETE', '?name=two.json', { headers: headers(both.slice(1)) })).status).toBe(409);
    const { status, sent } = await send('DELETE', '?name=two.json', { headers: headers(both) });
    expect(status).toBe(200);
    expect(sent?.target).toBe('/v0/management/auth-files?name=two.json');
  });

  test('an account of a shared file cannot be deleted alone; an unknown name is refused', async () => {
    const { send } = setUp();
    expect((await send('DELETE', '?name=two-a', { headers: headers(both.slice(0, 1)) })).status).toBe(409);
    expect((await send('DELETE', '?name=else', { headers: headers(both) })).status).toBe(409);
  });

  test.each(['?all=true', '?name=one.json', '?name=one.json&name=two.json'])(
    '%s without identities passes unchanged',
    async (query) => {
      const { send } = setUp();
      expect((await send('DELETE', query)).sent?.target).toBe(`/v0/management/auth-files${query}`);
    },
  );
});

describe('POST', () => {
  const upload = () => {
    const form = new FormData();
    form.set('file', new File(['{}'], 'one.json', { type: 'application/json' }));
    return form;
  };
  const digest = (text: string) => createHash('sha256').update(text).digest('hex');
  const headers = (sha256: string, identities: unknown = [{ name: 'one.json', runtimeId: 'one.json' }]) => ({
    'X-CPAMP-Auth-File-Write-Identities': header(identities),
    'X-CPAMP-Auth-File-Write-Content-SHA256': sha256,
  });

  test('a verified write passes while the content is unchanged', async () => {
    const { send } = setUp();
    const { status, sent } = await send('POST', '', { body: upload(), headers: headers(digest(CONTENT)) });
    expect(status).toBe(200);
    expect(sent?.body).toContain('filename="one.json"');
  });

  test.each([
    ['changed content', headers(digest('else')), 409],
    ['another member', headers(digest(CONTENT), [{ name: 'one.json', runtimeId: 'other' }]), 409],
    ['a digest that is none', headers('abc'), 400],
    ['no digest', { 'X-CPAMP-Auth-File-Write-Identities': header([{ name: 'one.json' }]) }, 400],
  ])('%s → refused', async (_name, given, expected) => {
    const { send } = setUp();
    const { status, all } = await send('POST', '', { body: upload(), headers: given });
    expect(status).toBe(expected);
    expect(all).toHaveLength(0);
  });

  test('above 10 MiB + 64 KiB: 413', async () => {
    const { send } = setUp();
    const form = new FormData();
    form.set('file', new File(['x'.repeat(11 * 1024 * 1024)], 'big.json'));
    expect((await send('POST', '', { body: form })).status).toBe(413);
  });
});
