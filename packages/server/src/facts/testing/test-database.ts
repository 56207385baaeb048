import type { Database } from 'bun:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { UsageEvent } from '@manager/core/usage/event';
import { analyticsModel } from '@manager/core/usage/models';
import { isImplausibleTime } from '@manager/core/usage/timestamp';
import { createDetailEncoder } from '../../events/detail/detail-codec.ts';
import { createWordTable } from '../../events/detail/words.ts';
import { HeaderSnapshots } from '../../events/ingest/header-snapshots.ts';
import { MIGRATIONS } from '../../schema/migrations.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { FACT_COLUMNS, type FactColumn, FactFlag } from '../columns.ts';
import { taskKey, taskKeyHash } from '../task-key.ts';

/** A database file in a separate folder, for tests. */
export interface TestDatabase {
  readonly path: string;
  readonly db: Database;
  /** Writes events as ingest does: raw row, ledger, symbols, tail and newest headers. */
  insert(events: readonly StoredEvent[]): void;
  dispose(): void;
}

export interface StoredEvent extends UsageEvent {
  readonly id: number;
}

export function createTestDatabase(): TestDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'facts-test-'));
  const path = join(folder, 'usage.db');
  const db = openDatabase(path);
  for (const migration of MIGRATIONS) db.run(migration.sql);
  const encoder = createDetailEncoder(createWordTable(db));
  const columns = Object.keys(FACT_COLUMNS) as FactColumn[];
  const raw = db.query('INSERT INTO usage_events (id, timestamp_ms, detail) VALUES (?, ?, ?)');
  const ledger = db.query(
    'INSERT INTO usage_event_identity_ledger (event_hash, event_id, timestamp_ms) VALUES (?, ?, ?)',
  );
  const tail = db.query(
    `INSERT INTO facts_tail (event_id, ${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length)})`,
  );
  const symbols = new Map([['', 0]]);

  function symbolOf(text: string): number {
    const known = symbols.get(text);
    if (known !== undefined) return known;
    db.query('INSERT INTO symbols (id, text) VALUES (?, ?)').run(symbols.size, text);
    symbols.set(text, symbols.size);
    return symbols.size - 1;
  }

  function insertOne(event: StoredEvent): void {
    const hash = /^[0-9a-f]{64}$/.test(event.event_hash) ? Buffer.from(event.event_hash, 'hex') : event.event_hash;
    raw.run(event.id, event.timestamp_ms, encoder.encode(event));
    ledger.run(hash, event.id, event.timestamp_ms);
    const values = columns.map((column) => {
      if (column === 'event_hash') return hash;
      return FACT_COLUMNS[column] === 'symbol' ? symbolOf(String(factValue(event, column))) : factValue(event, column);
    });
    tail.run(event.id, ...values);
  }

  return {
    path,
    db,
    insert: (events) =>
      db
        .transaction(() => {
          const headers = new HeaderSnapshots();
          for (const event of events) {
            insertOne(event);
            headers.add(event, event.id, event.created_at_ms);
          }
          headers.writeTo(db);
        })
        .immediate(),
    dispose: () => {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function taskHash(event: StoredEvent) {
  return taskKeyHash(taskKey(event.timestamp, event.source_hash, event.auth_index));
}

function factValue(event: StoredEvent, column: FactColumn): string | number {
  const explained = Math.max(event.cache_read_tokens, 0) + Math.max(event.cache_creation_tokens, 0);
  switch (column) {
    case 'analytics_model':
      return analyticsModel(event);
    case 'input_tokens':
      return event.normalized_total_input_tokens;
    case 'uncached_input_tokens':
      return event.normalized_uncached_input_tokens;
    case 'cached_tokens':
      return Math.max(Math.max(event.cached_tokens, event.cache_tokens) - explained, 0);
    case 'latency_ms':
    case 'ttft_ms':
    case 'fail_status_code':
      return (event[column] ?? -1) + 1;
    case 'flags':
      return (
        (event.failed ? FactFlag.failed : 0) +
        (explained + event.cached_tokens + event.cache_tokens > 0 ? FactFlag.cacheHit : 0) +
        (event.token_quality === 'inconsistent' ? FactFlag.inconsistent : 0) +
        (event.token_quality === 'unclassified' ? FactFlag.unclassified : 0) +
        (isImplausibleTime(event.timestamp_ms, event.created_at_ms) ? FactFlag.implausibleTime : 0)
      );
    case 'task_key_high':
      return taskHash(event).high;
    case 'task_key_low':
      return taskHash(event).low;
    default:
      return event[column];
  }
}

const FIRST_MS = 1_773_100_800_000;

/** An event with only the given members set. */
export function testEvent(id: number, members: Partial<UsageEvent> = {}): StoredEvent {
  const input = members.input_tokens ?? 0;
  return {
    request_id: '',
    event_hash: `hash-${id}`,
    timestamp_ms: FIRST_MS + id,
    timestamp: '',
    provider: '',
    executor_type: '',
    model: '-',
    requested_model: '',
    resolved_model: '',
    endpoint: '-',
    method: '',
    path: '',
    client_ip: '',
    x_forwarded_for: '',
    user_agent: '',
    auth_type: '',
    auth_index: '',
    source: '',
    source_hash: '',
    api_key_hash: '',
    account_snapshot: '',
    auth_label_snapshot: '',
    auth_file_snapshot: '',
    auth_provider_snapshot: '',
    auth_project_id_snapshot: '',
    auth_snapshot_at_ms: null,
    reasoning_effort: '',
    service_tier: '',
    request_service_tier: '',
    response_service_tier: '',
    cache_input_mode: 'included_in_input',
    input_tokens: input,
    output_tokens: 0,
    reasoning_tokens: 0,
    cached_tokens: 0,
    cache_tokens: 0,
    cache_read_tokens: 0,
    cache_creation_tokens: 0,
    cache_write_1h_tokens: 0,
    total_tokens: 0,
    normalized_uncached_input_tokens: input,
    normalized_total_input_tokens: input,
    normalized_cache_read_tokens: 0,
    normalized_cache_creation_tokens: 0,
    billable_output_tokens: members.output_tokens ?? 0,
    unclassified_tokens: 0,
    token_quality: '',
    latency_ms: null,
    ttft_ms: null,
    failed: false,
    fail_status_code: null,
    fail_summary: '',
    fail_body: '',
    response_metadata_json: '',
    header_quota_recover_at_ms: null,
    header_quota_used_percent: null,
    header_quota_plan_type: '',
    header_error_kind: '',
    header_error_code: '',
    header_trace_id: '',
    raw_json: '{}',
    created_at_ms: members.timestamp_ms ?? FIRST_MS + id,
    ...members,
    id,
  };
}
