import { PLAIN_TABLE } from '../dataset/plain-table.ts';

/** A view of the panel as a person asks it in SQL, without the pages of its other filters. */
export interface PlainQuestion {
  /** As in `panelViews`. */
  readonly view: string;
  /** As in `filterKinds`. */
  readonly filter: string;
  readonly statements: readonly string[];
}

export interface PlainRange {
  readonly fromMs: number;
  readonly toMs: number;
  readonly todayMs: number;
  /** Of the panel's zone, ms east of UTC. */
  readonly offsetMs: number;
  /** Values of the filters, as SQL texts in quotes. */
  readonly account: string;
  readonly model: string;
  readonly files: readonly string[];
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Requests with more input than this have a price of their own in some models. */
const LONG_TOKENS = 60_000;

const SUMS = `count(*), sum(failed), sum(input_tokens), sum(uncached_input_tokens), sum(cached_tokens), sum(cache_read_tokens),
  sum(cache_creation_tokens), sum(output_tokens), sum(billable_output_tokens), sum(reasoning_tokens), sum(total_tokens),
  sum(latency_ms), sum(latency_ms > 0), max(timestamp_ms)`;
/** Costs are computed from the sums of these groups. */
const PRICED = `analytics_model, resolved_model, service_tier, input_tokens > ${LONG_TOKENS}`;
const PERCENTILES = 'percentile_disc(nullif(latency_ms, 0), 0.95), percentile_disc(nullif(ttft_ms, 0), 0.95)';
const SEARCHED = [
  ...[
    'request_id',
    'event_hash',
    'model',
    'requested_model',
    'analytics_model',
    'resolved_model',
    'endpoint',
    'method',
  ],
  ...['path', 'client_ip', 'x_forwarded_for', 'user_agent', 'source', 'source_hash', 'api_key_hash', 'auth_index'],
  ...['account_snapshot', 'auth_label_snapshot', 'auth_file_snapshot', 'auth_provider_snapshot'],
  ...['auth_project_id_snapshot', 'reasoning_effort', 'service_tier', 'executor_type', 'fail_summary'],
  ...['header_quota_plan_type', 'header_error_kind', 'header_error_code', 'header_trace_id'],
];

export function plainQuestions(range: PlainRange): readonly PlainQuestion[] {
  const { fromMs, toMs, todayMs, offsetMs, files } = range;
  const rows = (where = '', from = fromMs, to = toMs) =>
    `FROM ${PLAIN_TABLE} WHERE timestamp_ms >= ${from} AND timestamp_ms < ${to} ${where}`;
  const grouped = (by: string, where?: string, from?: number) =>
    `SELECT ${by}, ${SUMS} ${rows(where, from)} GROUP BY ${by}`;
  const local = (ms: number) => `(timestamp_ms + ${offsetMs}) / ${ms}`;

  const totals = (where?: string) => [grouped(PRICED, where), `SELECT ${PERCENTILES} ${rows(where)}`];
  const comparison = (where?: string) =>
    `SELECT ${PRICED}, ${SUMS} ${rows(where, 2 * fromMs - toMs, fromMs)} GROUP BY ${PRICED}`;
  const timeline = (where?: string) => [
    grouped(`${local(DAY_MS)}, ${PRICED}`, where),
    `SELECT ${local(DAY_MS)}, ${PERCENTILES} ${rows(where)} GROUP BY 1`,
  ];
  const extended = (where?: string) => [
    ...totals(where),
    `SELECT count(DISTINCT ${local(DAY_MS)}), count(DISTINCT timestamp_ms || source_hash || auth_index) ${rows(where)}`,
    grouped(PRICED, where, toMs - HOUR_MS / 2),
    comparison(where),
  ];
  const page = (where?: string) => [
    `SELECT * ${rows(where)} ORDER BY timestamp_ms DESC, id DESC LIMIT 501`,
    `SELECT count(*) ${rows(where)}`,
  ];
  const account = 'auth_provider_snapshot, account_snapshot';
  const accounts = `SELECT ${account}, ${PRICED}, group_concat(DISTINCT auth_index), ${SUMS} ${rows()} GROUP BY ${account}, ${PRICED}`;
  const keys = [
    grouped(`api_key_hash, ${PRICED}`),
    grouped(`api_key_hash, ${account}, auth_index, source_hash, ${PRICED}`),
  ];
  const channels = grouped(`auth_index, ${PRICED}`);
  const failures = [
    `SELECT source_hash, auth_index, ${SUMS} ${rows()} GROUP BY 1, 2 HAVING sum(failed) > 0`,
    `SELECT * ${rows('AND failed = 1')} ORDER BY timestamp_ms DESC, id DESC LIMIT 50`,
  ];
  const distinct = (columns: readonly string[]) => columns.map((column) => `SELECT DISTINCT ${column} ${rows()}`);
  const selectors = ['analytics_model', 'api_key_hash', 'auth_provider_snapshot', 'auth_file_snapshot'];
  const cell = `${local(DAY_MS)} % 7, ${local(HOUR_MS)} % 24`;
  const overview = (where?: string) => [
    ...extended(where),
    ...timeline(where),
    grouped(`auth_index, ${PRICED}`, where),
    grouped(`api_key_hash, ${PRICED}`, where),
    grouped(`api_key_hash, ${account}, auth_index, source_hash, ${PRICED}`, where),
  ];
  const oneAccount = `AND account_snapshot = ${range.account}`;
  const oneModel = `AND analytics_model = ${range.model}`;
  const nothing = `AND (${SEARCHED.map((column) => `${column} LIKE '%no text of any request%'`).join(' OR ')})`;
  const today = (by: string) => `SELECT ${by}, ${SUMS} ${rows('', todayMs)} GROUP BY ${by}`;

  return [
    {
      view: 'dashboard',
      filter: 'none',
      statements: [
        ...[PRICED, local(HOUR_MS), local(HOUR_MS / 6), `auth_index, ${PRICED}`, 'source_hash, auth_index'].map(today),
        `SELECT * ${rows('AND failed = 1', todayMs)} ORDER BY timestamp_ms DESC LIMIT 5`,
      ],
    },
    { view: 'monitoring, realtime', filter: 'none', statements: [...totals(), ...page()] },
    { view: 'monitoring, realtime', filter: 'model', statements: [...totals(oneModel), ...page(oneModel)] },
    { view: 'monitoring, realtime', filter: 'account', statements: [...totals(oneAccount), ...page(oneAccount)] },
    { view: 'monitoring, realtime', filter: 'search, nothing', statements: [...totals(nothing), ...page(nothing)] },
    { view: 'monitoring, accounts', filter: 'none', statements: [...totals(), accounts] },
    { view: 'monitoring, keys', filter: 'none', statements: [...totals(), ...keys] },
    { view: 'monitoring, models', filter: 'none', statements: totals() },
    { view: 'monitoring, failures', filter: 'none', statements: [...totals(), ...failures] },
    {
      view: 'monitoring, selectors',
      filter: 'none',
      statements: [...distinct(selectors), ...distinct([`${account}, auth_index`])],
    },
    {
      view: 'monitoring, all options',
      filter: 'none',
      statements: [
        ...[accounts, ...keys, channels, grouped(PRICED)],
        ...distinct(['auth_provider_snapshot', 'auth_file_snapshot', 'auth_project_id_snapshot', 'executor_type']),
        ...distinct(['header_error_kind', 'header_error_code', 'header_quota_plan_type']),
        `SELECT header_trace_id ${rows("AND header_trace_id <> ''")} ORDER BY timestamp_ms DESC LIMIT 500`,
      ],
    },
    { view: 'analytics, overview', filter: 'none', statements: overview() },
    { view: 'analytics, overview', filter: 'account', statements: overview(oneAccount) },
    { view: 'analytics, trends', filter: 'none', statements: [...extended(), ...timeline()] },
    {
      view: 'analytics, credentials',
      filter: 'none',
      statements: [grouped(`auth_file_snapshot, auth_index, ${PRICED}`)],
    },
    {
      view: 'analytics, heat map',
      filter: 'none',
      statements: ['resolved_model', 'api_key_hash', 'auth_provider_snapshot'].map((by) =>
        grouped(`${cell}, ${by}, ${PRICED}`),
      ),
    },
    {
      view: 'accounts page',
      filter: 'none',
      statements: [
        `SELECT auth_file_snapshot, auth_index, ${PRICED}, ${SUMS} FROM ${PLAIN_TABLE}
         WHERE auth_file_snapshot IN (${files.join(', ')}) GROUP BY 1, 2, ${PRICED}`,
        ...[7 * DAY_MS, 5 * HOUR_MS].map(
          (ms) =>
            `SELECT auth_file_snapshot, auth_index, ${PRICED}, ${SUMS} ${rows('', toMs - ms)} GROUP BY 1, 2, ${PRICED}`,
        ),
      ],
    },
  ];
}
