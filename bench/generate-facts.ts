import type { Database } from 'bun:sqlite';
import { readRecord } from '@manager/core/usage/record';
import { createDetailEncoder } from '../packages/server/src/events/detail/detail-codec.ts';
import { createWordTable } from '../packages/server/src/events/detail/words.ts';
import { sampleRecords } from '../packages/server/src/events/testing/sample-records.ts';
import { FACT_COLUMNS, type FactColumn, FactFlag, SEGMENT_ROWS } from '../packages/server/src/facts/columns.ts';
import { writeSegment } from '../packages/server/src/facts/seal.ts';
import type { FactRows } from '../packages/server/src/facts/segment/encode.ts';
import { sha256Hex } from '../packages/server/src/platform/sha256.ts';
import { openMigrated } from '../packages/server/src/schema/open-migrated.ts';

/**
 * Fills a database with facts in seconds, for measurements of the analytics: sealed segments made column by column, raw
 * rows that share a pool of details. Identities of single events are in the ledger only now and then.
 */
export interface FactShape {
  readonly events: number;
  readonly days: number;
  readonly accounts: number;
  readonly models: number;
  readonly keys: number;
  readonly seed: number;
  /** End of the generated time. */
  readonly endMs: number;
}

export const DEFAULT_SHAPE: FactShape = {
  events: 3_200_000,
  days: 60,
  accounts: 500,
  models: 50,
  keys: 50,
  seed: 1,
  endMs: Date.UTC(2026, 8, 1),
};

const DAY_MS = 86_400_000;
const LEDGER_EVERY = 1_000;
const RAW_POOL = 500;
const PROVIDERS = ['codex', 'claude', 'gemini', 'openai-compatible-northwind'];
const EXECUTORS = ['CodexExecutor', 'ClaudeExecutor', 'GeminiExecutor', 'OpenAICompatExecutor'];
const PATHS = ['/v1/responses', '/v1/messages', '/v1beta/models', '/v1/chat/completions'];
const EFFORTS = ['', '', 'low', 'medium', 'high'];

export function generateFacts(path: string, shape: FactShape = DEFAULT_SHAPE): void {
  const db = openMigrated(path, { now: Date.now });
  db.run('PRAGMA synchronous = OFF');
  const random = mulberry32(shape.seed);
  const symbolOf = createSymbols(db);
  const chunk = createChunkMaker(shape, random, symbolOf);
  for (let first = 1; first <= shape.events; first += SEGMENT_ROWS) {
    const rows = chunk(first, Math.min(SEGMENT_ROWS, shape.events - first + 1));
    db.transaction(() => {
      if (rows.eventIds.length === SEGMENT_ROWS) writeSegment(db, rows);
      else writeTail(db, rows);
      writeRaw(db, rows, shape.seed);
    })();
  }
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

type SymbolOf = (text: string) => number;

function createSymbols(db: Database): SymbolOf {
  const ids = new Map<string, number>([['', 0]]);
  const insert = db.query('INSERT INTO symbols (id, text) VALUES (?, ?)');
  return (text) => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    const id = ids.size;
    insert.run(id, text);
    ids.set(text, id);
    return id;
  };
}

/** Values of one event as they go into columns; the rest is 0 or ''. */
type Values = Partial<Record<FactColumn, number | string | Uint8Array>>;

