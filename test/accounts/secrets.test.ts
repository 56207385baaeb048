import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { type CandidateListResponse, candidateListResponseSchema } from '@manager/core/contract/account-actions';
import {
  ACCOUNT_ACTIONS_PATH,
  PROCESSING_POLICY_PATH,
  QUOTA_COOLDOWNS_PATH,
  QUOTA_SNAPSHOTS_PATH,
  QUOTA_SNAPSHOTS_QUERY_PATH,
} from '@manager/core/contract/constants';
import { quotaCooldownsResponseSchema } from '@manager/core/contract/cooldowns';
import {
  type InspectionRunDetail,
  inspectionRunDetailSchema,
  inspectionRunListSchema,
} from '@manager/core/contract/inspection/runs';
import { quotaSnapshotsQueryResponseSchema } from '@manager/core/contract/quotas/snapshots';
import { processingPolicyResponseSchema } from '@manager/core/contract/settings/processing-policy';
import { until } from '@manager/core/testing/until';
import { openDatabase } from '@manager/server/sqlite/open';
import { type AccountFileOptions, accountFile, type JsonObject } from '@manager/simulator';
import { ManagerProcess } from '../support/manager-process.ts';
import { boundTo, type Simulator, startTestGateway } from '../support/test-gateway.ts';

const MANAGEMENT_KEY = 'canary-management-key-0123456789';
/** Access tokens of several providers are signed tokens, which have a recognizable shape. */
const ACCESS_TOKEN = `eyJhbGciOiJSUzI1NiJ9.${btoa('{"canary":"access"}').replaceAll('=', '')}.canary-signature_0123456789`;
const REFRESH_TOKEN = 'rt_canary-refresh-token-0123456789';
const COOKIE = 'canary-cookie-0123456789';
const CLIENT_KEY = 'sk-canary-client-key-0123456789';
const XAI_KEY = `xai-canary${'0123456789abcdef'.repeat(5)}`;
const SECRETS = { MANAGEMENT_KEY, ACCESS_TOKEN, REFRESH_TOKEN, COOKIE, CLIENT_KEY, XAI_KEY };

/** Members in which gateways and providers store secrets. */
const MEMBERS: JsonObject = {
  access_token: ACCESS_TOKEN,
  refresh_token: REFRESH_TOKEN,
  session_token: REFRESH_TOKEN,
  token: REFRESH_TOKEN,
  csrfToken: REFRESH_TOKEN,
  client_secret: REFRESH_TOKEN,
  api_key: CLIENT_KEY,
  'x-api-key': [CLIENT_KEY],
  Authorization: `Bearer ${ACCESS_TOKEN}`,
  cookie: `session=${COOKIE}`,
  'Set-Cookie': [`session=${COOKIE}; Path=/`, `other=${COOKIE}`],
};
/** Inside prose, where only the shape identifies a secret. */
const WORDS = `token ${ACCESS_TOKEN} of ${CLIENT_KEY} is no good, nor is (${XAI_KEY}); write to someone@example.test`;
const HEADERS = {
  'Set-Cookie': [`session=${COOKIE}; Path=/`],
  'X-Api-Key': [CLIENT_KEY],
  Authorization: [`Bearer ${ACCESS_TOKEN}`],
};
/** What the gateway itself may record; the key is the one the manager sent. */
const GATEWAY = `${MANAGEMENT_KEY} refused: ${WORDS}`;

/** A body with a failure and every secret. */
function body(error: JsonObject): string {
  return JSON.stringify({ error: { ...error, message: WORDS }, request: { ...MEMBERS, headers: MEMBERS } });
}

function codex(name: string, options: Partial<AccountFileOptions> = {}) {
  return accountFile({
    provider: 'codex',
    name: `${name}.json`,
    email: `${name}@example.test`,
    idToken: 'jwt',
    ...options,
    row: {
      attributes: MEMBERS,
      metadata: { ...MEMBERS, headers: HEADERS },
      status_message: body({ code: 'token_revoked' }),
      note: WORDS,
      ...options.row,
    },
  });
}

