import { describe, expect, test } from 'bun:test';
import {
  type AccountParts,
  accountIdentity,
  couldBeSameAccount,
  identityMismatch,
  identityOf,
  isStableIdentity,
  matchesAccountRecord,
  matchesIdentity,
} from './identity.ts';

const live: AccountParts = {
  runtimeId: 'r1',
  name: 'a.json',
  authIndex: 'ix-1',
  provider: 'xai',
  accountSnapshot: 'a@example.test',
  accountIds: ['account-1', 'project-1'],
};

describe('a listed account is the recorded one', () => {
  test('when every known part is equal', () => {
    expect(matchesIdentity(live, identityOf(live))).toBe(true);
    expect(matchesIdentity(live, accountIdentity({ authFileName: 'a.json' }))).toBe(true);
    expect(matchesIdentity(live, accountIdentity({ authFileName: 'a.json', provider: 'Grok' }))).toBe(true);
  });

  test('when the record holds any of its account ids, whatever the snapshot', () => {
    const record = accountIdentity({ authFileName: 'a.json', accountId: 'project-1', accountSnapshot: 'new label' });
    expect(matchesIdentity(live, record)).toBe(true);
  });

  test('when the snapshot only repeats the file name', () => {
    expect(matchesIdentity(live, accountIdentity({ authFileName: 'a.json', accountSnapshot: 'a.json' }))).toBe(true);
  });

  test('when no account is listed and events named the label of the same index', () => {
    const labelled = { ...live, accountSnapshot: '', label: 'A User' };
    const record = { authFileName: 'a.json', authIndex: 'ix-1', accountSnapshot: 'A User' };
    expect(matchesIdentity(labelled, accountIdentity(record))).toBe(true);
    expect(matchesIdentity(labelled, accountIdentity({ ...record, authIndex: '' }))).toBe(false);
    expect(matchesIdentity({ ...labelled, label: 'B User' }, accountIdentity(record))).toBe(false);
    expect(matchesIdentity({ ...live, label: 'A User' }, accountIdentity(record))).toBe(false);
  });

  for (const [part, record] of [
    ['authFileName', { authFileName: 'b.json' }],
    ['runtimeId', { authFileName: 'a.json', runtimeId: 'r2' }],
    ['authIndex', { authFileName: 'a.json', authIndex: 'ix-2' }],
    ['provider', { authFileName: 'a.json', provider: 'codex' }],
    ['accountId', { authFileName: 'a.json', accountId: 'account-2', accountSnapshot: 'a@example.test' }],
    ['accountSnapshot', { authFileName: 'a.json', accountSnapshot: 'b@example.test' }],
  ] as const) {
    test(`not when ${part} differs`, () => {
      expect(identityMismatch(live, accountIdentity(record))).toBe(part);
    });
  }
});

test('an identity is stable with an index, an account id or a snapshot that is not the file name', () => {
  expect(isStableIdentity(accountIdentity({ authFileName: 'a.json', authIndex: '1' }))).toBe(true);
  expect(isStableIdentity(accountIdentity({ authFileName: 'a.json', accountId: 'x' }))).toBe(true);
  expect(isStableIdentity(accountIdentity({ authFileName: 'a.json', accountSnapshot: 'x@example.test' }))).toBe(true);
  expect(isStableIdentity(accountIdentity({ authFileName: 'a.json', runtimeId: 'r1', provider: 'xai' }))).toBe(false);
  expect(isStableIdentity(accountIdentity({ authFileName: 'a.json', accountSnapshot: 'a.json' }))).toBe(false);
});

describe('a listed account is the account of an older record', () => {
  const record = accountIdentity({ authFileName: 'a.json', provider: 'x-ai', authIndex: 'ix-1' });
  for (const [title, changed, expected] of [
    ['by its index alone', {}, true],
    ['by an account id, whatever the snapshot', { accountId: 'project-1', accountSnapshot: 'new' }, true],
    ['by its snapshot without an index', { authIndex: '', accountSnapshot: 'a@example.test' }, true],
    ['not by the file alone', { authIndex: '' }, false],
    ['not when the index is right but the snapshot is not', { accountSnapshot: 'b@example.test' }, false],
    ['not when the index is right but the account id is not', { accountId: 'account-2' }, false],
    ['not without a provider', { provider: '' }, false],
    ['not in another file', { authFileName: 'b.json' }, false],
  ] as const) {
    test(title, () => {
      expect(matchesAccountRecord(live, { ...record, ...changed })).toBe(expected);
    });
  }
});

describe('a record may mean the account of another record', () => {
  const record = {
    authFileName: 'a.json',
    authIndex: 'ix-1',
    provider: 'codex',
    accountId: '',
    accountSnapshot: 'a@example.test',
  };
  for (const [title, changed, expected] of [
    ['by its index, whatever the snapshot', { accountSnapshot: 'renamed@example.test' }, true],
    ['when one side knows no index', { authIndex: '' }, true],
    ['when one side knows neither index nor snapshot', { authIndex: '', accountSnapshot: '' }, true],
    ['not when the index is another one', { authIndex: 'ix-2' }, false],
    ['not when the snapshot is another one', { authIndex: '', accountSnapshot: 'b@example.test' }, false],
    ['not when the provider is another one', { provider: 'xai' }, false],
    ['not in another file', { authFileName: 'b.json' }, false],
  ] as const) {
    test(title, () => {
      expect(couldBeSameAccount(record, { ...record, ...changed })).toBe(expected);
    });
  }

  test('by its snapshot when the record knows no index', () => {
    expect(couldBeSameAccount({ ...record, authIndex: '' }, { ...record, authIndex: 'ix-2' })).toBe(true);
  });
});
