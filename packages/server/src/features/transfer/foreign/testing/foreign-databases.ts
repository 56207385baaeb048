import { Database } from 'bun:sqlite';

/** Databases of other managers, made from the lists of their columns. Synthetic. */

export type Cells = Readonly<Record<string, unknown>>;

const TYPES_A: Readonly<Record<string, string>> = {
  id: 'INTEGER PRIMARY KEY AUTOINCREMENT',
  event_hash: 'TEXT NOT NULL UNIQUE',
  timestamp_ms: 'INTEGER NOT NULL',
  timestamp: 'TEXT NOT NULL',
  model: 'TEXT NOT NULL',
  raw_json: 'TEXT',
};

const OPTIONAL_A = [
  'request_id',
  'provider',
  'executor_type',
  'requested_model',
  'resolved_model',
  'endpoint',
  'method',
  'path',
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'auth_type',
  'auth_index',
  'source',
  'source_hash',
  'api_key_hash',
  'reasoning_effort',
  'service_tier',
  'request_service_tier',
  'response_service_tier',
  'cache_input_mode',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_file_snapshot',
  'auth_provider_snapshot',
  'auth_project_id_snapshot',
  'auth_snapshot_at_ms',
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cache_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'total_tokens',
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
  'latency_ms',
  'ttft_ms',
  'failed',
  'fail_status_code',
  'fail_summary',
  'fail_body',
  'response_metadata_json',
  'header_quota_recover_at_ms',
  'header_quota_used_percent',
  'header_quota_plan_type',
  'header_error_kind',
  'header_error_code',
  'header_trace_id',
  'created_at_ms',
] as const;

const COLUMNS_B = [
  'event_key',
  'api_group_key',
  'request_id',
  'provider',
  'endpoint',
  'auth_type',
  'auth_index',
  'client_ip',
  'x_forwarded_for',
  'user_agent',
  'reasoning_effort',
  'service_tier',
  'response_service_tier',
  'executor_type',
  'source',
  'generate',
  'model',
  'model_alias',
  'timestamp',
  'input_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'total_tokens',
  'latency_ms',
  'ttft_ms',
  'failed',
] as const;

export interface MakeOptions {
  /** Columns that this older version does not have. */
  readonly without?: readonly string[];
  /** Columns that a later version added. */
  readonly more?: readonly string[];
  /** Default: a write-ahead log. */
  readonly journal?: 'WAL' | 'DELETE';
}

export interface ForeignDatabase {
  readonly db: Database;
  insert(table: string, rows: readonly Cells[]): void;
  close(): void;
}

export function makeFormatA(path: string, options: MakeOptions = {}): ForeignDatabase {
  const without = new Set(options.without);
  const columns = [
    ...Object.entries(TYPES_A).map(([name, type]) => `${name} ${type}`),
    ...[...OPTIONAL_A, ...(options.more ?? [])].filter((name) => !without.has(name)),
  ];
  return create(path, options, [
    `CREATE TABLE usage_events (${columns.join(', ')})`,
    `CREATE TABLE model_prices (
       model TEXT PRIMARY KEY, prompt_per_1m REAL, completion_per_1m REAL, cache_per_1m REAL, cache_read_per_1m REAL,
       cache_creation_per_1m REAL, prompt_configured INTEGER, completion_configured INTEGER,
       cache_read_configured INTEGER, cache_creation_configured INTEGER, source TEXT, source_model_id TEXT,
       updated_at_ms INTEGER, synced_at_ms INTEGER)`,
    `CREATE TABLE model_price_context_tiers (
       model TEXT, threshold_tokens INTEGER, prompt_per_1m REAL, completion_per_1m REAL, cache_per_1m REAL,
       cache_read_per_1m REAL, cache_creation_per_1m REAL)`,
    'CREATE TABLE api_key_aliases (api_key_hash TEXT PRIMARY KEY, alias TEXT, updated_at_ms INTEGER)',
    'CREATE TABLE dead_letter_events (id INTEGER PRIMARY KEY, payload TEXT, error TEXT, created_at_ms INTEGER)',
    `CREATE TABLE usage_event_identity_ledger (
       event_hash TEXT PRIMARY KEY, raw_event_id INTEGER UNIQUE, timestamp_ms INTEGER, bucket_ms INTEGER)`,
    'CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT)',
  ]);
}

export function makeFormatB(path: string, options: MakeOptions = {}): ForeignDatabase {
  const without = new Set(options.without);
  const columns = [...COLUMNS_B, ...(options.more ?? [])].filter((name) => !without.has(name)).join(', ');
  return create(path, options, [
    `CREATE TABLE usage_events (id INTEGER PRIMARY KEY, ${columns})`,
    `CREATE TABLE usage_events_archive (id INTEGER PRIMARY KEY, ${columns})`,
    `CREATE TABLE model_price_settings (
       id INTEGER PRIMARY KEY, model TEXT, pricing_style TEXT, prompt_price_per1_m REAL, completion_price_per1_m REAL,
       cache_read_price_per1_m REAL, cache_creation_price_per1_m REAL, price_multiplier REAL)`,
  ]);
}

function create(path: string, { journal = 'WAL' }: MakeOptions, statements: readonly string[]): ForeignDatabase {
  const db = new Database(path, { create: true, strict: true });
  db.run(`PRAGMA journal_mode = ${journal}`);
  for (const sql of statements) db.run(sql);
  return {
    db,
    insert(table, rows) {
      db.transaction(() => {
        for (const row of rows) {
          const names = Object.keys(row);
          const values = Object.values(row) as (string | number | null | Uint8Array)[];
          db.query(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
            ...values,
          );
        }
      })();
    },
    close: () => db.close(),
  };
}
