import { expect, test } from 'bun:test';
import { testEvent } from '../../../platform/requests/testing/events.ts';
import { signInSearch } from './account-link.ts';

test('a rejected sign-in leads to that account, other failures and provider keys do not', () => {
  const event = testEvent(1, { auth_index: 'a1', auth_file_snapshot: 'one.json', auth_provider_snapshot: 'Codex' });
  expect(signInSearch(event, 'cause.signIn')).toEqual({ account: ['a1'], provider: ['codex'] });
  expect(signInSearch(event, 'cause.limit')).toBeNull();
  expect(signInSearch({ ...event, auth_file_snapshot: '' }, 'cause.signIn')).toBeNull();
  expect(signInSearch({ ...event, auth_index: '' }, 'cause.signIn')).toBeNull();
});
