import { QUOTA_SNAPSHOTS_PATH, QUOTA_SNAPSHOTS_QUERY_PATH, SNAPSHOT_LIMITS } from '@manager/core/contract/constants';
import {
  quotaSnapshotsQueryResponseSchema,
  quotaSnapshotsResponseSchema,
} from '@manager/core/contract/quotas/snapshots';
import type { Scenario } from './scenario.ts';

const observedAtMs = Date.now();
const ACCOUNT = { auth_file_snapshot: 'made-up.json', auth_index: 'made-up', auth_provider_snapshot: 'codex' };
const DAY_MS = 86_400_000;
const WEEKLY = {
  provider_window_id: 'weekly',
  window_kind: 'weekly',
  window_mode: 'fixed',
  boundary_accuracy: 'exact',
  cycle_end_ms: observedAtMs + DAY_MS,
  duration_seconds: 604_800,
  used_percent: 40,
};

const observation = (changes: object = {}) => ({
  source: 'api_query',
  source_observation_id: 'one',
  observed_at_ms: observedAtMs,
  inventory_scope_key: 'codex:rate-limits',
  inventory_mode: 'complete',
  ...changes,
});
const entry = (changes: object = {}) => ({
  row_key: 'row',
  provider: 'codex',
  account: ACCOUNT,
  observation: observation(),
  windows: [WEEKLY],
  ...changes,
});
const write = (...entries: object[]) => ({
  method: 'POST',
  path: QUOTA_SNAPSHOTS_PATH,
  body: JSON.stringify({ entries }),
});
const query = (body: object) => ({
  method: 'POST',
  path: QUOTA_SNAPSHOTS_QUERY_PATH,
  body: JSON.stringify(body),
});
const asked = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ row_key: `row ${index}`, provider: 'codex', account: ACCOUNT }));
const windows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ ...WEEKLY, provider_window_id: `window-${index}` }));

const WRITE_SCENARIOS: readonly Scenario[] = [
  {
    name: 'quota snapshots',
    ...write(entry()),
    status: 200,
    has: [
      '"items":[{"row_key":"row","account_key":"usage-account-history:2:',
      '"provider":"codex","inserted_count":1}]',
    ],
    shape: quotaSnapshotsResponseSchema,
  },
  {
    name: 'the same quota snapshots again',
    ...write(entry()),
    status: 200,
    has: ['"inserted_count":0'],
    shape: quotaSnapshotsResponseSchema,
  },
  {
    name: 'a provider by its other name',
    ...write(
      entry({
        provider: ' Grok ',
        account: { auth_file_snapshot: 'made-up-xai.json' },
        observation: observation({ inventory_scope_key: 'xai:quota-windows' }),
        windows: [{ ...WEEKLY, provider_window_id: 'credits-period' }],
      }),
    ),
    status: 200,
    has: ['"provider":"xai","inserted_count":1'],
  },
  {
    name: 'an unknown member of a window',
    ...write(entry({ windows: [{ ...WEEKLY, access_token: 'x' }] })),
    status: 400,
    has: ['entries.0.windows.0', 'access_token', 'request_failed'],
  },
  {
    name: 'an unknown member of an account',
    ...write(entry({ account: { ...ACCOUNT, email: 'x' } })),
    status: 400,
    has: ['entries.0.account', 'email'],
  },
  {
    name: 'an unknown member beside the entries',
    method: 'POST',
    path: QUOTA_SNAPSHOTS_PATH,
    body: JSON.stringify({ entries: [entry()], raw: {} }),
    status: 400,
    has: ['raw'],
  },
  { name: 'quota snapshots of nothing', ...write(), status: 400, has: ['entries'] },
  {
    name: 'too many entries',
    ...write(...Array.from({ length: SNAPSHOT_LIMITS.entries + 1 }, () => entry({ windows: [] }))),
    status: 400,
    has: ['entries'],
  },
  {
    name: 'too many windows in total',
    ...write(entry({ windows: windows(200) }), entry({ windows: windows(201) })),
    status: 400,
    has: ['at most 400 windows'],
  },
  {
    name: 'a provider without quotas',
    ...write(entry({ provider: 'gemini' })),
    status: 400,
    has: ['entries.0.provider: unsupported provider'],
  },
  { name: 'quota snapshots of nobody', ...write(entry({ account: {} })), status: 400, has: ['entries.0.account'] },
  {
    name: 'an observation of the future',
    ...write(entry({ observation: observation({ observed_at_ms: observedAtMs + DAY_MS }) })),
    status: 400,
    has: ['observed_at_ms: must not be in the future'],
  },
  { name: 'a window twice', ...write(entry({ windows: [WEEKLY, WEEKLY] })), status: 400, has: ['is listed twice'] },
  {
    name: 'removals of a complete observation',
    ...write(entry({ removed_windows: [{ provider_window_id: 'monthly' }] })),
    status: 400,
    has: ['removed_windows: only with inventory_mode delta'],
  },
  {
    name: 'a percentage above 100',
    ...write(entry({ windows: [{ ...WEEKLY, used_percent: 101 }] })),
    status: 400,
    has: ['used_percent'],
  },
  {
    name: 'one bad entry refuses all of them',
    ...write(entry({ observation: observation({ source_observation_id: 'two' }) }), entry({ provider: 'none' })),
    status: 400,
    has: ['entries.1.provider'],
  },
  { name: 'quota snapshots of malformed JSON', method: 'POST', path: QUOTA_SNAPSHOTS_PATH, body: '{', status: 400 },
  {
    name: 'a body of quota snapshots above 4 MiB',
    method: 'POST',
    path: QUOTA_SNAPSHOTS_PATH,
    body: `{"entries":[{"row_key":"${'x'.repeat(5 * 1024 * 1024)}"}]}`,
    status: 413,
  },
  { name: 'quota snapshots need the key', ...write(), signedIn: false, status: 401, has: ['invalid_admin_key'] },
  { name: 'quota snapshots are not read by GET', path: QUOTA_SNAPSHOTS_PATH, status: 405, has: ['method_not_allowed'] },
  { name: 'nothing else below quota snapshots', method: 'POST', path: `${QUOTA_SNAPSHOTS_PATH}/x`, status: 405 },
];

