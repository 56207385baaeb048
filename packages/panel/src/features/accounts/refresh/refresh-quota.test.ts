import { expect, test } from 'bun:test';
import type { ProbeAnswer } from '@manager/core/accounts/api-call';
import { QueryClient } from '@tanstack/react-query';
import { type QuotaRefusals, REFUSALS_KEY } from '../../../platform/accounts/quota-refusals.ts';
import { account, NOW } from '../../../platform/accounts/testing/accounts.ts';
import type { Client } from '../../../platform/api/client.ts';
import { QuotaError } from './observed-windows.ts';
import { missOf, refreshQuota } from './refresh-quota.ts';

const client = { now: () => NOW, managed: () => false } as Client;
const one = account({ provider: 'codex' });

function answer(statusCode: number, json: object | null, body = JSON.stringify(json)): ProbeAnswer {
  return { kind: 'answered', statusCode, body, json: json as never };
}

const USAGE = { rate_limit: { primary_window: { used_percent: 5, limit_window_seconds: 18_000, reset_at: 2e9 } } };

/** What is kept after the answers, and the kind of the last one. */
async function after(...answers: readonly ProbeAnswer[]) {
  const queries = new QueryClient();
  let kind = 'refreshed';
  for (const given of answers) {
    kind = await refreshQuota(client, queries, async () => given, one).then(
      () => 'refreshed',
      (error: unknown) => (error instanceof QuotaError ? missOf(error) : String(error)),
    );
  }
  return [kind, queries.getQueryData<QuotaRefusals>(REFUSALS_KEY)?.get(one.key) ?? null] as const;
}

const EXPIRED = answer(401, { error: 'token is expired' });
const GONE = answer(402, { detail: { code: 'deactivated_workspace' } });
const kept = (says: 'signIn' | 'deactivated', status: number) => ({
  atMs: NOW,
  says,
  status,
  text: expect.any(String),
});

test('a rejected sign-in and a deactivated workspace are kept as evidence, and told apart', async () => {
  expect(await after(EXPIRED)).toEqual(['refused', kept('signIn', 401)]);
  expect(await after(GONE)).toEqual(['refused', kept('deactivated', 402)]);
  expect(await after(EXPIRED, GONE)).toEqual(['refused', kept('deactivated', 402)]);
});

test('an answer with quota ends the evidence, an inconclusive one leaves it', async () => {
  expect(await after(EXPIRED, answer(200, USAGE))).toEqual(['refreshed', null]);
  expect(await after(EXPIRED, answer(503, null, 'busy'))).toEqual(['busy', kept('signIn', 401)]);
  expect(await after(EXPIRED, answer(200, null, '<html>'))).toEqual(['unreadable', kept('signIn', 401)]);
});

test('answers without evidence are counted by kind', async () => {
  expect(await after(answer(403, { error: 'forbidden' }))).toEqual(['refused', null]);
  expect(await after(answer(429, { error: 'slow down' }))).toEqual(['busy', null]);
  expect(await after(answer(200, { status: 'maintenance' }))).toEqual(['unreadable', null]);
  expect(await after({ kind: 'transport_error', error: 'timeout' })).toEqual(['unreached', null]);
});
