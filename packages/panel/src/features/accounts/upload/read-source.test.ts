import { describe, expect, test } from 'bun:test';
import { MAX_FILE_BYTES, readSource } from './read-source.ts';

const NATIVE = { type: 'codex', email: 'one@example.test', access_token: 'sim', custom: { kept: 1 } };
const JWT_PART = Buffer.from(
  JSON.stringify({ exp: 1_800_000_000, 'https://api.openai.com/auth': { chatgpt_account_id: 'acc-1' } }),
).toString('base64url');
const SESSION = {
  user: { email: 'two@example.test' },
  accessToken: `h.${JWT_PART}.s`,
  expires: '2026-01-01T00:00:00Z',
};
const brief = (fileName: string, source: unknown) =>
  readSource(fileName, typeof source === 'string' ? source : JSON.stringify(source)).map(({ name, type, problem }) => [
    name,
    type,
    problem,
  ]);

describe('an auth file', () => {
  test('is sent byte for byte under its own name, without directory and byte order mark', () => {
    const source = `{ "type":"codex",  "email":"one@example.test" }\n`;
    expect(readSource('folder/mine.json', `\uFEFF${source}`)).toEqual([
      {
        name: 'mine.json',
        content: source,
        type: 'codex',
        account: 'one@example.test',
        fromSession: false,
        problem: null,
      },
    ]);
  });

  test('gets a name of its type and account when it was pasted', () => {
    expect(brief('', NATIVE)).toEqual([['codex-one@example.test.json', 'codex', null]]);
    expect(brief('', { type: 'Claude', email: 'a b/../c' })).toEqual([['claude-a_b_.._c.json', 'claude', null]]);
    expect(brief('', { type: 'kimi' })).toEqual([['kimi.json', 'kimi', null]]);
  });

  test.each([
    ['notes.txt', NATIVE, 'extension'],
    ['one.json', 'not json', 'notJson'],
    ['one.json', '', 'notJson'],
    ['one.json', '7', 'noAccounts'],
    ['one.json', [], 'noAccounts'],
    ['one.json', { some: 'thing' }, 'noType'],
    ['one.json', { type: 'service_account', private_key: 'k' }, 'serviceAccount'],
    [`${'n'.repeat(300)}.json`, NATIVE, 'badName'],
    ['one.json', { type: 'codex', filler: 'x'.repeat(MAX_FILE_BYTES) }, 'tooLarge'],
  ] as const)('%p is refused where it cannot be one', (name, source, problem) => {
    expect(brief(name, source).map((draft) => draft[2])).toEqual([problem]);
  });
});

test('a session becomes an account that ends with its token', () => {
  const [draft] = readSource('', JSON.stringify(SESSION));
  expect(draft).toMatchObject({ name: 'codex-two@example.test.json', type: 'codex', fromSession: true, problem: null });
  expect(JSON.parse(draft?.content ?? '')).toEqual({
    type: 'codex',
    email: 'two@example.test',
    account_id: 'acc-1',
    access_token: SESSION.accessToken,
    expired: '2027-01-15T08:00:00.000Z',
  });
});

describe('an export', () => {
  const two = { type: 'claude', email: 'two@example.test', refresh_token: 'sim' };
  const NAMES = [
    ['codex-one@example.test.json', 'codex', null],
    ['claude-two@example.test.json', 'claude', null],
  ];

  test.each([
    ['a list', [NATIVE, two]],
    ['a list in an object', { version: 1, accounts: [NATIVE, two] }],
    ['entries with their content', { files: [{ content: NATIVE }, { content: JSON.stringify(two) }] }],
    [
      'entries with their provider beside the tokens',
      {
        accounts: [
          { platform: 'OpenAI', credentials: { ...NATIVE, type: undefined } },
          { provider: 'claude', credentials: { ...two, type: undefined } },
        ],
      },
    ],
  ])('as %s becomes one file for each account', (_, source) => {
    expect(brief('export.json', source)).toEqual(NAMES);
    expect(JSON.parse(readSource('', JSON.stringify(source))[0]?.content ?? '')).toEqual(NATIVE);
  });

  test('keeps names that it gives, also as members of an object', () => {
    expect(brief('', { files: [{ name: 'x/a.json', content: NATIVE }] })).toEqual([['a.json', 'codex', null]]);
    expect(brief('all.json', { 'a.json': NATIVE, 'b.json': two })).toEqual([
      ['a.json', 'codex', null],
      ['b.json', 'claude', null],
    ]);
  });

  test('numbers accounts without a name, takes sessions, and names what is no account', () => {
    expect(brief('', [{ type: 'kimi', token: 'x' }, { type: 'kimi', token: 'y' }, SESSION, 7, { other: 1 }])).toEqual([
      ['kimi-1.json', 'kimi', null],
      ['kimi-2.json', 'kimi', null],
      ['codex-two@example.test.json', 'codex', null],
      ['', '', 'noType'],
      ['', '', 'noType'],
    ]);
  });
});
