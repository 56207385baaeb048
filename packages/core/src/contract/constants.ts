/**
 * Paths, limits and words of the API. They are separate from the schemas, so that the panel bundles no schema library: from the other
 * files of the contract it imports only types.
 */

/**
 * The queue of accounts that need a decision of the operator: `GET /v0/management/account-action-candidates?status=…&limit=…`,
 * `POST …/{id}/ignore`, `POST …/{id}/resolve`, `POST …/{id}/enable` and `DELETE …/{id}/auth-file`.
 */
export const ACCOUNT_ACTIONS_PATH = '/v0/management/account-action-candidates';

/** A limit above `most` is ignored. */
export const ACCOUNT_ACTIONS_LIMIT = { default: 100, most: 500 } as const;

export const CANDIDATE_STATUSES = ['pending', 'ignored', 'resolved', 'deleted'] as const;

/** Stands for the stored management key in answers, and means "unchanged" in a request. Never sent to a gateway. */
export const STORED_KEY_MASK = '********';

export const HEADER_SNAPSHOTS_PATH = '/v0/management/monitoring/header-snapshots';

export const ACCOUNT_HISTORY_PATH = '/v0/management/monitoring/account-history';
export const MAX_HISTORY_ACCOUNTS = 200;

export const ACCOUNT_WINDOW_USAGE_PATH = '/v0/management/monitoring/account-window-usage';

/** Longest alias, in Unicode code points after trimming. */
export const ALIAS_MAX_CODE_POINTS = 120;

/** `GET /usage-service/quota-cooldowns`: accounts that the manager disabled until their quota resets. */
export const QUOTA_COOLDOWNS_PATH = '/usage-service/quota-cooldowns';

export const DASHBOARD_PATH = '/v0/management/dashboard/summary';

export const INSPECTION_TARGETS = ['codex', 'xai'] as const;
export const AUTO_ACTION_MODES = ['none', 'enable', 'disable', 'delete'] as const;

/** An `InspectionConfig`. */
export const DEFAULT_INSPECTION_CONFIG = {
  enabled: false,
  schedule: { mode: 'interval', intervalMinutes: 60, timePoints: [], timeZone: '' },
  targetTypes: ['codex'],
  workers: 4,
  deleteWorkers: 4,
  timeout: 15_000,
  retries: 0,
  userAgent: 'codex_cli_rs/0.76.0 (Debian 13.0.0; x86_64) WindowsTerminal',
  xaiInferenceEnabled: false,
  xaiInferenceModel: 'grok-4.5',
  xaiInferencePrompt: 'Reply with exactly OK.',
  xaiInferenceUserAgent: 'xai-grok-workspace/0.2.101',
  usedPercentThreshold: 100,
  sampleSize: 0,
  autoActionMode: 'none',
  autoRecoverEnabled: false,
} as const;

/** What an inspection suggests for an account. */
export const INSPECTION_ACTIONS = ['keep', 'delete', 'disable', 'enable', 'reauth'] as const;

/** The suggestions that change something at the gateway. */
export const EXECUTABLE_ACTIONS = ['delete', 'disable', 'enable'] as const;
export const OUTCOME_STATUSES = ['success', 'failed', 'skipped', 'needs_review'] as const;
export const ACTION_STATUSES = ['none', 'pending', ...OUTCOME_STATUSES] as const;
export const INSPECTION_LOG_LEVELS = ['info', 'success', 'warning', 'error'] as const;

/**
 * `POST /v0/management/quota-snapshots`: quota windows that a client or the manager itself observed.
 * `POST /v0/management/quota-snapshots/query`: what is known of the windows of some accounts.
 * Unknown members are refused anywhere, so that no provider payload leaks in. `null` equals leaving a member out.
 */
export const QUOTA_SNAPSHOTS_PATH = '/v0/management/quota-snapshots';
export const QUOTA_SNAPSHOTS_QUERY_PATH = '/v0/management/quota-snapshots/query';

export const SNAPSHOT_LIMITS = {
  entries: 400,
  /** Windows and removals together, per entry and of all entries. */
  windows: 400,
  accounts: 200,
  modelIds: 200,
  aliases: 32,
  resetCredits: 100,
  observationIdBytes: 256,
  /** How far an observation may be ahead of the clock, ms. */
  aheadMs: 5 * 60 * 1000,
} as const;

/** `GET` and `PATCH /usage-service/account-processing-policy`: which automations may act on accounts. */
export const PROCESSING_POLICY_PATH = '/usage-service/account-processing-policy';

/** Events per read of the gateway's queue: an answer is held in memory, and lost when it is given up as too large. */
export const MAX_BATCH_SIZE = 5000;

/** Versions of the gateway's configuration: `GET`, `POST ?origin=seen|saved` with the text as body, `DELETE`; `GET …/{id}`. */
export const CONFIGURATION_VERSIONS_PATH = '/usage-service/gateway-configuration/versions';

/** The script of the panel that a manager serves: `?digest=` of the build. */
export const PANEL_SCRIPT_PATH = '/usage-service/panel.js';
/** The code editor of the panel, which it loads when it needs it: `?digest=` of the build. */
export const CODE_EDITOR_PATH = '/usage-service/code-editor.js';
/** Pages of the panel that need a manager and that few visits open, likewise. */
export const MANAGER_PAGES_PATH = '/usage-service/manager-pages.js';

/** What a breakdown of analytics is grouped by. */
export const BREAKDOWN_KINDS = ['client_key', 'model', 'account', 'provider'] as const;

/** `GET` and `PUT`: amounts a month, and how much of them is used. */
export const BUDGETS_PATH = '/usage-service/budgets';

/** What a budget is for: everything, one client key by its hash, one model. */
export const BUDGET_SCOPES = ['all', 'client_key', 'model'] as const;

/** Age of raw events that automatic archiving deletes, in days; the upper limit is the largest whose nanoseconds fit 63 bits. */
export const RETENTION_DAYS = { least: 1, most: 106_751 } as const;
export const RETENTION_PATH = '/v0/management/usage/maintenance/retention';

export const BUDGET_LIMITS = { budgets: 100, usd: 1_000_000_000, name: 500, timeZone: 100 } as const;

/**
 * `POST /v0/management/monitoring/export`: every request of a range and filters as a file, newest first, however many there are.
 * The answer is streamed. When something fails on the way, the last line names it, and the connection breaks: a file never ends
 * early without a sign.
 */

export const REQUEST_EXPORT_PATH = '/v0/management/monitoring/export';

/** Answer headers: requests in the file; requests whose details were deleted, which are not in it. */
export const EXPORT_ROWS_HEADER = 'X-Export-Rows';
export const EXPORT_DELETED_HEADER = 'X-Export-Deleted-Rows';

export const EXPORT_FORMATS = ['csv', 'jsonl'] as const;

export const EXPORT_TYPES = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson',
} as const satisfies Record<(typeof EXPORT_FORMATS)[number], string>;
