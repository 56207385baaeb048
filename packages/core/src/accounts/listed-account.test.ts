import { describe, expect, test } from 'bun:test';
import { hasState, isAuthFileAnswer, readListedAccount } from './listed-account.ts';
import { readAccounts } from './testing/listed-accounts.ts';

const token = (claims: unknown) =>
  `e30.${btoa(JSON.stringify(claims)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}.signature`;

const field = (entry: object) => readListedAccount({ name: 'a.json', ...entry });

describe('the list of accounts', () => {
  const entry = { id: 'r1', name: 'a.json' };
  for (const [shape, answer] of [
    ['a list', [entry]],
    ['auth_files', { auth_files: [entry] }],
    ['authFiles', { authFiles: [entry] }],
    ['files', { files: [entry], total: 1 }],
    ['items', { items: [entry] }],
    ['data', { data: [entry] }],
    ['one bare entry', entry],
  ] as const) {
    test(`is read from ${shape}`, () => {
      expect(readAccounts(answer).map((listed) => listed.runtimeId)).toEqual(['r1']);
      expect(isAuthFileAnswer(answer)).toBe(true);
    });
  }

  test('may be empty, which other answers are not', () => {
    for (const answer of [[], { files: [] }, { files: null }]) expect(isAuthFileAnswer(answer)).toBe(true);
    for (const answer of [null, 'x', {}, { a: 1 }, { error: 'x' }, { files: 'x' }])
      expect(isAuthFileAnswer(answer)).toBe(false);
  });

  test('leaves out entries that are no account', () => {
    expect(readAccounts({ files: [null, 'x', {}, { name: ' ' }, { id: 'only-id' }] })).toMatchObject([
      { name: 'only-id', runtimeId: 'only-id' },
    ]);
    expect(readAccounts({ error: 'x' })).toEqual([]);
    expect(readAccounts('x')).toEqual([]);
  });
});

describe('one entry', () => {
  test('the first spelling that is not blank wins', () => {
    expect(
      readListedAccount({
        name: ' ',
        file_name: 'b.json',
        auth_index: '',
        authIndex: 12,
        type: 'X_AI',
        email: 'b@example.test',
      }),
    ).toMatchObject({ name: 'b.json', authIndex: '12', provider: 'xai', accountSnapshot: 'b@example.test' });
  });

  test('a label or the file name is no account', () => {
    expect(field({ label: 'b@example.test' })).toMatchObject({ accountSnapshot: '', label: 'b@example.test' });
    expect(field({ account: 'a.json' })?.accountSnapshot).toBe('');
  });

  test('a key that is listed as its own account is no account', () => {
    const account = `xai-${'a1'.repeat(20)}`;
    expect(field({ account, email: 'b@example.test' })?.accountSnapshot).toBe('b@example.test');
    expect(field({ account: 'sk-abcdef', display_account: account })?.accountSnapshot).toBe('');
  });

  test('the disabled state comes from a flag or a word', () => {
    for (const entry of [
      { disabled: true },
      { disabled: 2 },
      { disabled: 'true' },
      { disabled: '1' },
      { status: 'Disabled' },
    ]) {
      expect(field(entry)?.disabled).toBe(true);
    }
    expect(field({ status: 'active', state: 'inactive' })?.disabled).toBe(true);
    for (const entry of [{}, { disabled: 0 }, { disabled: 'no' }, { status: 'error' }])
      expect(field(entry)?.disabled).toBe(false);
  });

  test('right after a change the flag counts, because the word lags behind', () => {
    const shows = (entry: object) => {
      const listed = field(entry);
      return [true, false].filter((wanted) => listed !== null && hasState(listed, wanted));
    };
    expect(shows({ disabled: false, status: 'disabled' })).toEqual([false]);
    expect(shows({ disabled: true, status: 'active' })).toEqual([true]);
    expect(shows({ status: 'disabled' })).toEqual([true]);
    expect(shows({})).toEqual([false]);
  });

  test('every account id is known, those of the entry first', () => {
    const listed = field({
      project_id: 'p-1',
      id_token: { chatgpt_account_id: 'c-1' },
      metadata: { account_id: 'm-1', id_token: { sub: 's-1' } },
      attributes: { projectId: 'p-1' },
    });
    expect(listed?.accountIds).toEqual(['p-1', 'c-1', 'm-1', 's-1']);
  });

  test('the plan is read at the top, in the id token in any form, or deeper inside', () => {
    const plans = [
      { plan_type: 'Team_Plus' },
      { id_token: { planType: 'Team_Plus' } },
      { id_token: JSON.stringify({ plan_type: 'Team_Plus' }) },
      { id_token: token({ 'https://api.openai.com/auth': { chatgpt_plan_type: 'Team_Plus' } }) },
      { attributes: { planType: 'Team_Plus' } },
      { metadata: { id_token: token({ plan_type: 'Team_Plus' }) } },
    ];
    expect(plans.map((entry) => field(entry)?.planType)).toEqual(plans.map(() => 'team-plus'));
    expect(field({ id_token: 'not.a.token' })?.planType).toBe('');
  });

  test("the Codex account id prefers the provider's name for it", () => {
    expect(field({ account_id: 'a', metadata: { chatgpt_account_id: 'b' } })?.codexAccountId).toBe('b');
    expect(field({ account_id: 'a' })?.codexAccountId).toBe('a');
    const claims = { 'https://api.openai.com/auth': { chatgpt_account_id: 'c' } };
    expect(field({ id_token: token(claims) })?.codexAccountId).toBe('c');
  });

  test('the xAI user id is read at the top, in metadata or attributes, or in a user object', () => {
    expect(field({ metadata: { subject: 'u-1' }, user: { id: 'u-2' } })?.xai.userId).toBe('u-1');
    expect(field({ user: { id: 'u-2' } })?.xai.userId).toBe('u-2');
  });
});
