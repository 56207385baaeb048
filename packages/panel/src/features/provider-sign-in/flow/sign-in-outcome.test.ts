import { describe, expect, test } from 'bun:test';
import { accountsOf } from '../../../platform/accounts/testing/accounts.ts';
import { BUILT_IN, type SignInProvider } from '../providers.ts';
import { compareAccounts } from './sign-in-outcome.ts';

const [codex] = BUILT_IN as readonly [SignInProvider];
const at = (modtime: string) => ({ modtime });
const OLD = at('2026-09-01T08:00:00Z');
const NEW = at('2026-09-01T09:00:00Z');

const outcome = (before: readonly object[], after: readonly object[], expected = '') => {
  const found = compareAccounts(accountsOf(...(before as [])), accountsOf(...(after as [])), codex, expected);
  if (found === null || !('account' in found)) return found;
  return [found.kind, found.account.listed.name, found.instead];
};

describe('what a sign-in changed', () => {
  test("a new file, another provider's not counted", () => {
    expect(outcome([OLD], [OLD, NEW])).toEqual(['added', 'codex-1.json', false]);
    expect(outcome([OLD], [OLD, { provider: 'claude' }])).toBeNull();
  });

  test('a replaced file, even where its account was only used meanwhile', () => {
    expect(outcome([OLD, OLD], [OLD, NEW])).toEqual(['replaced', 'codex-1.json', false]);
    expect(outcome([OLD], [{ ...OLD, success: 7, status: 'error', unavailable: true, disabled: true }])).toBeNull();
  });

  test('the account that was meant counts before others whose tokens were refreshed meanwhile', () => {
    expect(outcome([OLD, OLD, OLD], [NEW, NEW, NEW], 'index-1')).toEqual(['replaced', 'codex-1.json', false]);
    expect(outcome([OLD, OLD], [NEW, NEW])).toMatchObject({ kind: 'several' });
  });

  test('another account than the one that was meant is told', () => {
    expect(outcome([OLD, OLD], [NEW, OLD], 'index-1')).toEqual(['replaced', 'codex-0.json', true]);
    expect(outcome([OLD], [OLD, NEW], 'index-0')).toEqual(['added', 'codex-1.json', true]);
  });

  test('the same account in a file of another name leaves the earlier file, which is told', () => {
    const renamed = { ...NEW, email: 'user-0@example.test' };
    const both = compareAccounts(accountsOf(OLD), accountsOf(OLD, renamed), codex, 'index-0');
    expect(both).toMatchObject({ kind: 'added', instead: false, beside: { listed: { name: 'codex-0.json' } } });
    const [, moved] = accountsOf(OLD, renamed);
    if (moved === undefined) throw new Error('missing');
    const gone = compareAccounts(accountsOf(OLD), [moved], codex, 'index-0');
    expect(gone).toMatchObject({ kind: 'added', instead: false, beside: null });
  });
});
