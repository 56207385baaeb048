import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { InspectionResult, InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { type AccountFileOptions, type AccountSpec, accountFile, type JsonObject } from '@manager/simulator';
import { resultOfFile, startWorkingRig, type WorkingRig } from '../testing/working-rig.ts';

type Account = Partial<AccountSpec>;

interface Row {
  readonly name: string;
  readonly account?: Account;
  readonly off?: boolean;
  readonly owned?: boolean;
  /** Answers the usage request itself. */
  readonly body?: { readonly status: number; readonly json: JsonObject };
  readonly listed?: Partial<AccountFileOptions>;
  readonly expect: Partial<InspectionResult>;
}

const HOURS = 18_000;
const WEEK = 604_800;
const used = (short: number, long: number): Account => ({
  primary: { seconds: HOURS, usedPercent: short },
  secondary: { seconds: WEEK, usedPercent: long },
  limitReached: false,
});
/** Existing clients translate these reasons; all others are sentences. */
const codex = (reason: 'healthy' | 'reauth' | 'quota_threshold' | 'recovered') =>
  `monitoring.codex_inspection_reason_${reason}`;
const xai = (reason: string) => `monitoring.xai_inspection_reason_${reason}`;
const KEEP = { action: 'keep', actionStatus: 'none', isQuota: false } as const;
const DISABLE = { action: 'disable', actionStatus: 'pending', isQuota: true } as const;

const CODEX: readonly Row[] = [
  {
    name: 'C2 a call that failed says nothing',
    account: { failure: 'request failed' },
    expect: { ...KEEP, actionReason: 'The provider could not be reached.', errorKind: 'request_error' },
  },
  {
    name: 'C2 two values are no answer',
    account: { failure: 'two values' },
    expect: { ...KEEP, actionReason: 'The provider could not be reached.', errorKind: 'request_error' },
  },
  {
    name: 'C3 an answer without status',
    account: { failure: 'missing status' },
    expect: { ...KEEP, actionReason: 'The response has no provider status.', errorKind: 'missing_status' },
  },
  {
    name: 'C4 a workspace that is gone',
    account: { state: 'deactivated-workspace' },
    expect: { action: 'delete', statusCode: 402, actionReason: 'The workspace of this account is deactivated.' },
  },
  {
    name: 'C5 no long window',
    account: { primary: { seconds: HOURS, usedPercent: 70 }, secondary: null },
    expect: { ...KEEP, usedPercent: 70, actionReason: 'The long quota window is unknown.' },
  },
  {
    name: 'C6 windows do not hide a refused login',
    body: { status: 401, json: { rate_limit: { primary_window: { used_percent: 5, limit_window_seconds: HOURS } } } },
    expect: { action: 'reauth', actionReason: codex('reauth'), errorKind: 'http_status' },
  },
  {
    name: 'C7 used up and off',
    account: used(10, 90),
    off: true,
    expect: {
      ...KEEP,
      isQuota: true,
      usedPercent: 90,
      actionReason: 'Use has reached the threshold; the account is already disabled.',
    },
  },
  {
    name: 'C8 used up',
    account: used(10, 90),
    expect: { ...DISABLE, usedPercent: 90, actionReason: codex('quota_threshold') },
  },
  {
    name: 'C9 off while the short window is full',
    account: used(100, 40),
    off: true,
    expect: {
      ...KEEP,
      isQuota: true,
      usedPercent: 40,
      actionReason: 'The account stays disabled until the 5-hour window resets.',
    },
  },
  {
    name: 'C10 recovered, but a person disabled it',
    account: used(10, 40),
    off: true,
    expect: {
      action: 'enable',
      autoRecoverEligible: false,
      actionReason: 'The account has quota again. It was disabled manually; enable it manually.',
    },
  },
  {
    name: 'C10 recovered, and an inspection disabled it',
    account: used(10, 40),
    off: true,
    owned: true,
    expect: { action: 'enable', autoRecoverEligible: true, usedPercent: 40, actionReason: codex('recovered') },
  },
  {
    name: 'C10 a failed answer is no recovery',
    body: {
      status: 500,
      json: { rate_limit: { secondary_window: { used_percent: 5, limit_window_seconds: WEEK } } },
    },
    off: true,
    expect: { ...KEEP, actionReason: 'Inconclusive: the provider returned HTTP 500.', errorKind: 'http_status' },
  },
  {
    name: 'C11 a full short window alone',
    account: used(100, 40),
    expect: { ...KEEP, usedPercent: 40, actionReason: 'The 5-hour window is used up; it resets automatically.' },
  },
  { name: 'C12 healthy', account: used(10, 40), expect: { ...KEEP, usedPercent: 40, actionReason: codex('healthy') } },
  {
    name: 'C12 a month of a team',
    account: { plan: 'team', primary: { usedPercent: 1 }, secondary: { seconds: null, usedPercent: 89 } },
    listed: { plan: 'team' },
    expect: { ...KEEP, usedPercent: 89, planType: 'team', actionReason: codex('healthy') },
  },
  {
    name: 'C13 a refused login',
    account: { state: 'revoked' },
    expect: { action: 'reauth', statusCode: 401, actionReason: codex('reauth') },
  },
  {
    name: 'C14 to be paid and off',
    account: { state: 'payment-required' },
    off: true,
    expect: { ...KEEP, isQuota: true, actionReason: 'The quota is used up; the account is already disabled.' },
  },
  {
    name: 'C15 to be paid',
    account: { state: 'payment-required' },
    expect: { ...DISABLE, statusCode: 402, actionReason: 'The quota is used up.' },
  },
  {
    name: 'C16 an answer nobody knows, off',
    account: { state: 'unrecognised' },
    off: true,
    expect: {
      ...KEEP,
      statusCode: 200,
      quotaInventoryObserved: false,
      actionReason: 'The account is disabled, and it is unknown whether it has quota.',
    },
  },
  {
    name: 'C17b refused for another reason',
    account: { state: 'forbidden' },
    expect: {
      ...KEEP,
      statusCode: 403,
      errorKind: 'http_status',
      actionReason: 'Inconclusive: the provider returned HTTP 403.',
    },
  },
  {
    name: 'C17b busy',
    account: { state: 'rate-limited' },
    expect: {
      ...KEEP,
      statusCode: 429,
      errorKind: 'http_status',
      actionReason: 'Inconclusive: the provider returned HTTP 429.',
    },
  },
  {
    name: 'C17a an answer nobody knows',
    account: { state: 'unrecognised' },
    expect: {
      ...KEEP,
      statusCode: 200,
      errorKind: 'not_readable',
      actionReason: 'Inconclusive: the response of the provider could not be read.',
    },
  },
];

const billing = (weekly: string, monthly = weekly, me = weekly): Account =>
  ({ endpoints: { weekly, monthly, me } }) as Account;

const XAI: readonly Row[] = [
  {
    name: 'R2 partial beside a refusal',
    account: billing('spending-limit', 'healthy'),
    expect: { ...DISABLE, errorKind: 'spending_limit', actionReason: xai('spending_limit_disable') },
  },
  { name: 'R3 healthy', expect: { ...KEEP, errorKind: 'billing_healthy', actionReason: xai('billing_healthy') } },
  {
    name: 'R3 the monthly answer takes nothing away',
    account: billing('healthy', 'revoked'),
    expect: { ...KEEP, errorKind: 'billing_healthy', actionReason: xai('billing_healthy') },
  },
  {
    name: 'R4 partial beside a failure that passes',
    account: billing('unavailable', 'healthy'),
    expect: { ...KEEP, errorKind: 'billing_partial', actionReason: xai('billing_partial') },
  },
  {
    name: 'R5 known to the official interface',
    account: billing('forbidden', 'forbidden', 'healthy'),
    expect: { ...KEEP, errorKind: 'official_api_healthy', actionReason: xai('official_api_healthy') },
  },
  {
    name: 'R5 the same, off',
    account: billing('forbidden', 'forbidden', 'healthy'),
    off: true,
    owned: true,
    expect: { ...KEEP, errorKind: 'official_api_healthy', actionReason: xai('official_api_manual_disable') },
  },
  {
    name: 'R5 a team that is blocked',
    account: { ...billing('forbidden', 'forbidden', 'healthy'), teamBlocked: true } as Account,
    expect: { ...DISABLE, errorKind: 'spending_limit', actionReason: xai('spending_limit_disable') },
  },
  {
    name: 'R6 X1 the free allowance',
    account: billing('free-usage-exhausted'),
    expect: { ...DISABLE, errorKind: 'free_quota_exhausted', actionReason: xai('free_quota_disable') },
  },
  {
    name: 'R6 X1 the same, off',
    account: billing('free-usage-exhausted'),
    off: true,
    expect: { ...KEEP, isQuota: true, actionReason: xai('free_quota_disabled') },
  },
  {
    name: 'R6 X2 credits, off',
    account: billing('spending-limit'),
    off: true,
    expect: { ...KEEP, isQuota: true, actionReason: xai('spending_limit_disabled') },
  },
  {
    name: 'R6 X3 a refused login',
    account: billing('bad-credentials'),
    expect: { action: 'reauth', isQuota: false, errorKind: 'auth_invalid', actionReason: xai('auth_invalid') },
  },
  {
    name: 'R6 X4 a client that is too old',
    account: billing('outdated'),
    expect: { ...KEEP, errorKind: 'client_outdated', actionReason: xai('client_outdated') },
  },
  {
    name: 'R6 X5 content',
    account: billing('policy-denied'),
    expect: { ...KEEP, errorKind: 'policy_denied', actionReason: xai('policy_denied') },
  },
  {
    name: 'R6 X6 no subscription',
    account: billing('not-entitled'),
    expect: { ...DISABLE, errorKind: 'entitlement_denied', actionReason: xai('entitlement_disable') },
  },
  {
    name: 'R6 X7 a bare 403 everywhere',
    account: billing('forbidden'),
    expect: { ...KEEP, errorKind: 'permission_unknown', actionReason: xai('permission_unknown') },
  },
  {
    name: 'R6 X7 busy',
    account: billing('rate-limited'),
    expect: { ...KEEP, errorKind: 'rate_limited', actionReason: xai('rate_limited') },
  },
  {
    name: 'R6 X7 to be paid',
    account: billing('payment-required'),
    expect: { ...KEEP, errorKind: 'quota_or_entitlement_unknown', actionReason: xai('quota_unknown') },
  },
  {
    name: 'R6 X7 no answer',
    account: { failure: 'request failed' },
    expect: { ...KEEP, errorKind: 'upstream_error', actionReason: xai('upstream_error') },
  },
  {
    name: 'R6 X8 an answer nobody knows',
    account: billing('unrecognised'),
    expect: { ...KEEP, errorKind: 'protocol_changed', actionReason: xai('protocol_changed') },
  },
];

const asked = (responses: string): Account => ({ endpoints: { responses } }) as Account;

const INFERENCE: readonly Row[] = [
  { name: 'R7 works', expect: { ...KEEP, errorKind: 'inference_healthy', actionReason: xai('inference_healthy') } },
  {
    name: 'R8 works, and an inspection disabled it',
    off: true,
    owned: true,
    expect: { action: 'enable', autoRecoverEligible: true, actionReason: xai('enable_owned') },
  },
  {
    name: 'R9 works, but a person disabled it',
    off: true,
    expect: { ...KEEP, autoRecoverEligible: false, actionReason: xai('inference_manual_disable') },
  },
  {
    name: 'R10 no subscription',
    account: asked('not-entitled'),
    expect: { ...DISABLE, errorKind: 'entitlement_denied', actionReason: xai('entitlement_disable') },
  },
  {
    name: 'R10 to be paid',
    account: asked('payment-required'),
    expect: { ...KEEP, actionReason: xai('inference_quota_unknown') },
  },
  {
    name: 'R10 a request that is not understood',
    account: asked('invalid'),
    expect: { ...KEEP, actionReason: xai('inference_probe_invalid') },
  },
  {
    name: 'R10 an answer nobody knows',
    account: asked('unrecognised'),
    expect: { ...KEEP, actionReason: xai('inference_protocol_changed') },
  },
];

const fileOf = (row: Row) => `${row.name.replaceAll(/[^a-z0-9]+/gi, '-')}.json`;

function describeTable(
  title: string,
  provider: 'codex' | 'xai',
  rows: readonly Row[],
  settings: Parameters<WorkingRig['run']>[0],
): void {
  describe(title, () => {
    let rig: WorkingRig;
    let detail: InspectionRunDetail;

    beforeAll(async () => {
      rig = await startWorkingRig({
        authFiles: rows.map((row) =>
          accountFile({
            provider,
            name: fileOf(row),
            email: `${fileOf(row)}@example.test`,
            ...(row.off === true ? { disabled: true } : {}),
            ...(row.account === undefined ? {} : { account: row.account }),
            ...row.listed,
          }),
        ),
      });
      for (const account of await rig.gatewayAccounts.client.list()) {
        const { name, authIndex } = account;
        const row = rows.find((candidate) => fileOf(candidate) === name);
        if (row?.body !== undefined) {
          const result = { status_code: row.body.status, body: JSON.stringify(row.body.json) };
          rig.simulator.addApiCall({ method: 'GET', url: '*wham/usage', authIndex, result });
        }
        if (row?.owned === true) await rig.own(account, 'held');
      }
      detail = await rig.run({ targetTypes: [provider], ...settings });
    });
    afterAll(() => rig.stop());

    for (const row of rows) {
      test(row.name, () => {
        const result = resultOfFile(detail, fileOf(row));
        expect(result).toMatchObject(row.expect);
        const log = detail.logs.find(({ detail }) => (detail as JsonObject | undefined)?.fileName === fileOf(row));
        expect(log?.detail).toMatchObject({ reason: result.actionReason });
      });
    }

    test('every account has one result, and the run counts them', () => {
      expect(detail.run).toMatchObject({
        status: 'completed',
        totalFiles: rows.length,
        probeSetCount: rows.length,
        sampledCount: rows.length,
        disabledCount: rows.filter(({ off }) => off).length,
        keepCount: rows.filter(({ expect: { action } }) => action === 'keep').length,
      });
      expect(detail.results).toHaveLength(rows.length);
    });

    test('nothing was changed, and no log contains a token', () => {
      expect(rig.simulator.mutations()).toEqual([]);
      expect(JSON.stringify(detail.logs)).not.toContain('sim-access-token');
    });
  });
}

describeTable('a run over Codex accounts', 'codex', CODEX, { usedPercentThreshold: 90 });
describeTable('a run over xAI accounts', 'xai', XAI, {});
describeTable('a run over xAI accounts with inference', 'xai', INFERENCE, { xaiInferenceEnabled: true });
