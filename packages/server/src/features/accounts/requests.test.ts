import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { accountHistoryResponseSchema } from '@manager/core/contract/accounts/history';
import { ACCOUNT_HISTORY_PATH, ACCOUNT_WINDOW_USAGE_PATH } from '@manager/core/contract/constants';
import { post, type Site } from '../monitoring/testing/site.ts';
import { VECTOR_ERRORS, vectorEvents } from '../monitoring/testing/vectors.ts';
import { historyOf, openAccounts, PATHS, usageOf } from './testing.ts';

describe('requests', () => {
  let site: Site;
  beforeAll(() => {
    site = openAccounts((database) => database.insert(vectorEvents('main')));
  });
  afterAll(() => site.dispose());

  for (const wrong of VECTOR_ERRORS.filter(({ op }) => op in PATHS)) {
    test(`${JSON.stringify(wrong.request)} is ${wrong.status}`, async () => {
      const answer = await post(site, PATHS[wrong.op] ?? '', wrong.request);
      expect(answer).toMatchObject({ status: wrong.status, body: { code: wrong.code } });
      if (wrong.error !== undefined) expect(answer.body).toMatchObject({ error: wrong.error });
    });
  }

  const target = { row_key: 'a', auth_index: 'a1' };
  const gemini = { auth_index: 'g1', source: 'k:gem***1', auth_provider_snapshot: 'gemini' };
  const REFUSED_HISTORY = [
    ['no JSON', '{', 'not valid JSON'],
    ['a list', [], 'request body'],
    ['nothing', {}, 'accounts: missing'],
    [
      'too many',
      { accounts: Array.from({ length: 201 }, (_, i) => ({ ...target, row_key: `${i}` })) },
      'accounts: at most 200',
    ],
    ['a blank row key', { accounts: [{ ...target, row_key: ' ' }] }, 'row_key: missing'],
    ['a number for a text', { accounts: [{ ...target, auth_index: 1 }] }, 'string expected'],
    ['an unknown member', { accounts: [target], surprise: 1 }, 'surprise'],
    ['a source that is a file without provider', { accounts: [{ row_key: 'a', source: 'k:1' }] }, 'needed with a file'],
    ['blank identity', { accounts: [{ row_key: 'a', auth_index: ' ', account_key: '' }] }, 'target: no identity field'],
  ] as const;
  for (const [title, body, text] of REFUSED_HISTORY) {
    test(`account history: ${title} is refused`, async () => {
      const answer = await post(site, ACCOUNT_HISTORY_PATH, body);
      expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining(text) } });
    });
  }

  const window = {
    row_key: 'a',
    provider_window_id: 'w',
    from_ms: 1,
    to_ms: 2,
    auth_index: '1',
    auth_provider_snapshot: 'codex',
  };
  // Each violates the named rule and all later ones.
  const bad = { model_scope: {} };
  const badPeriod = { ...bad, period: 'next' };
  const noIdentity = { ...badPeriod, auth_index: '', source: '' };
  const noProvider = { ...noIdentity, auth_file_snapshot: 'f', auth_provider_snapshot: ' ' };
  const noRange = { ...noProvider, to_ms: 1 };
  const noWindow = { ...noRange, provider_window_id: '', window_key: ' ' };
  const REFUSED_WINDOWS = [
    [{ ...noWindow, row_key: '' }, 'row_key: missing'],
    [noWindow, 'provider_window_id: missing'],
    [noRange, 'from_ms, to_ms: both needed, from_ms < to_ms'],
    [{ ...noRange, to_ms: 8_640_000_000_000_001 }, 'to_ms: at most 8640000000000000'],
    [noProvider, 'auth_provider_snapshot: needed with a file'],
    [noIdentity, 'target: no credential identity'],
    [badPeriod, 'period: unknown value'],
    [bad, 'model_scope: invalid'],
    [{ model_scope: { kind: 'everything' } }, 'model_scope: invalid'],
    [{ model_scope: { kind: 'models', models: [' '] } }, 'model_scope: invalid'],
    [{ model_scope: { kind: 'family', models: [] } }, 'model_scope: invalid'],
    [{ from_ms: 1.5 }, 'windows.0.from_ms: integer expected'],
    [{ surprise: 1 }, 'windows.0: unknown member "surprise"'],
  ] as const;
  for (const [change, text] of REFUSED_WINDOWS) {
    test(`account window usage: ${text} (${Object.keys(change).join()})`, async () => {
      const answer = await post(site, ACCOUNT_WINDOW_USAGE_PATH, { windows: [{ ...window, ...change }] });
      expect(answer).toEqual({ status: 400, body: { error: text, code: 'request_failed' } });
    });
  }

  test('more than 400 windows are refused', async () => {
    const answer = await post(site, ACCOUNT_WINDOW_USAGE_PATH, { windows: new Array(401).fill(window) });
    expect(answer).toMatchObject({ status: 400, body: { error: 'windows: at most 400' } });
  });

  test('names match in any case, and a scope may hold more members', async () => {
    const { items } = await historyOf(site, {
      Accounts: [{ ROW_KEY: ' a ', Auth_Index: 'g1', SOURCE: 'k:gem***1', auth_provider_snapshot: 'gemini' }],
    });
    expect(items).toMatchObject([{ row_key: ' a ', matched: true, total_requests: 2 }]);
    const usage = await usageOf(site, {
      WINDOWS: [{ ...window, MODEL_SCOPE: { Kind: 'ALL', label: 'x' }, request_key: ' q ', PERIOD: ' Previous ' }],
    });
    expect(usage.items).toMatchObject([{ request_key: 'q', period: 'previous' }]);
  });

  test('GET with a request parameter answers like POST', async () => {
    const body = { accounts: [{ row_key: 'a', ...gemini }] };
    const url = `${site.url}${ACCOUNT_HISTORY_PATH}?request=${encodeURIComponent(JSON.stringify(body))}`;
    const got = accountHistoryResponseSchema.parse(await (await fetch(url)).json());
    expect(got.items).toEqual((await historyOf(site, body)).items);
    expect((await fetch(site.url + ACCOUNT_WINDOW_USAGE_PATH)).status).toBe(405);
  });

  test('a body too long for the main thread is answered by the worker, also with errors', async () => {
    const padding = 'x'.repeat(300_000);
    const body = { accounts: [{ row_key: padding, ...gemini }] };
    expect((await historyOf(site, body)).items).toMatchObject([{ total_requests: 2 }]);
    const answer = await post(site, ACCOUNT_HISTORY_PATH, { accounts: [{ row_key: padding }] });
    expect(answer).toMatchObject({ status: 400, body: { error: 'target: no identity field' } });
  });

  test('a key of an earlier answer counts only without identity', async () => {
    const [first] = (
      await historyOf(site, {
        accounts: [{ ...target, auth_file_snapshot: 'codex-a.json', auth_provider_snapshot: 'codex' }],
      })
    ).items;
    const account_key = first?.account_key;
    const { items } = await historyOf(site, {
      accounts: [
        { row_key: 'by key', account_key },
        { row_key: 'by identity', account_key, ...gemini },
        { row_key: 'unknown', account_key: 'usage-account-history:2:file:00' },
      ],
    });
    expect(items.map(({ total_requests }) => total_requests)).toEqual([7, 2, 0]);
    expect(items[0]).not.toHaveProperty('latest_request');
  });
});
