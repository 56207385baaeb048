import { describe, expect, test } from 'bun:test';
import { createZone } from '../../../time/zones.ts';
import vectors from '../../fixtures/inspection-vectors.json';
import { answerOf, listedOf, vectorsOf } from '../testing.ts';
import { classifyCodex } from './classify.ts';
import { codexUsageRequest } from './request.ts';

const settings = { usedPercentThreshold: 100, observedAtMs: 1_772_445_600_000, zone: createZone('UTC') };

interface Account {
  readonly authIndex: string;
  readonly disabled: boolean;
  readonly owned: boolean;
  readonly planType: string;
}

const accountOf = ({ authIndex, disabled, owned, planType }: Account) => ({
  listed: listedOf({ auth_index: authIndex, disabled, plan_type: planType, provider: 'codex' }),
  owned,
});

describe('what an answer means for a Codex account', () => {
  for (const vector of vectorsOf(vectors.codex)) {
    test(`${vector.row}: ${vector.name}`, () => {
      const found = classifyCodex(answerOf(vector.apiCall), accountOf(vector.account), {
        ...settings,
        usedPercentThreshold: vector.threshold,
      });
      const { reason, ...expected } = vector.expect;
      expect(found).toMatchObject({ ...expected, actionReason: `monitoring.codex_inspection_reason_${reason}` });
    });
  }
});

const on: Account = { authIndex: 'ix-1', disabled: false, owned: false, planType: '' };
const off: Account = { ...on, disabled: true, owned: true };
const week = (used_percent?: number) => ({
  limit_window_seconds: 604_800,
  ...(used_percent === undefined ? {} : { used_percent }),
});
const found = (account: Account, status_code: number, body: unknown) =>
  classifyCodex(answerOf({ answer: { status_code, body } }), accountOf(account), settings);

test('a rate limit in a failed answer does not bring a disabled account back', () => {
  const body = { rate_limit: { secondary_window: week(3) } };
  expect(found(off, 200, body)).toMatchObject({ action: 'enable', autoRecoverEligible: true });
  expect(found(off, 503, body)).toMatchObject({
    action: 'keep',
    autoRecoverEligible: false,
    errorKind: 'http_status',
    actionReason: 'monitoring.codex_inspection_reason_http_status',
  });
});

test('an answer without evidence is never healthy', () => {
  const reason = (account: Account, status: number, body: unknown) =>
    found(account, status, body).actionReason.replace('monitoring.codex_inspection_reason_', '');
  for (const body of ['', 'null', '[]', '7', '<html></html>', '{"plan_type":', { plan_type: '', rate_limit: null }]) {
    expect(reason(on, 200, body)).toBe('not_readable');
    expect(reason(on, 204, body)).toBe('not_readable');
    expect(reason(on, 503, body)).toBe('http_status');
    expect(reason(off, 503, body)).toBe('http_status');
    expect(reason(off, 200, body)).toBe('recovery_unknown');
  }
  const readable = { rate_limit: { secondary_window: week(3) } };
  expect(reason(on, 503, readable)).toBe('http_status');
  expect(reason(on, 200, readable)).toBe('healthy');
  for (const body of [{ plan_type: 'free' }, { additional_rate_limits: [] }, { code_review_rate_limit: {} }]) {
    expect(reason(on, 200, body)).toBe('healthy');
  }
  expect(found(on, 200, '<html>Just a moment</html>').errorDetail).toContain('Just a moment');
});

test('unreadable windows do not hide a refused login', () => {
  expect(found(on, 401, { rate_limit: { secondary_window: week() } })).toMatchObject({
    action: 'reauth',
    usedPercent: null,
  });
});

test('a reached limit does not set the deciding percent', () => {
  const body = { rate_limit: { limit_reached: true, secondary_window: { ...week(), reset_after_seconds: 60 } } };
  expect(found(on, 200, body)).toMatchObject({
    action: 'keep',
    actionReason: 'monitoring.codex_inspection_reason_quota_incomplete',
    quotaWindows: [{ id: 'weekly', usedPercent: 100 }],
  });
});

test('the plan of the answer wins over that of the account', () => {
  const body = { plan_type: 'Team', rate_limit: { secondary_window: { used_percent: 1 } } };
  expect(found({ ...on, planType: 'plus' }, 200, body)).toMatchObject({
    planType: 'team',
    quotaWindows: [{ id: 'monthly' }],
  });
});

test('a failed answer is stored without secrets; without a body its status is stored', () => {
  expect(found(on, 500, '').errorDetail).toBe('HTTP 500');
  expect(found(on, 500, 'for person@example.test').errorDetail).toBe('for p***@example.test');
});

test('the request has the account id where it is known', () => {
  const request = codexUsageRequest(listedOf({ auth_index: 'ix-1', account_id: 'acc-1' }), 'agent/1');
  expect(request).toEqual({
    authIndex: 'ix-1',
    method: 'GET',
    url: 'https://chatgpt.com/backend-api/wham/usage',
    header: {
      Authorization: 'Bearer $TOKEN$',
      'Content-Type': 'application/json',
      'User-Agent': 'agent/1',
      'Chatgpt-Account-Id': 'acc-1',
    },
  });
  expect(codexUsageRequest(listedOf({}), 'agent/1').header).not.toHaveProperty('Chatgpt-Account-Id');
});