const files = {
  full: codex('full'),
  refusing: codex('refusing'),
  revoked: codex('revoked'),
  unheard: codex('unheard'),
  unread: codex('unread'),
  resting: codex('resting'),
  stubborn: codex('stubborn'),
  queued: codex('queued', { row: { id_token: { chatgpt_account_id: 'acct', access_token: ACCESS_TOKEN } } }),
  deniedXai: accountFile({
    provider: 'xai',
    name: 'denied-xai.json',
    email: 'x@example.test',
    row: { metadata: MEMBERS },
  }),
  keyXai: accountFile({
    provider: 'xai',
    name: 'key-xai.json',
    email: 'k@example.test',
    row: { account_type: 'api_key', account: XAI_KEY, attributes: { api_key: XAI_KEY } },
  }),
};

const USAGE = 'https://chatgpt.com/backend-api/wham/usage';
const used = { secondary: { seconds: 604_800, usedPercent: 100 } };

let gateway: Simulator;
let manager: ManagerProcess;
/** Every answer with its headers, by request. */
const answers: string[] = [];

beforeAll(async () => {
  gateway = await startTestGateway({ managementKey: MANAGEMENT_KEY, authFiles: Object.values(files) });
  for (const { name } of [files.full, files.refusing]) gateway.setAccount(name, used);
  const indexOf = ({ authIndex = '' }: { readonly authIndex?: string }) => authIndex;
  const answer = (status_code: number, text: string) => ({ status_code, header: { ...HEADERS }, body: text });
  const revoked = answer(401, body({ code: 'token_revoked' }));
  gateway.addApiCall({ method: 'GET', url: USAGE, authIndex: indexOf(files.revoked), result: revoked });
  const unheard = { httpStatus: 502, text: JSON.stringify({ error: GATEWAY }) };
  gateway.addApiCall({ method: 'GET', url: USAGE, authIndex: indexOf(files.unheard), result: unheard });
  const unread = answer(500, `<html>${WORDS}<br>Cookie: session=${COOKIE}</html>`);
  gateway.addApiCall({ method: 'GET', url: USAGE, authIndex: indexOf(files.unread), result: unread });
  const denied = answer(403, body({ code: 'permission_denied' }));
  gateway.addApiCall({ method: 'GET', url: 'https://*', authIndex: indexOf(files.deniedXai), result: denied });
  manager = await ManagerProcess.start({
    env: {
      ...boundTo(gateway, 'http'),
      UPSTREAM_MANAGEMENT_KEY: MANAGEMENT_KEY,
      USAGE_QUOTA_COOLDOWN_ENABLED: 'true',
      USAGE_ACCOUNT_ACTIONS_ENABLED: 'true',
      USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE: 'true',
    },
  });
});
afterAll(async () => {
  await manager?.remove();
  await gateway?.stop();
});

async function ask(path: string, init: BunFetchRequestInit = {}): Promise<{ status: number; text: string }> {
  const answer = await manager.fetch(path, init);
  const text = await answer.text();
  answers.push(`${path} ${JSON.stringify([...answer.headers])} ${text}`);
  return { status: answer.status, text };
}

function send(path: string, value: unknown, method = 'POST') {
  return ask(path, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });
}

const INSPECTION = '/v0/management/account-inspection';

async function inspect(): Promise<InspectionRunDetail> {
  const started = inspectionRunDetailSchema.parse(JSON.parse((await send(`${INSPECTION}/run`, {})).text));
  return until(async () => {
    const { text } = await ask(`${INSPECTION}/runs/${started.run.id}`);
    const detail = inspectionRunDetailSchema.parse(JSON.parse(text));
    return detail.run.active ? null : detail;
  });
}

const candidates = async (): Promise<CandidateListResponse> =>
  candidateListResponseSchema.parse(JSON.parse((await ask(ACCOUNT_ACTIONS_PATH)).text));

