import { candidateListResponseSchema, candidateResponseSchema } from '@manager/core/contract/account-actions';
import { ACCOUNT_ACTIONS_PATH, PROCESSING_POLICY_PATH, QUOTA_COOLDOWNS_PATH } from '@manager/core/contract/constants';
import { quotaCooldownsResponseSchema } from '@manager/core/contract/cooldowns';
import { processingPolicyResponseSchema } from '@manager/core/contract/settings/processing-policy';
import type { Scenario } from './scenario.ts';

/** Files at the gateway; candidate n is about the n-th of them. */
export const CANDIDATE_FILES = 120;
export const candidateFile = (id: number) => `codex-${String(id).padStart(3, '0')}.json`;
/** Belongs to another account when the scenarios run. */
export const REPLACED = 5;
/** Deleted when the scenarios run. */
export const REMOVED = 6;
/** In cooldown. */
export const RESTING = { codex: 'codex-resting.json', xai: 'xai-resting.json' } as const;

const candidates = ACCOUNT_ACTIONS_PATH;
const act = (id: number, action: 'ignore' | 'resolve' | 'enable') => ({
  method: 'POST',
  path: `${candidates}/${id}/${action}`,
});
const deletion = (id: number) => ({ method: 'DELETE', path: `${candidates}/${id}/auth-file` });
const shape = candidateResponseSchema;

/** A list of exactly this many rows. */
const rows = (count: number) => ({
  parse(answer: unknown) {
    const { items } = candidateListResponseSchema.parse(answer);
    if (items.length !== count) throw new Error(`${items.length} rows instead of ${count}`);
    return items;
  },
});

const list = (query: string, count: number, has: readonly string[] = []): Scenario => ({
  name: `candidates${query}: ${count}`,
  path: candidates + query,
  status: 200,
  has,
  shape: rows(count),
});

/** Needs a manager with `CANDIDATE_FILES` candidates in the action queue and two accounts in cooldown. Disabling is locked. */
export const ACCOUNT_WORK_SCENARIOS: readonly Scenario[] = [
  {
    name: 'policy: what the environment sets is locked',
    path: PROCESSING_POLICY_PATH,
    status: 200,
    has: [
      '{"source":"database",',
      '"authIssueQueue":{"enabled":true,"configured":true,"source":"database","locked":false,',
      '"authIssueAutoDisable":{"enabled":false,"configured":false,"source":"env","locked":true,"envKey":"USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE"',
    ],
    shape: processingPolicyResponseSchema,
  },
  {
    name: 'policy: a locked switch is refused, also with the value it has',
    method: 'PATCH',
    path: PROCESSING_POLICY_PATH,
    body: '{"authIssueQueueEnabled":false,"authIssueAutoDisableEnabled":false}',
    status: 409,
    has: ['account_processing_policy_env_locked', 'USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE'],
  },
  {
    name: 'of which nothing was saved either',
    path: PROCESSING_POLICY_PATH,
    status: 200,
    has: ['"authIssueQueue":{"enabled":true,'],
  },
  {
    name: 'policy: null leaves a locked switch alone',
    method: 'PATCH',
    path: PROCESSING_POLICY_PATH,
    body: '{"authIssueAutoDisableEnabled":null}',
    status: 200,
    shape: processingPolicyResponseSchema,
  },
  {
    name: 'cooldowns, the earliest end first',
    path: QUOTA_COOLDOWNS_PATH,
    status: 200,
    has: [
      `{"items":[{"authFileName":"${RESTING.codex}","authIndex":"`,
      '"owner":"manager_usage_429","reasonCode":"codex_usage_limit_reached","windowKind":"five_hour","recoverAtMs":',
      `},{"authFileName":"${RESTING.xai}","authIndex":"`,
      '"owner":"manager_xai_free_usage","reasonCode":"xai_free_usage_exhausted","windowKind":"rolling_24h","evidence":{',
      '"overage":33137,',
      '"recover_at_estimated":true',
    ],
    shape: quotaCooldownsResponseSchema,
  },
  list('', 100, ['{"items":[{"id":120,"actionType":"reauth","status":"pending","provider":"codex","authFileName":"']),
  list('?limit=1', 1, [`"authFileName":"${candidateFile(CANDIDATE_FILES)}"`, '"pendingCount":120}']),
  list('?limit=0', 100),
  list('?limit=-1', 100),
  list('?limit=all', 100),
  list('?limit=500', 120),
  list('?limit=501', 100),
  list('?status=&limit=500', 120),
  list('?status=pending&limit=500', 120),
  list('?status=resolved', 0, ['{"items":[],"pendingCount":120}']),
  list('?status=surprise', 0),
  {
    name: 'a candidate is ignored',
    ...act(1, 'ignore'),
    status: 200,
    has: [
      '{"item":{"id":1,"actionType":"reauth","status":"ignored",',
      '"reasonCode":"token_revoked"',
      '"statusCode":401',
    ],
    shape,
  },
  { name: 'a candidate is resolved', ...act(2, 'resolve'), status: 200, has: ['"status":"resolved"'], shape },
  { name: 'a candidate is enabled', ...act(3, 'enable'), status: 200, has: ['"status":"resolved"'], shape },
  { name: 'the file of a candidate is deleted', ...deletion(4), status: 200, has: ['"status":"deleted"'], shape },
  { name: 'an ignored candidate is not ignored again', ...act(1, 'ignore'), status: 409, has: ['request_failed'] },
  { name: 'a resolved candidate is not enabled', ...act(2, 'enable'), status: 409, has: ['request_failed'] },
  { name: 'nor is an enabled one deleted', ...deletion(3), status: 409, has: ['request_failed'] },
  { name: 'nor is a deleted one resolved', ...act(4, 'resolve'), status: 409, has: ['request_failed'] },
  { name: 'a file with another account is not enabled', ...act(REPLACED, 'enable'), status: 409 },
  { name: 'nor deleted', ...deletion(REPLACED), status: 409, has: ['request_failed'] },
  { name: 'a file that is gone is not enabled', ...act(REMOVED, 'enable'), status: 409, has: ['request_failed'] },
  {
    name: 'but its candidate can be closed as deleted',
    ...deletion(REMOVED),
    status: 200,
    has: ['"status":"deleted"'],
    shape,
  },
  { name: 'an action on a candidate that is not there', ...deletion(CANDIDATE_FILES + 1), status: 404 },
  list('?status=pending&limit=500', 115, [`"authFileName":"${candidateFile(REPLACED)}"`, '"lastError":"']),
  list('?status=deleted&limit=500', 2, ['"pendingCount":115}']),
  {
    name: 'candidates, pending ones first',
    path: `${candidates}?limit=500`,
    status: 200,
    shape: {
      parse(answer: unknown) {
        const { items } = candidateListResponseSchema.parse(answer);
        const last = items.slice(-5).map(({ id, status }) => `${id} ${status}`);
        const expected = ['6 deleted', '4 deleted', '3 resolved', '2 resolved', '1 ignored'];
        if (last.join() !== expected.join()) throw new Error(`at the end: ${last.join()}`);
        return items;
      },
    },
  },
];

