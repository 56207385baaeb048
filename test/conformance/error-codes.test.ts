import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

let gateway: Simulator;
let bound: ManagerProcess;
let open: ManagerProcess;
let unreachable: ManagerProcess;

beforeAll(async () => {
  gateway = await startTestGateway();
  bound = await ManagerProcess.start({ env: boundTo(gateway) });
  open = await ManagerProcess.start({});
  unreachable = await ManagerProcess.start({ env: boundTo({ url: 'http://127.0.0.1:1' }) });
});
afterAll(async () => {
  await Promise.all([bound.remove(), open.remove(), unreachable.remove()]);
  await gateway.stop();
});

type Sent = readonly [method: string, path: string, options?: { readonly headers?: object; readonly body?: unknown }];
type Answer = readonly [status: number, code: string];

async function answerOf(manager: ManagerProcess, [method, path, options = {}]: Sent): Promise<Answer> {
  const { headers, body } = options;
  const answer = await manager.fetch(path, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { code } = (await answer.json()) as { readonly code: string };
  return [answer.status, code];
}

const M = '/v0/management';
const aliases = (item: object): Sent => ['PUT', `${M}/api-key-aliases`, { body: { items: [item] } }];
const fields = (identities: string, name = 'a.json'): Sent => [
  'PATCH',
  `${M}/auth-files/fields`,
  { headers: { 'X-CPAMP-Auth-File-Mutation-Identity': identities }, body: { name, note: 'x' } },
];
const identity = (name: string) => encodeURIComponent(JSON.stringify([{ name }]));

describe('what a person can act on has a code of its own', () => {
  test.each<[Sent, Answer]>([
    [aliases({ apiKeyHash: 'sk-a', alias: 'a' }), [400, 'api_key_hash_invalid']],
    [aliases({ apiKeyHash: 'a'.repeat(64), alias: ' ' }), [400, 'api_key_alias_invalid']],
    [
      ['GET', `${M}/monitoring/analytics?request=${'x'.repeat(33_000)}`],
      [414, 'address_too_long'],
    ],
    [
      ['GET', '/management.html', { headers: { Range: 'bytes=999999999-' } }],
      [416, 'range_not_satisfiable'],
    ],
    [fields('nonsense'), [400, 'auth_file_request_invalid']],
    [fields(encodeURIComponent(`["${'x'.repeat(1_100_000)}"]`)), [413, 'auth_file_identity_too_large']],
    [fields(identity('missing.json'), 'missing.json'), [404, 'auth_file_not_found']],
    [
      ['PATCH', `${M}/auth-files`, { body: 'x'.repeat(10_600_000) }],
      [413, 'auth_file_request_too_large'],
    ],
  ])('%j is %j', async (sent, expected) => {
    expect(await answerOf(bound, sent)).toEqual(expected);
  });

  test.each<[object, Answer]>([
    [{ cpaBaseUrl: 'ftp://gateway' }, [400, 'gateway_url_invalid']],
    [{ cpaManagementKey: 'ключ' }, [400, 'management_key_not_sendable']],
  ])('a setup with %j is %j', async (changed, expected) => {
    const body = { cpaBaseUrl: gateway.url, cpaManagementKey: 'key', ...changed };
    expect(await answerOf(open, ['POST', '/setup', { body }])).toEqual(expected);
  });

  test('a setup with the address of the manager', async () => {
    const body = { cpaBaseUrl: open.url, cpaManagementKey: 'some-key' };
    expect(await answerOf(open, ['POST', '/setup', { body }])).toEqual([400, 'gateway_url_is_manager']);
  });
});

describe('answers whose code the interface fixes keep it', () => {
  test.each<[Sent, Answer]>([
    [
      ['GET', `${M}/usage/nothing`],
      [404, 'request_failed'],
    ],
    [
      ['PUT', `${M}/model-prices`, { body: '{' }],
      [400, 'request_failed'],
    ],
    [
      ['PUT', `${M}/model-prices`, { body: { prices: { a: { prompt: -1 } } } }],
      [400, 'request_failed'],
    ],
    [
      ['GET', `${M}/dashboard/summary?today_start_ms=1&today_start_ms=2`],
      [400, 'request_failed'],
    ],
    [
      ['GET', `${M}/usage-queue`],
      [409, 'request_failed'],
    ],
    [
      ['POST', `${M}/usage/import`, { body: '\n' }],
      [400, 'request_failed'],
    ],
    [
      ['POST', `${M}/usage/import-sessions`, { body: '[]' }],
      [400, 'request_failed'],
    ],
    [
      ['PUT', `${M}/usage/import-sessions/${'0'.repeat(32)}/chunk`, { body: 'x' }],
      [400, 'request_failed'],
    ],
    [
      ['GET', `${M}/account-inspection/runs/7`],
      [404, 'request_failed'],
    ],
    [
      ['GET', `${M}/account-inspection/runs/x`],
      [400, 'request_failed'],
    ],
    [
      ['POST', `${M}/account-action-candidates/7/ignore`],
      [404, 'request_failed'],
    ],
    [
      ['POST', `${M}/quota-snapshots`, { body: { entries: [] } }],
      [400, 'request_failed'],
    ],
  ])('%j is %j', async (sent, expected) => {
    expect(await answerOf(bound, sent)).toEqual(expected);
  });

  test('a gateway that cannot be reached, forwarded and in the setup', async () => {
    expect(await answerOf(unreachable, ['GET', `${M}/config`])).toEqual([502, 'request_failed']);
    const body = { cpaBaseUrl: 'http://127.0.0.1:1', cpaManagementKey: 'some-key' };
    expect(await answerOf(open, ['POST', '/setup', { body }])).toEqual([502, 'request_failed']);
  });
});