const QUERY_SCENARIOS: readonly Scenario[] = [
  {
    name: 'what is known of quotas',
    ...query({ accounts: asked(1) }),
    status: 200,
    has: [
      '"items":[{"row_key":"row 0","account_key":"usage-account-history:2:',
      '"provider":"codex","windows":[{"provider_window_id":"weekly"',
      '"source":"api_query"',
      '"used_percent":40',
      '"stale":false',
      '"availability":"active"',
      '"remaining_percent":60',
      '"current_cycle":{"id":',
      '"state":"active"',
      '"forecast_eligible":true',
    ],
    shape: quotaSnapshotsQueryResponseSchema,
  },
  {
    name: 'what is known of quotas after their end',
    ...query({ accounts: asked(1), now_ms: observedAtMs + 2 * DAY_MS, include_inactive: true }),
    status: 200,
    has: ['"stale":true'],
    shape: quotaSnapshotsQueryResponseSchema,
  },
  {
    name: 'quotas of an account nothing is known of',
    method: 'POST',
    path: `${QUOTA_SNAPSHOTS_QUERY_PATH}/`,
    body: JSON.stringify({ accounts: [{ row_key: 'a', provider: 'kimi', account: { auth_file_snapshot: 'none' } }] }),
    status: 200,
    has: ['"provider":"kimi","windows":[]'],
    shape: quotaSnapshotsQueryResponseSchema,
  },
  { name: 'quotas of 200 accounts', ...query({ accounts: asked(SNAPSHOT_LIMITS.accounts) }), status: 200 },
  {
    name: 'quotas of 201 accounts',
    ...query({ accounts: asked(SNAPSHOT_LIMITS.accounts + 1) }),
    status: 400,
    has: ['accounts'],
  },
  { name: 'quotas of no account', ...query({ accounts: [] }), status: 400, has: ['accounts'] },
  {
    name: 'an unknown member of a quota query',
    ...query({ accounts: asked(1), surprise: 1 }),
    status: 400,
    has: ['surprise', 'request_failed'],
  },
  {
    name: 'a quota query without a row key',
    ...query({ accounts: [{ row_key: ' ', provider: 'codex', account: ACCOUNT }] }),
    status: 400,
    has: ['accounts.0.row_key: missing'],
  },
  { name: 'a quota query of malformed JSON', method: 'POST', path: QUOTA_SNAPSHOTS_QUERY_PATH, body: '{', status: 400 },
  { name: 'a quota query needs the key', ...query({}), signedIn: false, status: 401 },
  { name: 'a quota query has one method', path: QUOTA_SNAPSHOTS_QUERY_PATH, status: 405 },
];

/** The second part reads what the first one wrote. */
export const QUOTA_SNAPSHOT_SCENARIOS: readonly Scenario[] = [...WRITE_SCENARIOS, ...QUERY_SCENARIOS];
