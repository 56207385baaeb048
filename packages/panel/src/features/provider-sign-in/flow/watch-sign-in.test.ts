import { describe, expect, test } from 'bun:test';
import { accountsOf } from '../../../platform/accounts/testing/accounts.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { BUILT_IN, type SignInProvider } from '../providers.ts';
import { readStart, type Status } from './sign-in-calls.ts';
import { type Ending, type Flow, watchSignIn } from './watch-sign-in.ts';

const [provider] = BUILT_IN as readonly [SignInProvider];
const BEFORE = accountsOf({ modtime: '1' });
const AFTER = accountsOf({ modtime: '1' }, {});
const FLOW: Flow = {
  provider,
  state: 's1',
  url: 'https://example.test/',
  device: null,
  lastsMs: 60_000,
  endsAtMs: 60_000,
  expected: '',
  before: BEFORE,
};
const WAIT: Status = { kind: 'wait' };
const failure = (status: number) => new ApiError('status', 'the reason', { path: '/', atMs: 1, status });
const NO_ANSWER = new ApiError('network', 'gone', { path: '/', atMs: 1 });

/** Watches with a clock of its own; the last answers repeat. */
async function watch(
  statuses: readonly (Status | ApiError)[],
  lists: readonly (typeof BEFORE | ApiError)[] = [BEFORE],
  flow: Partial<Flow> = {},
  stopAfter = Number.POSITIVE_INFINITY,
) {
  const controller = new AbortController();
  const troubles: boolean[] = [];
  const asked: string[] = [];
  let nowMs = 0;
  let listed = 0;
  const give = <T>(answers: readonly (T | ApiError)[], index: number): T => {
    const answer = answers[Math.min(index, answers.length - 1)];
    if (answer instanceof ApiError) throw answer;
    return answer as T;
  };
  const ending: Ending | null = await watchSignIn(
    { ...FLOW, ...flow },
    {
      ask: async (state) => give(statuses, asked.push(state) - 1),
      list: async () => give(lists, listed++),
      wait: async (ms) => {
        nowMs += ms;
        if (asked.length >= stopAfter) controller.abort();
      },
      now: () => nowMs,
      onTrouble: (error) => troubles.push(error !== null),
    },
    controller.signal,
  );
  return { ending, asked, troubles, nowMs };
}

describe('a sign-in', () => {
  test('is asked for every three seconds, and what it added is looked up until the list shows it', async () => {
    const { ending, asked, nowMs } = await watch([WAIT, WAIT, { kind: 'ok' }], [BEFORE, NO_ANSWER, AFTER]);
    expect(ending).toMatchObject({ kind: 'signedIn', outcome: { kind: 'added' } });
    expect(asked).toEqual(['s1', 's1', 's1']);
    expect(nowMs).toBe(8_000);
  });

  test('that the gateway accepts without a visible change says so, or that the list is not known', async () => {
    expect((await watch([{ kind: 'ok' }])).ending).toEqual({ kind: 'signedIn', outcome: { kind: 'unseen' } });
    expect((await watch([{ kind: 'ok' }], [NO_ANSWER])).ending).toEqual({
      kind: 'signedIn',
      outcome: { kind: 'unread' },
    });
  });

  test('goes on while nobody answers', async () => {
    const { ending, troubles } = await watch([NO_ANSWER, failure(502), WAIT, { kind: 'ok' }], [AFTER]);
    expect(ending).toMatchObject({ kind: 'signedIn' });
    expect(troubles).toEqual([true, true, false]);
  });

  test('ends with its time, not later', async () => {
    const { ending, asked, nowMs } = await watch([WAIT]);
    expect(ending).toEqual({ kind: 'expired' });
    expect([asked.length, nowMs]).toEqual([20, 60_000]);
  });

  test('fails with the words of the gateway', async () => {
    expect((await watch([{ kind: 'error', message: 'access_denied' }])).ending).toEqual({
      kind: 'failed',
      message: 'access_denied',
    });
    expect((await watch([failure(400)])).ending).toEqual({ kind: 'failed', message: 'the reason' });
  });

  test('that the gateway has forgotten, but whose account is there, succeeded', async () => {
    const forgotten: Status = { kind: 'error', message: 'unknown or expired state' };
    expect((await watch([forgotten], [AFTER])).ending).toMatchObject({ kind: 'signedIn' });
    // A changed file alone may be a refreshed token.
    const refreshed = accountsOf({ modtime: '2' });
    expect((await watch([forgotten], [refreshed])).ending).toMatchObject({ kind: 'failed' });
    expect((await watch([forgotten], [refreshed], { expected: 'index-0' })).ending).toMatchObject({ kind: 'signedIn' });
  });

  test('that nobody waits for any more is not asked for', async () => {
    const { ending, asked } = await watch([WAIT], [BEFORE], {}, 2);
    expect([ending, asked.length]).toEqual([null, 2]);
  });
});

describe('the answer to a start', () => {
  const ANSWER = { status: 'ok', url: 'https://auth.example.test/a?b=c', state: 'kimi-1.2_3' };

  test('is a page with a redirect, or a device code with its time', () => {
    expect(readStart(ANSWER)).toEqual({ state: ANSWER.state, url: ANSWER.url, device: null, lastsMs: 300_000 });
    expect(readStart({ ...ANSWER, flow: 'device', user_code: 'AB-12', expires_in: 600 })).toMatchObject({
      device: { userCode: 'AB-12' },
      lastsMs: 600_000,
    });
    // The gateway forgets it after half an hour.
    expect(readStart({ ...ANSWER, flow: 'device', expires_in: 9_000 })).toMatchObject({
      device: { userCode: '' },
      lastsMs: 1_800_000,
    });
  });

  test('is none without a state, or with an address that is no web page', () => {
    for (const wrong of [{ state: '' }, { state: 'a/b' }, { url: 'javascript:alert(1)' }, { url: 'no address' }])
      expect(readStart({ ...ANSWER, ...wrong })).toBeNull();
    expect(readStart(null)).toBeNull();
  });
});
