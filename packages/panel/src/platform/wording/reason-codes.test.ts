import { expect, test } from 'bun:test';
import { failureDecision } from '@manager/core/accounts/failures/policy';
import { PLAIN } from '../format/mask.ts';
import { reasonText } from './reason-codes.ts';

const t = (key: string) => key;

test.each([
  [402, 'deactivated_workspace', 'inspectionReason.workspace'],
  [401, 'account_deactivated', 'reason.accountDeactivated'],
  [401, 'token_revoked', 'inspectionReason.revoked'],
  [401, 'invalid_grant', 'reason.invalidCredentials'],
  [403, 'authentication_error', 'reason.unexplained'],
])('what the manager says of a %d with %s has words in every language', (statusCode, type, expected) => {
  const decision = failureDecision({ provider: 'codex', statusCode, code: '', type, summary: '', shouldRetry: null });
  expect(reasonText(decision?.reasonCode, decision?.reason ?? '', t, PLAIN)).toBe(expected);
});

test('a reason of a later version is shown as the manager words it, else as its code', () => {
  expect(reasonText('later', 'Something new.', t, PLAIN)).toBe('Something new.');
  expect(reasonText('toString', '', t, PLAIN)).toBe('toString');
  expect(reasonText(undefined, '', t, PLAIN)).toBe('');
});
