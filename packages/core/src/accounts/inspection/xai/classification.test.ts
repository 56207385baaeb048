import { describe, expect, test } from 'bun:test';
import vectors from '../../fixtures/inspection-vectors.json';
import { listedOf, vectorsOf } from '../testing.ts';
import { classifyXaiFailure, worstXaiFailure, type XaiClass, xaiVerdict } from './classification.ts';
import { xaiBillingRequest, xaiIdentityRequest, xaiInferenceRequest } from './requests.ts';

describe('an xAI failure', () => {
  for (const vector of vectorsOf(vectors.xaiClassification)) {
    test(`${vector.row}: ${vector.name}`, () => {
      const body = typeof vector.body === 'string' ? vector.body : JSON.stringify(vector.body);
      const found = classifyXaiFailure(vector.statusCode, body);
      const { action, isQuota } = xaiVerdict(found, false, 'billing');
      expect<object>({ classification: found, action, isQuota }).toEqual(vector.expect);
    });
  }

  test('changes nothing where the account is already disabled', () => {
    for (const [name, reason] of [
      ['free_quota_exhausted', 'free_quota_disabled'],
      ['spending_limit', 'spending_limit_disabled'],
      ['entitlement_denied', 'entitlement_review'],
    ] as const) {
      expect(xaiVerdict(name, true, 'billing')).toEqual({
        action: 'keep',
        isQuota: true,
        actionReason: `monitoring.xai_inspection_reason_${reason}`,
      });
    }
  });

  test('the most specific one counts, the first among equals', () => {
    const failure = (name: XaiClass, statusCode = 0) => ({ class: name, statusCode, detail: '' });
    expect(worstXaiFailure([])).toBeNull();
    expect(worstXaiFailure([failure('unknown'), failure('upstream_error'), failure('auth_invalid')])?.class).toBe(
      'auth_invalid',
    );
    expect(
      worstXaiFailure([failure('permission_unknown', 403), failure('quota_or_entitlement_unknown', 402)])?.statusCode,
    ).toBe(403);
  });
});

describe('the inference request', () => {
  const settings = { xaiInferenceModel: 'grok-4.5', xaiInferencePrompt: 'Say OK', xaiInferenceUserAgent: 'agent/1' };
  for (const vector of vectorsOf(vectors.xaiInferenceUrl)) {
    test(vector.name, () => {
      const account = listedOf({ ...vector.authFile, sub: 'u-1' });
      const request = xaiInferenceRequest(account, settings, vector.identityVerified);
      expect(request.url).toBe(vector.expect.url);
      for (const name of ['x-xai-token-auth', 'x-grok-client-version', 'x-userid']) {
        expect(name in request.header).toBe(vector.expect.cliHeaders);
      }
    });
  }

  test('has its body and headers', () => {
    const request = xaiInferenceRequest(listedOf({ auth_index: 4 }), settings, true);
    expect(request).toMatchObject({ authIndex: '4', method: 'POST' });
    expect(JSON.parse(request.data ?? '')).toEqual({ model: 'grok-4.5', input: 'Say OK', stream: false });
    expect(request.header).toEqual({
      Authorization: 'Bearer $TOKEN$',
      Accept: 'application/json',
      'Content-Type': 'application/json',
      'User-Agent': 'agent/1',
    });
  });
});

test('the URLs of the billing and identity requests', () => {
  const account = listedOf({ auth_index: 'ix-1', user: { sub: 'u-1' } });
  expect(xaiBillingRequest(account, 'weekly')).toEqual({
    authIndex: 'ix-1',
    method: 'GET',
    url: 'https://cli-chat-proxy.grok.com/v1/billing?format=credits',
    header: {
      Authorization: 'Bearer $TOKEN$',
      'x-xai-token-auth': 'xai-grok-cli',
      'x-grok-client-version': '0.2.101',
      'x-userid': 'u-1',
      'User-Agent': 'grok-pager/0.2.101 grok-shell/0.2.101 (macos; aarch64)',
      Accept: '*/*',
    },
  });
  expect(xaiBillingRequest(account, 'monthly').url).toBe('https://cli-chat-proxy.grok.com/v1/billing');
  expect(xaiIdentityRequest(account)).toMatchObject({ url: 'https://api.x.ai/v1/me', method: 'GET' });
});
