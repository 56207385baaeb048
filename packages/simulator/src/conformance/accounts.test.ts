import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { accountFile } from '../accounts/account-files.ts';
import type { XaiState } from '../accounts/account-types.ts';
import type { MutationAnswerName } from '../faults/fault-types.ts';
import fixture from '../fixtures/api-call.json';
import { isObject, type JsonValue } from '../json.ts';
import { startSimulator } from '../simulator.ts';
import { apiCall, bodyOf } from '../testing/api-call.ts';
import { manage } from '../testing/raw-client.ts';
import type { Simulator } from '../types.ts';

let simulator: Simulator;

beforeEach(async () => {
  simulator = await startSimulator({ clock: 'controlled', authFiles: [] });
});

afterEach(() => simulator.stop());

/** Dotted paths of all members; elements of a list share one. */
function pathsOf(value: JsonValue, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((element) => pathsOf(element, `${prefix}[]`));
  if (!isObject(value)) return [prefix];
  return Object.entries(value).flatMap(([name, member]) => pathsOf(member, prefix === '' ? name : `${prefix}.${name}`));
}

describe('living accounts answer in the members of the recorded answers', () => {
  const window = { seconds: 604_800, usedPercent: 5 };
  for (const [name, provider, account] of [
    [
      'codex-usage-ok',
      'codex',
      { codeReview: window, additional: [{ name: 'x', feature: 'x', primary: window }], resetCredits: 1 },
    ],
    ['codex-reset-credits', 'codex', { resetCredits: 1 }],
    ['claude-usage-ok', 'claude', {}],
    ['antigravity-quota-summary', 'antigravity', {}],
    ['kimi-usages', 'kimi', {}],
    ['xai-billing-weekly', 'xai', { products: [{ product: 'build', usedPercent: 1 }] }],
    ['xai-billing-monthly', 'xai', {}],
    ['xai-me', 'xai', {}],
  ] as const) {
    test(name, async () => {
      const call = fixture.calls.find((candidate) => candidate.name === name);
      if (call === undefined) throw new Error('no such recorded call');
      simulator.addAuthFile(accountFile({ provider, name: 'a.json', account }));
      const request = { method: call.request.method, data: '{}' };
      const living = pathsOf((await bodyOf(apiCall(simulator, 'a.json', call.request.url, {}, request))) as JsonValue);
      const recorded = pathsOf(JSON.parse(call.response.body) as JsonValue);
      // The account's address is left out; only newer answers have the kind of credit.
      expect(recorded.filter((path) => !living.includes(path) && path !== 'email')).toEqual([]);
      expect(living.filter((path) => !recorded.includes(path) && path !== 'credits[].reset_type')).toEqual([]);
    });
  }
});

/** The first match wins; texts in lower case. */
const CLASSES: readonly (readonly [string, (status: number, text: string) => boolean])[] = [
  ['free_quota_exhausted', (_, text) => /free-usage-exhausted|included free usage/.test(text)],
  ['spending_limit', (_, text) => /spending-limit|run out of credits|monthly spending limit|add credits/.test(text)],
  [
    'auth_invalid',
    (status, text) => status === 401 || /invalid_grant|token_revoked|token_invalidated|bad-credentials/.test(text),
  ],
  ['client_outdated', (status) => status === 426],
  ['policy_denied', (_, text) => /safety_check|policy violation|usage guideline violation/.test(text)],
  ['entitlement_denied', (_, text) => /need a grok subscription|not entitled|subscription required/.test(text)],
  ['rate_limited', (status) => status === 429],
  ['permission_unknown', (status) => status === 403],
  ['quota_or_entitlement_unknown', (status) => status === 402],
  ['probe_invalid', (status) => status === 400 || status === 422],
  ['model_unavailable', (status) => status === 404],
  ['upstream_error', (status) => status >= 500],
];

