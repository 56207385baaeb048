import { candidateListResponseSchema } from '@manager/core/contract/account-actions';
import { ACCOUNT_ACTIONS_PATH, PROCESSING_POLICY_PATH, QUOTA_COOLDOWNS_PATH } from '@manager/core/contract/constants';
import { quotaCooldownsResponseSchema } from '@manager/core/contract/cooldowns';
import { processingPolicyResponseSchema } from '@manager/core/contract/settings/processing-policy';
import type { Scenario } from './scenario.ts';

const policy = PROCESSING_POLICY_PATH;
const cooldowns = QUOTA_COOLDOWNS_PATH;
const candidates = ACCOUNT_ACTIONS_PATH;

/** The answer of a single setting. */
const capability = (name: string, state: { enabled: boolean; configured: boolean; source: string }) =>
  `"${name}":{"enabled":${state.enabled},"configured":${state.configured},"source":"${state.source}","locked":false`;

const patch = (body: string) => ({ method: 'PATCH', path: policy, body });

const POLICY_SCENARIOS: readonly Scenario[] = [
  {
    name: 'policy: everything is off at first',
    path: policy,
    status: 200,
    has: [
      '{"source":"startup",',
      `${capability('codexQuotaCooldown', { enabled: false, configured: false, source: 'startup' })},"envKey":"USAGE_QUOTA_COOLDOWN_ENABLED","configFileKey":"quotaCooldownEnabled"}`,
      '"envKey":"USAGE_ACCOUNT_ACTIONS_ENABLED","configFileKey":"accountActionsEnabled"}',
      '"envKey":"USAGE_ACCOUNT_ACTIONS_AUTO_DISABLE","configFileKey":"accountActionsAutoDisable","dependsOn":"authIssueQueue"}',
    ],
    shape: processingPolicyResponseSchema,
  },
  { name: 'policy needs the key once connected', path: policy, signedIn: false, status: 401 },
  { name: 'policy of malformed JSON', ...patch('{'), status: 400, has: ['request_failed'] },
  { name: 'policy without a body', ...patch(''), status: 400 },
  { name: 'policy of no object', ...patch('[true]'), status: 400 },
  {
    name: 'policy of a wrong type',
    ...patch('{"codexQuotaCooldownEnabled":true,"authIssueQueueEnabled":"yes"}'),
    status: 400,
    has: ['authIssueQueueEnabled: boolean expected', 'request_failed'],
  },
  {
    name: 'of which nothing was saved',
    path: policy,
    status: 200,
    has: [capability('codexQuotaCooldown', { enabled: false, configured: false, source: 'startup' })],
  },
  {
    name: 'policy: disabling is saved without its queue, but not in effect',
    ...patch('{"authIssueAutoDisableEnabled":true,"authIssueQueueEnabled":null,"surprise":1}'),
    status: 200,
    has: [
      '{"source":"database","updatedAtMs":',
      capability('authIssueQueue', { enabled: false, configured: false, source: 'startup' }),
      capability('authIssueAutoDisable', { enabled: false, configured: true, source: 'database' }),
    ],
    shape: processingPolicyResponseSchema,
  },
  {
    name: 'policy: the queue brings it into effect',
    ...patch('{"authIssueQueueEnabled":true}'),
    status: 200,
    has: [
      capability('authIssueQueue', { enabled: true, configured: true, source: 'database' }),
      capability('authIssueAutoDisable', { enabled: true, configured: true, source: 'database' }),
    ],
  },
  {
    name: 'policy that changes nothing',
    ...patch('{}'),
    status: 200,
    has: [capability('authIssueAutoDisable', { enabled: true, configured: true, source: 'database' })],
  },
  {
    name: 'policy is switched off again',
    ...patch('{"authIssueQueueEnabled":false,"authIssueAutoDisableEnabled":false}'),
    status: 200,
    has: [capability('authIssueQueue', { enabled: false, configured: false, source: 'database' })],
  },
  {
    name: 'a change of the policy needs the key before it is looked at',
    ...patch('{'),
    signedIn: false,
    status: 401,
    has: ['invalid_admin_key'],
  },
  { name: 'policy has no PUT', method: 'PUT', path: policy, body: '{}', status: 405, has: ['method_not_allowed'] },
  { name: 'nothing below the policy', path: `${policy}/x`, status: 404 },
  { name: 'policy with a slash at the end', path: `${policy}/`, status: 404 },
  { name: 'preflight of the policy needs no key', method: 'OPTIONS', path: policy, signedIn: false, status: 204 },
];

const COOLDOWN_SCENARIOS: readonly Scenario[] = [
  {
    name: 'no cooldowns',
    path: cooldowns,
    status: 200,
    has: ['{"items":[]}'],
    shape: quotaCooldownsResponseSchema,
  },
  { name: 'cooldowns need the key', path: cooldowns, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  { name: 'cooldowns have one method', method: 'POST', path: cooldowns, body: '{}', status: 405 },
  { name: 'nothing below cooldowns', path: `${cooldowns}/x`, status: 404, has: ['"code"'] },
  { name: 'cooldowns with a slash at the end', path: `${cooldowns}/`, status: 404 },
];

const CANDIDATE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'no account action candidates',
    path: candidates,
    status: 200,
    has: ['{"items":[],"pendingCount":0}'],
    shape: candidateListResponseSchema,
  },
  { name: 'candidates with a slash at the end', path: `${candidates}/?status=pending&limit=x`, status: 200 },
  { name: 'candidates need the key', path: candidates, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  {
    name: 'a path below candidates that is not there does not tell without the key',
    path: `${candidates}/surprise`,
    signedIn: false,
    status: 401,
  },
  { name: 'a candidate is not read by itself', path: `${candidates}/1`, status: 405, has: ['method_not_allowed'] },
  { name: 'an unknown action', method: 'POST', path: `${candidates}/1/surprise`, status: 405 },
  { name: 'ignoring by GET', path: `${candidates}/1/ignore`, status: 405 },
  { name: 'deleting by POST', method: 'POST', path: `${candidates}/1/auth-file`, status: 405 },
  { name: 'candidates are not created by hand', method: 'POST', path: candidates, body: '{}', status: 405 },
  ...['ignore', 'resolve', 'enable'].flatMap((action) => [
    {
      name: `${action} of a candidate that is not there`,
      method: 'POST',
      path: `${candidates}/1/${action}`,
      status: 404,
      has: ['request_failed'],
    },
    {
      name: `${action} by a bad id`,
      method: 'POST',
      path: `${candidates}/x/${action}`,
      status: 400,
      has: ['candidate id', 'request_failed'],
    },
  ]),
  { name: 'deletion of the file of no candidate', method: 'DELETE', path: `${candidates}/1/auth-file`, status: 404 },
  { name: 'deletion by a bad id', method: 'DELETE', path: `${candidates}/0/auth-file/`, status: 400 },
  { name: 'a path that only begins like candidates is forwarded', path: `${candidates}-x`, status: 404 },
];

/** Needs a connected manager without account work. */
export const ACCOUNT_SCENARIOS: readonly Scenario[] = [
  ...POLICY_SCENARIOS,
  ...COOLDOWN_SCENARIOS,
  ...CANDIDATE_SCENARIOS,
];