function createChunkMaker(shape: FactShape, random: () => number, symbolOf: SymbolOf) {
  const stepMs = (shape.days * DAY_MS) / shape.events;
  const startMs = shape.endMs - shape.days * DAY_MS;
  const below = (limit: number) => Math.floor(random() * limit);
  const skewed = (limit: number) => Math.floor(limit * random() ** 3);
  const digest = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex');
  const range = (count: number, text: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => symbolOf(text(index)));
  const hex = () => below(0x1_0000_0000).toString(16).padStart(8, '0');

  const providers = PROVIDERS.map(symbolOf);
  const executors = EXECUTORS.map(symbolOf);
  const endpoints = PATHS.map((path) => symbolOf(`POST ${path}`));
  const paths = PATHS.map(symbolOf);
  const efforts = EFFORTS.map(symbolOf);
  const models = range(shape.models, (index) => `model-${index}`);
  const modelsWithEffort = EFFORTS.map((effort) =>
    range(shape.models, (index) => (effort === '' ? `model-${index}` : `model-${index}(${effort})`)),
  );
  const accounts = range(shape.accounts, (index) => `account-${index}@example.test`);
  const labels = range(shape.accounts, (index) => `Account ${index}`);
  const files = range(shape.accounts, (index) => `${PROVIDERS[index % 4]}-account-${index}.json`);
  const indices = range(shape.accounts, (index) => digest(`index ${index}`).slice(0, 16));
  const sources = range(shape.accounts, (index) => digest(`source ${index}`));
  const keys = range(shape.keys, (index) => digest(`key ${index}`));
  const addresses = range(200, (index) => `203.0.113.${index}`);
  const agents = range(6, (index) => `sim-client/${index}.0 (Linux)`);
  const post = symbolOf('POST');
  const tiers = [symbolOf('default'), symbolOf('priority')];
  const plans = [symbolOf('plus'), symbolOf('pro')];
  const limited = [symbolOf('rate_limit'), symbolOf('rate_limit_exceeded')];

  return (firstId: number, count: number): FactRows => {
    const columns = emptyRows(firstId, count);
    for (let row = 0; row < count; row++) {
      const account = skewed(shape.accounts);
      const family = account % 4;
      const model = skewed(shape.models);
      const effort = below(EFFORTS.length);
      const failed = random() < 0.03;
      const read = failed || random() < 0.3 ? 0 : below(120_000);
      const creation = family === 1 && random() < 0.2 ? below(6_000) : 0;
      const fresh = failed ? 0 : 50 + skewed(20_000);
      const output = failed ? 0 : 20 + skewed(6_000);
      const latency = 300 + skewed(60_000);
      put(columns, row, {
        timestamp_ms: Math.floor(startMs + (firstId - 1 + row + random()) * stepMs),
        provider: providers[family] ?? 0,
        auth_provider_snapshot: providers[family] ?? 0,
        executor_type: executors[family] ?? 0,
        model: modelsWithEffort[effort]?.[model] ?? 0,
        requested_model: modelsWithEffort[effort]?.[model] ?? 0,
        resolved_model: models[model] ?? 0,
        analytics_model: models[model] ?? 0,
        endpoint: endpoints[family] ?? 0,
        method: post,
        path: paths[family] ?? 0,
        auth_index: indices[account] ?? 0,
        source: accounts[account] ?? 0,
        source_hash: sources[account] ?? 0,
        api_key_hash: keys[skewed(shape.keys)] ?? 0,
        account_snapshot: accounts[account] ?? 0,
        auth_label_snapshot: labels[account] ?? 0,
        auth_file_snapshot: files[account] ?? 0,
        reasoning_effort: efforts[effort] ?? 0,
        service_tier: tiers[random() < 0.05 ? 1 : 0] ?? 0,
        client_ip: addresses[skewed(200)] ?? 0,
        user_agent: agents[skewed(6)] ?? 0,
        header_quota_plan_type: family === 0 ? (plans[account % 2] ?? 0) : 0,
        header_error_kind: failed ? (limited[0] ?? 0) : 0,
        header_error_code: failed ? (limited[1] ?? 0) : 0,
        input_tokens: fresh + read + creation,
        uncached_input_tokens: fresh,
        cache_read_tokens: read,
        cache_creation_tokens: creation,
        output_tokens: output,
        billable_output_tokens: output,
        reasoning_tokens: effort < 2 ? 0 : below(output + 1),
        total_tokens: fresh + read + creation + output,
        latency_ms: latency + 1,
        ttft_ms: Math.min(latency, 100 + skewed(4_000)) + 1,
        fail_status_code: failed ? 430 : 0,
        flags: (failed ? FactFlag.failed : 0) | (read + creation > 0 ? FactFlag.cacheHit : 0),
        task_key_high: below(0x1_0000_0000),
        task_key_low: below(0x1_0000_0000),
        event_hash: crypto.getRandomValues(new Uint8Array(32)),
        request_id: hex(),
        header_trace_id: family < 2 ? `req_${hex()}${hex()}${hex()}${hex()}` : '',
        fail_summary: failed ? `sim: limit reached for ${hex()}` : '',
      });
    }
    return columns;
  };
}

