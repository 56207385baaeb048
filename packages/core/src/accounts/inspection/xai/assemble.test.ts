import { describe, expect, test } from 'bun:test';
import type { ProbeAnswer } from '../../api-call.ts';
import vectors from '../../fixtures/inspection-vectors.json';
import { answerOf, listedOf, vectorsOf } from '../testing.ts';
import { assembleXai, xaiLogFacts } from './assemble.ts';
import { evaluateXaiBilling, evaluateXaiIdentity, evaluateXaiInference } from './probes.ts';

interface Probe {
  readonly status_code?: number;
  readonly body?: unknown;
  readonly transportError?: string;
}

interface Run {
  readonly account: { readonly authIndex: string; readonly disabled: boolean; readonly owned: boolean };
  readonly xaiInferenceEnabled?: boolean;
  readonly weekly?: Probe;
  readonly monthly?: Probe;
  readonly me?: Probe;
  readonly inference?: Probe;
}

const notAsked: ProbeAnswer = { kind: 'transport_error', error: 'not asked' };
const probe = (given: Probe | undefined): ProbeAnswer =>
  given === undefined
    ? notAsked
    : answerOf(given.transportError === undefined ? { answer: given } : { transportError: given.transportError });

function inspect(run: Run) {
  const { authIndex, disabled, owned } = run.account;
  const billing = evaluateXaiBilling(probe(run.weekly), probe(run.monthly));
  const probes = {
    billing,
    identity: billing.needsIdentity ? evaluateXaiIdentity(probe(run.me)) : null,
    inference: run.xaiInferenceEnabled ? evaluateXaiInference(probe(run.inference)) : null,
  };
  const listed = listedOf({ auth_index: authIndex, disabled, provider: 'xai' });
  const finding = assembleXai({ listed: listed, owned }, probes);
  return { finding, facts: xaiLogFacts(finding, probes) };
}

describe('what the probes mean for an xAI account', () => {
  for (const vector of vectorsOf<Run & { name: string; row: string; expect: object }>(vectors.xaiRun)) {
    test(`${vector.row}: ${vector.name}`, () => {
      expect(inspect(vector).finding).toMatchObject(vector.expect);
    });
  }
});

const account = { authIndex: 'ix-1', disabled: false, owned: false };
const week = { status_code: 200, body: { config: { credit_usage_percent: 3 } } };
const text = { type: 'message', content: [{ type: 'output_text', text: 'OK' }] };
const reason = (name: string) => `monitoring.xai_inspection_reason_${name}`;

test('the reasons show who may enable a disabled account', () => {
  const inference = { status_code: 200, body: { status: 'completed', output: [text] } };
  const off = { ...account, disabled: true };
  const run = { weekly: week, xaiInferenceEnabled: true, inference };
  expect(inspect({ ...run, account: off }).finding.actionReason).toBe(reason('inference_manual_disable'));
  expect(inspect({ ...run, account: { ...off, owned: true } }).finding.actionReason).toBe(reason('enable_owned'));
  const me = { status_code: 200, body: { team_id: 7 } };
  const forbidden = { status_code: 403, body: { error: 'Forbidden' } };
  expect(inspect({ weekly: forbidden, me, account: off }).finding.actionReason).toBe(
    reason('official_api_manual_disable'),
  );
  expect(inspect({ weekly: forbidden, me, account }).facts).toMatchObject({ inspectionMode: 'identity' });
});

test('a failed inference request gives its own reason unless billing reports something worse', () => {
  const run = { account, xaiInferenceEnabled: true, inference: { status_code: 400, body: { error: 'no' } } };
  expect(inspect({ ...run, weekly: week }).finding.actionReason).toBe(reason('inference_probe_invalid'));
  const refused = inspect({ ...run, weekly: { status_code: 401, body: {} } }).finding;
  expect(refused).toMatchObject({ action: 'reauth', actionReason: reason('auth_invalid'), statusCode: 401 });
});

test('a refusal inside a successful answer is recognized', () => {
  const inference = {
    status_code: 200,
    body: { status: 'failed', error: { code: 'subscription:free-usage-exhausted' } },
  };
  expect(inspect({ account, weekly: week, xaiInferenceEnabled: true, inference }).finding.action).toBe('disable');
});

test('text in an unreadable successful billing answer is inconclusive', () => {
  const weekly = { status_code: 200, body: { hint: 'add credits' } };
  expect(inspect({ account, weekly }).finding).toMatchObject({ action: 'keep', errorKind: 'protocol_changed' });
});

test("a failure keeps the provider's text, a healthy account has none", () => {
  expect(inspect({ account, weekly: { status_code: 503, body: 'busy' } }).finding).toMatchObject({
    error: 'busy',
    errorDetail: 'busy',
  });
  const { finding, facts } = inspect({ account, weekly: week });
  expect(finding).toMatchObject({ error: '', errorDetail: '', usedPercent: 3, quotaInventoryObserved: true });
  expect(facts).toEqual({
    inspectionMode: 'billing',
    healthEvidence: 'billing_healthy',
    billingAvailable: true,
    billingPartial: false,
    inferenceEnabled: false,
    inferenceHealthy: false,
  });
});

test('only transient failures are retried', () => {
  expect(evaluateXaiBilling(notAsked, notAsked).retryable).toBe(true);
  expect(evaluateXaiBilling(probe(week), notAsked).retryable).toBe(false);
  expect(evaluateXaiBilling(probe({ status_code: 401 }), notAsked).retryable).toBe(false);
  expect(evaluateXaiInference(probe({ status_code: 429, body: '' }))).toMatchObject({ retryable: true });
});

test('the gateway may report why it could not send the request', () => {
  const refused = { transportError: 'the gateway returned 400: auth token refresh failed: invalid_grant' };
  expect(inspect({ account, weekly: refused }).finding).toMatchObject({ action: 'reauth', statusCode: null });
});

test('an unknown status stays unknown for an inference request too', () => {
  const inference = { status_code: 418, body: 'tea' };
  expect(inspect({ account, weekly: week, xaiInferenceEnabled: true, inference }).finding.errorKind).toBe('unknown');
});