/** The account tables as one text. */
function storedText(): { readonly rows: number; readonly text: string } {
  const db = openDatabase(join(manager.dataDir, 'usage.sqlite'), { readonly: true });
  try {
    const tables = db
      .query<{ name: string }, []>(
        `SELECT name FROM sqlite_schema WHERE type = 'table' AND (name LIKE 'inspection\\_%' ESCAPE '\\'
         OR name LIKE 'quota\\_%' ESCAPE '\\' OR name LIKE 'account\\_%' ESCAPE '\\' OR name IN ('settings', 'collected_batches'))`,
      )
      .all();
    expect(tables.length).toBeGreaterThanOrEqual(13);
    const rows = tables.flatMap(({ name }) =>
      db
        .query<Record<string, unknown>, []>(`SELECT * FROM ${name}`)
        .all()
        .map((row) => [
          name,
          ...Object.values(row).map((value) =>
            value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
          ),
        ]),
    );
    // Nested JSON text is searched unescaped: escapes would hide secrets that contain quotes.
    return { rows: rows.length, text: rows.map((row) => row.join('\n')).join('\n') };
  } finally {
    db.close();
  }
}

test('tokens, cookies and keys of accounts stay out of logs, answers and tables; addresses out of logs', async () => {
  const auto = { targetTypes: ['codex', 'xai'], autoActionMode: 'disable', autoRecoverEnabled: true };
  await send('/usage-service/config', { config: { codexInspection: auto } }, 'PUT');

  // Failed requests: one account in cooldown, one in the action queue that is then disabled, which the gateway first refuses.
  const spoiled = { headers: HEADERS, members: { api_key: CLIENT_KEY, authorization: ACCESS_TOKEN, cookie: COOKIE } };
  const limit = { type: 'usage_limit_reached', resets_in_seconds: 3_600 };
  gateway.fault({
    kind: 'mutation',
    account: files.stubborn.name,
    applies: false,
    answer: { status: 500, body: { error: GATEWAY } },
  });
  await gateway.publishFor(files.resting.name, { kind: 'usage-limit', marks: 'body', body: body(limit), ...spoiled });
  await gateway.publishFor(files.stubborn.name, { kind: 'usage-limit', marks: 'body', body: body(limit), ...spoiled });
  await gateway.publishFor(files.queued.name, {
    kind: 'token-revoked',
    // Long enough ago that no success is waited for.
    atMs: Date.now() - 90_000,
    body: body({ code: 'token_revoked' }),
    ...spoiled,
  });
  await gateway.publishFor(files.keyXai.name, {
    kind: 'free-usage-exhausted',
    body: body({ code: 'subscription:free-usage-exhausted' }),
    ...spoiled,
  });
  await until(async () => {
    const { items } = quotaCooldownsResponseSchema.parse(JSON.parse((await ask(QUOTA_COOLDOWNS_PATH)).text));
    return (
      items.some(({ authFileName }) => authFileName === files.resting.name) &&
      items.some(({ provider }) => provider === 'xai')
    );
  });
  const queued = await until(async () =>
    (await candidates()).items.find((item) => item.autoDisabledAtMs !== undefined),
  );
  gateway.fault({
    kind: 'mutation',
    account: files.queued.name,
    applies: false,
    answer: { status: 500, body: { error: GATEWAY } },
  });
  expect((await send(`${ACCOUNT_ACTIONS_PATH}/${queued.id}/enable`, {})).status).toBe(500);
  expect((await candidates()).items[0]?.lastError).toContain('500');

  // An inspection with automatic actions, one of them refused.
  gateway.fault({
    kind: 'mutation',
    account: files.refusing.name,
    applies: false,
    answer: { status: 500, body: { error: GATEWAY } },
  });
  const detail = await inspect();
  const resultOf = ({ name }: { readonly name: string }) => detail.results.find(({ fileName }) => fileName === name);
  expect(resultOf(files.full)).toMatchObject({ executedAction: 'disable' });
  expect(resultOf(files.refusing)).toMatchObject({
    actionStatus: 'failed',
    actionError: expect.stringContaining('500'),
  });
  expect(resultOf(files.revoked)).toMatchObject({
    action: 'reauth',
    errorDetail: expect.stringContaining('token_revoked'),
  });
  expect(resultOf(files.unheard)).toMatchObject({ errorKind: 'request_error', error: expect.stringContaining('502') });
  expect(resultOf(files.unread)).toMatchObject({ statusCode: 500, errorDetail: expect.stringContaining('is no good') });
  expect(resultOf(files.deniedXai)).toMatchObject({ errorDetail: expect.stringContaining('permission_denied') });
  expect(resultOf(files.keyXai)?.displayAccount).not.toBe('');
  gateway.fault({
    kind: 'mutation',
    account: files.refusing.name,
    applies: false,
    answer: { status: 500, body: { error: GATEWAY } },
  });
  const byHand = await send(`${INSPECTION}/runs/${detail.run.id}/actions`, {
    resultIds: [resultOf(files.refusing)?.id],
  });
  expect(JSON.parse(byHand.text)).toMatchObject({ outcomes: [{ status: 'failed' }] });

  // A list request that the gateway refuses.
  const listRefused = gateway.fault({
    kind: 'http',
    match: { path: '/v0/management/auth-files' },
    respond: { status: 500, body: { error: GATEWAY } },
    times: 'always',
  });
  expect((await inspect()).run).toMatchObject({ status: 'failed', error: expect.stringContaining('500') });
  gateway.clearFaults(listRefused);

  // Quota snapshots: invalid values are rejected and not repeated in the answer.
  const account = { auth_file_snapshot: files.full.name, auth_index: files.full.authIndex };
  const window = { provider_window_id: 'five-hour', source: 'api_query', used_percent: 1 };
  const refused = await send(QUOTA_SNAPSHOTS_PATH, {
    entries: [{ provider: 'codex', account, windows: [{ ...window, access_token: ACCESS_TOKEN, body: WORDS }] }],
  });
  expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('access_token')]);
  const bad = await send(QUOTA_SNAPSHOTS_PATH, {
    entries: [{ provider: CLIENT_KEY, account, windows: [{ ...window, source: COOKIE }] }],
  });
  expect(bad.status).toBe(400);
  expect(
    (await send(QUOTA_SNAPSHOTS_PATH, { entries: [{ provider: 'codex', account, windows: [window] }] })).status,
  ).toBe(200);

  // Every readable endpoint.
  const accounts = Object.values(files).map((file) => ({
    row_key: file.name,
    provider: file.type,
    account: { auth_file_snapshot: file.name, auth_index: file.authIndex },
  }));
  const shown = quotaSnapshotsQueryResponseSchema.parse(
    JSON.parse((await send(QUOTA_SNAPSHOTS_QUERY_PATH, { accounts, include_inactive: true })).text),
  );
  expect(shown.items.filter(({ windows }) => windows.length > 0).length).toBeGreaterThanOrEqual(4);
  expect(inspectionRunListSchema.parse(JSON.parse((await ask(`${INSPECTION}/runs`)).text)).items).toHaveLength(2);
  processingPolicyResponseSchema.parse(JSON.parse((await ask(PROCESSING_POLICY_PATH)).text));
  for (const path of ['/usage-service/config', '/usage-service/info', '/status', `${ACCOUNT_ACTIONS_PATH}/999/ignore`])
    await ask(path);

  expect(await manager.stop()).toBe(0);
  const { rows, text } = storedText();
  expect(rows).toBeGreaterThan(30);
  expect(text).toContain('token_revoked');
  const leaks = Object.entries(SECRETS).flatMap(([name, secret]) => {
    const around = (whole: string) =>
      whole.slice(Math.max(0, whole.indexOf(secret) - 200), whole.indexOf(secret) + secret.length + 20);
    return [
      ...answers.filter((answer) => answer.includes(secret)).map((answer) => `${name} in an answer: ${around(answer)}`),
      ...(text.includes(secret) ? [`${name} in a table: ${around(text)}`] : []),
      ...(manager.output.includes(secret) ? [`${name} in the log: ${around(manager.output)}`] : []),
    ];
  });
  expect(leaks).toEqual([]);
  // A masked address is not an address.
  expect(manager.output).not.toMatch(/[^*]@example\.test/);
}, 180_000);