/** Needs a manager that is not connected. */
export const UNCONNECTED_ACCOUNT_SCENARIOS: readonly Scenario[] = [
  {
    name: 'policy is open until there is a connection',
    path: PROCESSING_POLICY_PATH,
    signedIn: false,
    status: 200,
    has: ['{"source":"startup",'],
    shape: processingPolicyResponseSchema,
  },
  {
    name: 'but its change is not',
    method: 'PATCH',
    path: PROCESSING_POLICY_PATH,
    body: '{"authIssueQueueEnabled":true}',
    signedIn: false,
    status: 401,
    has: ['invalid_admin_key'],
  },
  {
    name: 'the admin changes it before there is a connection',
    method: 'PATCH',
    path: PROCESSING_POLICY_PATH,
    body: '{"authIssueQueueEnabled":true}',
    status: 200,
    has: ['"authIssueQueue":{"enabled":true,'],
  },
  {
    name: 'cooldowns need the key before there is a connection',
    path: QUOTA_COOLDOWNS_PATH,
    signedIn: false,
    status: 401,
  },
  { name: 'cooldowns without a connection', path: QUOTA_COOLDOWNS_PATH, status: 200, has: ['{"items":[]}'] },
  {
    name: 'candidates without a connection',
    path: candidates,
    status: 412,
    has: ['usage_service_not_configured'],
  },
  ...(['ignore', 'resolve', 'enable'] as const).map((action) => ({
    name: `${action} without a connection`,
    ...act(1, action),
    status: 412,
    has: ['usage_service_not_configured'],
  })),
  {
    name: 'a bad id without a connection',
    method: 'DELETE',
    path: `${candidates}/x/auth-file`,
    status: 412,
    has: ['usage_service_not_configured'],
  },
  {
    name: 'an inspection without a connection',
    method: 'POST',
    path: '/v0/management/account-inspection/run',
    status: 412,
    has: ['usage_service_not_configured'],
  },
];
