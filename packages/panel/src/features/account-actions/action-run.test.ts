import { describe, expect, test } from 'bun:test';
import type { AccountActionCandidate } from '@manager/core/contract/account-actions';
import { ApiError } from '../../platform/api/errors.ts';
import { countOutcomes, type Outcome, runAction } from './action-run.ts';

const CANDIDATE: AccountActionCandidate = {
  id: 7,
  actionType: 'reauth',
  status: 'pending',
  authFileName: 'codex-one.json',
  reason: 'The token was revoked',
  autoDisableEligible: true,
  firstSeenAtMs: 1,
  lastSeenAtMs: 2,
  hitCount: 1,
  createdAtMs: 1,
  updatedAtMs: 2,
};

const answer = (status: number) => new ApiError('status', 'the reason', { path: '/', atMs: 1, status });

function run(error: ApiError, reload: () => Promise<AccountActionCandidate | null>): Promise<Outcome> {
  return runAction({ act: () => Promise.reject(error), reload }, CANDIDATE, 'ignore');
}

describe('an action', () => {
  test('that succeeds returns the item in its new state', async () => {
    const ignored = { ...CANDIDATE, status: 'ignored' as const };
    const calls = { act: async () => ignored, reload: async () => null };
    expect(await runAction(calls, CANDIDATE, 'ignore')).toEqual({
      kind: 'done',
      command: 'ignore',
      candidate: ignored,
    });
  });

  test('in conflict with another person reports what that one did', async () => {
    const resolved = { ...CANDIDATE, status: 'resolved' as const };
    expect(await run(answer(409), async () => resolved)).toEqual({ kind: 'handled', candidate: resolved });
  });

  test('on a deleted item reports that', async () => {
    expect(await run(answer(404), async () => null)).toEqual({ kind: 'gone', candidate: CANDIDATE });
  });

  test('that the server refuses leaves it pending with the reason', async () => {
    const now = { ...CANDIDATE, lastError: 'the credential is not certain' };
    expect(await run(answer(409), async () => now)).toEqual({ kind: 'refused', candidate: now, message: 'the reason' });
  });

  test('that fails is not looked up again', async () => {
    const error = answer(500);
    expect(await run(error, () => Promise.reject(new Error('asked')))).toEqual({
      kind: 'failed',
      candidate: CANDIDATE,
      error,
    });
  });
});

test('many are counted by how they ended', () => {
  const failed: Outcome = { kind: 'failed', candidate: CANDIDATE, error: null };
  const outcomes: Outcome[] = [
    { kind: 'done', command: 'ignore', candidate: CANDIDATE },
    { kind: 'handled', candidate: CANDIDATE },
    { kind: 'gone', candidate: CANDIDATE },
    failed,
  ];
  expect(countOutcomes(outcomes)).toEqual({ done: 1, handled: 2, failed: [failed] });
});