const STATE_CLASSES: Readonly<Record<Exclude<XaiState, 'healthy' | 'unrecognised'>, string>> = {
  'free-usage-exhausted': 'free_quota_exhausted',
  'spending-limit': 'spending_limit',
  revoked: 'auth_invalid',
  'bad-credentials': 'auth_invalid',
  outdated: 'client_outdated',
  'policy-denied': 'policy_denied',
  'not-entitled': 'entitlement_denied',
  'rate-limited': 'rate_limited',
  forbidden: 'permission_unknown',
  'payment-required': 'quota_or_entitlement_unknown',
  invalid: 'probe_invalid',
  'not-found': 'model_unavailable',
  unavailable: 'upstream_error',
};

for (const [state, expected] of Object.entries(STATE_CLASSES)) {
  test(`xAI state ${state} is ${expected} and nothing before it`, async () => {
    simulator.addAuthFile(accountFile({ provider: 'xai', name: 'a.json', account: { state: state as XaiState } }));
    for (const url of [
      'https://cli-chat-proxy.grok.com/v1/billing?format=credits',
      'https://cli-chat-proxy.grok.com/v1/billing',
      'https://api.x.ai/v1/me',
    ]) {
      const { status_code, body } = (await apiCall(simulator, 'a.json', url)).body as {
        status_code: number;
        body: string;
      };
      const found = CLASSES.find(([, matches]) => matches(status_code, body.toLowerCase()));
      expect(found?.[0]).toBe(expected);
    }
  });
}

/** Whether an answer confirms a change, as clients must decide. */
function confirms(status: number, text: string): boolean {
  if (status < 200 || status > 299 || text.length > 4 * 1024 * 1024) return false;
  if (text === '') return true;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return false;
  }
  if (!isObject(body)) return false;
  const { failed, error, success, ok, status: word } = body;
  if (Array.isArray(failed) ? failed.length > 0 : Boolean(failed)) return false;
  if (error || success === false || ok === false) return false;
  return success === true || ok === true || word === 'ok' || word === 'success';
}

const CONFIRMING: readonly MutationAnswerName[] = ['empty', 'success-true', 'ok-true', 'status-success'];
const NOT_CONFIRMING: readonly MutationAnswerName[] = [
  'text',
  'truncated',
  'trailing',
  'array',
  'too-large',
  'failed-list',
  'error-member',
  'success-false',
  'ok-false',
  'status-error',
  'status-failed',
  'partial',
  'partial-quiet',
  'unconfirmed',
  'empty-object',
  'bad-request',
  'not-found',
  'conflict',
  'virtual-conflict',
  'server-error',
  'unavailable',
];

for (const answer of [...CONFIRMING, ...NOT_CONFIRMING]) {
  const isConfirming = CONFIRMING.includes(answer);
  test(`answer ${answer} ${isConfirming ? 'confirms' : 'does not confirm'} a change`, async () => {
    simulator.addAuthFile(accountFile({ provider: 'codex', name: 'a.json' }));
    simulator.fault({ kind: 'mutation', answer });
    const { status, text } = await manage(simulator, 'PATCH', '/auth-files/status', { name: 'a.json', disabled: true });
    expect(confirms(status, text)).toBe(isConfirming);
  });
}

test('500 accounts are asked eight at a time, and the maximum in parallel is known', async () => {
  const files = Array.from({ length: 500 }, (_, index) =>
    accountFile({ provider: 'codex', email: `${index}@example.test` }),
  );
  for (const file of files) simulator.addAuthFile(file);
  const waiting = [...files];
  const worker = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      const body = await bodyOf(
        apiCall(simulator, String(file.authIndex), 'https://chatgpt.com/backend-api/wham/usage'),
      );
      expect(body).toHaveProperty('rate_limit');
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const { byKind, apiCallsByAccount } = simulator.activity();
  expect(byKind['api-call']).toMatchObject({ total: 500, inFlight: 0 });
  expect(byKind['api-call']?.maxInFlight).toBeLessThanOrEqual(8);
  expect(Object.keys(apiCallsByAccount).length).toBe(500);
});
