import { expect, test } from 'bun:test';
import { maskOrder } from './mask-order.ts';
import { accountsOf } from './testing/accounts.ts';

test('names are ordered by auth index, whatever the order of the list; accounts without one come last', () => {
  const entries = [
    { email: 'codex-c@mock.test', auth_index: 'c3' },
    { email: 'codex-none@mock.test', auth_index: '' },
    { email: 'codex-a@mock.test', auth_index: 'a1', label: 'A' },
    { email: 'codex-b@mock.test', auth_index: 'b2' },
  ];
  const emails = (list: typeof entries) => maskOrder(accountsOf(...list)).map(({ accounts }) => accounts[0]);
  const ordered = ['codex-a@mock.test', 'codex-b@mock.test', 'codex-c@mock.test', 'codex-none@mock.test'];
  expect(emails(entries)).toEqual(ordered);
  expect(emails(entries.toReversed())).toEqual(ordered);
});
