import { describe, expect, test } from 'bun:test';
import vectors from './fixtures/inspection-vectors.json';
import { accountIdentity, identityOf } from './identity.ts';
import { vectorsOf } from './inspection/testing.ts';
import {
  isPluginVirtualConflict,
  resolveFileTarget,
  resolveSingleDelete,
  resolveStatusTarget,
  type StatusQuestion,
} from './status-scope.ts';
import { readAccounts } from './testing/listed-accounts.ts';

const ask = (files: readonly object[], selector: string, question: Partial<StatusQuestion> = {}) => {
  const resolved = resolveStatusTarget(readAccounts(files), {
    selector,
    authIndex: '',
    identity: null,
    ...question,
  });
  return resolved.found
    ? { scope: resolved.target.scope, selector: resolved.target.selector }
    : { scope: resolved.refusal, selector: null };
};

describe('the scope of a status change', () => {
  for (const vector of vectorsOf(vectors.statusScope)) {
    test(vector.name, () => {
      expect<object>(ask(vector.files, vector.selector, { authIndex: vector.authIndex })).toEqual(vector.expect);
    });
  }

  const two = [
    { id: 'r1', name: 'a.json', auth_index: '1', provider: 'codex', account_id: 'x' },
    { id: 'r2', name: 'a.json', auth_index: '2', provider: 'codex', account_id: 'y' },
  ];

  test('two source rows or two equal runtime ids are ambiguous', () => {
    const source = { id: 'a.json', name: 'a.json' };
    expect(
      ask(
        [
          { ...source, auth_index: '1' },
          { ...source, auth_index: '2' },
        ],
        'a.json',
        { authIndex: '1' },
      ).scope,
    ).toBe('ambiguous');
  });

  test('a source row covers its whole file', () => {
    const resolved = resolveStatusTarget(readAccounts([{ id: 'a.json', name: 'a.json' }, ...two]), {
      selector: 'a.json',
      authIndex: '',
      identity: null,
    });
    expect(resolved.found && resolved.target.affected.length).toBe(3);
  });

  test('an identity resolves an ambiguous name', () => {
    const identity = accountIdentity({ authFileName: 'a.json', accountId: 'y' });
    expect(ask(two, 'a.json', { identity })).toEqual({ scope: 'credential', selector: 'r2' });
  });

  test('an identity that two accounts match is ambiguous', () => {
    const identity = accountIdentity({ authFileName: 'a.json', provider: 'codex' });
    expect(ask(two, 'a.json', { identity }).scope).toBe('ambiguous');
  });

  test('a file that was replaced or is gone is not the expected one', () => {
    const identity = accountIdentity({ authFileName: 'a.json', authIndex: '1', accountId: 'z' });
    expect(ask(two, 'r1', { identity }).scope).toBe('identity_mismatch');
    expect(ask(two, 'a.json', { identity }).scope).toBe('identity_mismatch');
    expect(ask([], 'a.json', { identity }).scope).toBe('identity_mismatch');
  });
});

describe('a whole file', () => {
  const entries = readAccounts([
    { id: 'a.json', name: 'a.json', auth_index: '1' },
    { id: 'r2', name: 'a.json', auth_index: '2' },
    { id: 'r3', name: 'b.json', auth_index: '3' },
  ]);
  const identities = entries.filter(({ name }) => name === 'a.json').map(identityOf);

  test('is selected by its name when every member is expected', () => {
    expect(resolveFileTarget(entries, 'a.json', identities)).toMatchObject({
      found: true,
      target: { selector: 'a.json', members: [{ authIndex: '1' }, { authIndex: '2' }], sourceRow: { authIndex: '1' } },
    });
  });

  test('is selected by the runtime id when it holds one account', () => {
    const identity = accountIdentity({ authFileName: 'b.json', authIndex: '3' });
    expect(resolveSingleDelete(entries, identity)).toMatchObject({ found: true, target: { selector: 'r3' } });
  });

  test('is refused when a member is missing, new, or matches twice', () => {
    const refusal = { found: false, refusal: 'identity_mismatch' } as const;
    expect(resolveFileTarget(entries, 'a.json', identities.slice(1))).toEqual(refusal);
    expect(resolveFileTarget(entries, 'b.json', identities)).toEqual(refusal);
    const loose = accountIdentity({ authFileName: 'a.json' });
    expect(resolveFileTarget(entries, 'a.json', [loose, loose])).toEqual(refusal);
  });

  test('is refused when its name is the runtime id of another file', () => {
    const collision = readAccounts([
      { id: 'r1', name: 'a.json', auth_index: '1' },
      { id: 'a.json', name: 'b.json', auth_index: '2' },
    ]);
    const identity = accountIdentity({ authFileName: 'a.json', authIndex: '1' });
    expect(resolveFileTarget(collision, 'a.json', [identity])).toEqual({ found: false, refusal: 'ambiguous' });
  });

  test('is refused when its members are ambiguous', () => {
    const twins = readAccounts([
      { id: 'r1', name: 'a.json', auth_index: '1' },
      { id: 'r1', name: 'a.json', auth_index: '2' },
    ]);
    expect(resolveFileTarget(twins, 'a.json', twins.map(identityOf))).toEqual({ found: false, refusal: 'ambiguous' });
  });

  test('is not deleted for one of several accounts', () => {
    expect(resolveSingleDelete(entries, accountIdentity({ authFileName: 'a.json', authIndex: '2' }))).toEqual({
      found: false,
      refusal: 'ambiguous',
    });
    expect(resolveSingleDelete(entries, accountIdentity({ authFileName: 'c.json', authIndex: '2' }))).toEqual({
      found: false,
      refusal: 'not_found',
    });
  });
});

test("only the gateway's exact text with status 409 means a plugin", () => {
  const words = 'plugin virtual auth cannot be modified directly; edit or delete the source auth file';
  expect(isPluginVirtualConflict(409, words)).toBe(true);
  expect(isPluginVirtualConflict(400, words)).toBe(false);
  expect(isPluginVirtualConflict(409, `${words}.`)).toBe(false);
});
