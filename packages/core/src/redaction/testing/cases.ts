import { expect, test } from 'bun:test';

/** What every user of the module must hide, and what must stay: one table, run through each of them. */

const HIDDEN = 'value-to-hide-0001';

/** Names in the spellings that headers, files, queries and configurations use. */
const NAMES = [
  'api_key',
  'apiKey',
  'api-key',
  'X-Api-Key',
  'x-goog-api-key',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'id_token',
  'idToken',
  'session_token',
  'auth_token',
  'X-Auth-Token',
  'csrf_token',
  'client_secret',
  'clientSecret',
  'Authorization',
  'authorization',
  'Proxy-Authorization',
  'Cookie',
  'Set-Cookie',
  'X-Management-Key',
  'client_assertion',
];

/** After these a colon begins a message: `password: too short`. */
const MESSAGE_NAMES = [
  'password',
  'passphrase',
  'private_key',
  'privateKey',
  'admin_key',
  'adminKey',
  'managementKey',
  'data_key',
];

/** Recognized wherever they are. Each has parts that must not be left. */
const SHAPES: readonly (readonly [text: string, ...parts: string[]])[] = [
  ['sk-proj-abcdefgh0123', 'abcdefgh'],
  ['sk-ant-abcdefgh0123', 'abcdefgh'],
  ['sess-abcdefgh0123', 'abcdefgh'],
  ['ghp_abcdefgh0123', 'abcdefgh'],
  [`github_pat_${'ab12'.repeat(6)}`, 'ab12ab12'],
  ['hf_abcdefgh0123', 'abcdefgh'],
  ['AIzaAbcdefgh-0123', 'Abcdefgh'],
  [`xai-${'ab12'.repeat(12)}`, 'ab12ab12'],
  [`mgr_${'ab12'.repeat(10)}`, 'ab12ab12'],
  [`mgv_${'ab12'.repeat(10)}`, 'ab12ab12'],
  ['eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM.c2ln-x_1', 'hbGci', 'zdWIi', 'c2ln'],
  ['Bearer abcdefgh.0123', 'abcdefgh'],
  ['-----BEGIN RSA PRIVATE KEY-----\nMIIabcdefgh\n0123\n-----END RSA PRIVATE KEY-----', 'MIIabcdefgh', '0123'],
  ['https://caller:abcdefgh@proxy.test/x', 'abcdefgh', 'caller'],
];

const STAYING = [
  'the token is expired',
  'invalid token: authentication_required',
  'password: too short',
  'task-manager failed, disk-failure-report follows',
  'see https://docs.test/errors?code=12#token',
  'see https://docs.test/errors?code=insufficient_quota&id=12',
  'quota of model gpt-5.4 is used up, 12 of 12 requests',
];
const STAYING_VALUE = { limit: 12, model: 'gpt-5.4', nested: [{ status_code: 401, ok: true }] };

/** How one user shows a value, or a text inside one. */
export interface RedactionUser {
  readonly value: (value: Readonly<Record<string, unknown>>) => string | Promise<string>;
  readonly text: (text: string) => string | Promise<string>;
}

/** Runs the whole table through one user. */
export function testRedaction({ value, text }: RedactionUser): void {
  const hides = async (shown: string | Promise<string>, ...parts: readonly string[]) => {
    for (const part of parts) expect(await shown).not.toContain(part);
  };

  test.each([...NAMES, ...MESSAGE_NAMES])('hides %s as a member, at any depth, and as a list', async (name) => {
    await hides(value({ [name]: HIDDEN }), HIDDEN);
    await hides(value({ outer: [{ [name]: HIDDEN }] }), HIDDEN);
    await hides(value({ [name]: [HIDDEN, `${HIDDEN}-2`] }), HIDDEN);
  });

  test.each([...NAMES, ...MESSAGE_NAMES])(
    'hides %s in JSON text, in JSON inside JSON, and in a query',
    async (name) => {
      const json = JSON.stringify({ [name]: HIDDEN, kept: 1 });
      for (const given of [json, JSON.stringify({ body: json }), `refused: ${json} again`])
        await hides(text(given), HIDDEN);
      await hides(text(JSON.stringify({ [name]: [HIDDEN, `${HIDDEN}-2`], kept: 1 })), HIDDEN);
      if (!/cookie/i.test(name)) await hides(text(`GET https://host.test/x?${name}=${HIDDEN}&kept=1`), HIDDEN);
    },
  );

  test.each([...NAMES, ...MESSAGE_NAMES, 'key', 'token', 'auth', 'sig', 'signature', 'code'])(
    'hides %s in the query of an address, in a text and under any name',
    async (name) => {
      if (/cookie/i.test(name)) return;
      for (const address of [
        `https://host.test/x?a=1&${name}=${HIDDEN}&kept=1`,
        `https://host.test/#${name}=${HIDDEN}`,
      ]) {
        await hides(text(`GET ${address} failed`), HIDDEN);
        await hides(value({ location: [address], note: `GET ${address} failed` }), HIDDEN);
      }
    },
  );

  test.each(NAMES)('hides %s in the text of a header', async (name) => {
    await hides(text(`${name}: ${HIDDEN}`), HIDDEN);
    await hides(text(`one\n${name}: ${HIDDEN}\ntwo`), HIDDEN);
  });

  test.each(SHAPES)('hides %j in a text and under any name', async (secret, ...parts) => {
    await hides(text(`before ${secret} after`), ...parts);
    await hides(value({ note: `before ${secret} after` }), ...parts);
  });

  test.each(STAYING)('keeps: %s', async (given) => {
    expect(await text(given)).toContain(given);
  });

  test('keeps counts and names', async () => {
    const shown = await value(STAYING_VALUE);
    expect(JSON.parse(shown.slice(shown.indexOf('{')))).toMatchObject(STAYING_VALUE);
  });

  test('keeps the neighbors of a secret', async () => {
    const shown = await text('{"api_key":"abc","model":"gpt-5.4"} and Cookie: a=b\nstatus 401');
    expect(shown).toContain('gpt-5.4');
    expect(shown).toContain('status 401');
  });
}
