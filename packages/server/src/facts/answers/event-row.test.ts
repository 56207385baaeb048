import { expect, test } from 'bun:test';
import { eventRowSchema } from '@manager/core/contract/monitoring/analytics';
import { testEvent } from '../testing/test-database.ts';
import { eventRow } from './event-row.ts';

function membersOf(original: unknown) {
  const raw_json = typeof original === 'string' ? original : JSON.stringify(original);
  const row = eventRowSchema.parse(eventRow(testEvent(1, { raw_json })));
  const {
    auth_account_id_snapshot,
    response_model,
    session_id,
    parent_session_id,
    access_token_sha256,
    generate,
    stream,
  } = row;
  const members = {
    auth_account_id_snapshot,
    response_model,
    session_id,
    parent_session_id,
    access_token_sha256,
    generate,
    stream,
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

test('a row has the members that only the original item has', () => {
  const original = {
    auth_account_id_snapshot: 'acc-1',
    response_model: 'm-2',
    session_id: 's',
    parent_session_id: 'p',
    access_token_sha256: 'ab'.repeat(32),
    generate: false,
    stream: true,
  };
  expect(membersOf({ ...original, api_key: '[redacted]', other: 1 })).toEqual(original);
});

test('missing, redacted, mistyped and unreadable members are left out', () => {
  expect(membersOf({ session_id: '', response_model: '[redacted]', generate: 'true', stream: null })).toEqual({});
  expect(membersOf('')).toEqual({});
  expect(membersOf('{"session_id":"cut')).toEqual({});
  expect(membersOf('[1]')).toEqual({});
});