type MutableRows = Pick<FactRows, 'eventIds' | 'numbers'> & {
  readonly texts: ReadonlyMap<FactColumn, string[]>;
  readonly hashes: ReadonlyMap<FactColumn, Uint8Array[]>;
};

function emptyRows(firstId: number, count: number): MutableRows {
  const entries = Object.entries(FACT_COLUMNS) as [FactColumn, string][];
  const of = <Value>(kinds: readonly string[], value: () => Value) =>
    new Map(entries.filter(([, kind]) => kinds.includes(kind)).map(([name]): [FactColumn, Value] => [name, value()]));
  return {
    eventIds: Float64Array.from({ length: count }, (_, row) => firstId + row),
    numbers: of(['symbol', 'count', 'optional', 'time', 'hash32'], () => new Float64Array(count)),
    texts: of(['text'], () => new Array<string>(count).fill('')),
    hashes: of(['bytes'], () => new Array<Uint8Array>(count).fill(new Uint8Array(32))),
  };
}

function put(columns: MutableRows, row: number, values: Values): void {
  for (const [name, value] of Object.entries(values) as [FactColumn, number | string | Uint8Array][]) {
    if (typeof value === 'number') {
      const numbers = columns.numbers.get(name);
      if (numbers !== undefined) numbers[row] = value;
    } else if (typeof value === 'string') {
      const texts = columns.texts.get(name);
      if (texts !== undefined) texts[row] = value;
    } else {
      const hashes = columns.hashes.get(name);
      if (hashes !== undefined) hashes[row] = value;
    }
  }
}

function writeTail(db: Database, rows: FactRows): void {
  const names = Object.keys(FACT_COLUMNS) as FactColumn[];
  const insert = db.query(
    `INSERT INTO facts_tail (event_id, ${names.join(', ')}) VALUES (?${', ?'.repeat(names.length)})`,
  );
  for (const [row, id] of rows.eventIds.entries()) {
    const values = names.map(
      (name) => rows.numbers.get(name)?.[row] ?? rows.texts.get(name)?.[row] ?? rows.hashes.get(name)?.[row] ?? 0,
    );
    insert.run(id, ...values);
  }
}

/** Raw rows with details from a pool: what a page reads is as large as a real one. */
function writeRaw(db: Database, rows: FactRows, seed: number): void {
  const encoder = createDetailEncoder(createWordTable(db));
  const next = sampleRecords({ seed });
  const pool: Uint8Array[] = [];
  while (pool.length < RAW_POOL) {
    const outcome = readRecord(next(), { nowMs: Date.UTC(2026, 8, 1), sha256Hex });
    if (outcome.kind === 'event') pool.push(encoder.encode(outcome.event));
  }
  const raw = db.query('INSERT INTO usage_events (id, timestamp_ms, detail) VALUES (?, ?, ?)');
  const ledger = db.query(
    'INSERT INTO usage_event_identity_ledger (event_hash, event_id, timestamp_ms) VALUES (?, ?, ?)',
  );
  const times = rows.numbers.get('timestamp_ms');
  const hashes = rows.hashes.get('event_hash');
  for (const [row, id] of rows.eventIds.entries()) {
    const time = times?.[row] ?? 0;
    raw.run(id, time, pool[row % RAW_POOL] ?? new Uint8Array(0));
    if (id % LEDGER_EVERY === 0) ledger.run(hashes?.[row] ?? '', id, time);
  }
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

if (import.meta.main) {
  const [path, events] = process.argv.slice(2);
  if (path === undefined) throw new Error('usage: bun bench/generate-facts.ts <database> [events]');
  generateFacts(path, { ...DEFAULT_SHAPE, ...(events === undefined ? {} : { events: Number(events) }) });
}
