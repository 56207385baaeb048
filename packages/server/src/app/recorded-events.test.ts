import { afterEach, describe, expect, test } from 'bun:test';
import type { JsonObject } from '@manager/core/json/json';
import { until } from '@manager/core/testing/until';
import type { UsageEvent } from '@manager/core/usage/event';
import { exportLine } from '@manager/core/usage/export-line';
import { readRecord } from '@manager/core/usage/record';
import { type Simulator, startSimulator } from '@manager/simulator';
import { type ProviderTokens, RECORDED_EVENTS, type RecordedEvent } from '@manager/simulator/testing/recorded-events';
import { eventDecoder } from '../events/detail/event-decoder.ts';
import { checkInvariants } from '../events/invariants/invariants.ts';
import {
  type CollectorProcess,
  type Files,
  startProcess,
  storedDeadLetters,
  storedGaps,
  temporaryFiles,
} from '../features/collector/testing.ts';
import { importRigs, RESULT } from '../features/transfer/import/testing.ts';
import type { CollectorMode } from '../platform/config/config.ts';
import { sha256Hex } from '../platform/sha256.ts';
import { openDatabase } from '../sqlite/open.ts';

const startImport = importRigs();
const COUNT = 93;
const NOTHING: ProviderTokens = {
  uncached: 0,
  read: 0,
  write: 0,
  nonReasoning: 0,
  reasoning: 0,
  input: 0,
  output: 0,
  total: 0,
};
/** As a file that an operator imports. */
const RAW_LINES = RECORDED_EVENTS.map(({ event }) => `${JSON.stringify(event)}\n`).join('');
const NAMES = Object.keys(NOTHING) as (keyof ProviderTokens)[];

let simulator: Simulator | null = null;
let files: Files | null = null;
let running: CollectorProcess | null = null;

afterEach(async () => {
  await running?.end();
  await simulator?.stop();
  files?.remove();
  running = null;
  simulator = null;
  files = null;
});

/** What is true of an event: where no answer of a provider stands behind it, nothing was used. */
function truthOf({ provider }: RecordedEvent): ProviderTokens {
  return provider?.tokens ?? NOTHING;
}

function tokensOf(event: UsageEvent): ProviderTokens {
  return {
    uncached: event.normalized_uncached_input_tokens,
    read: event.normalized_cache_read_tokens,
    write: event.normalized_cache_creation_tokens,
    nonReasoning: event.billable_output_tokens - event.reasoning_tokens,
    reasoning: event.reasoning_tokens,
    input: event.normalized_total_input_tokens,
    output: event.billable_output_tokens,
    total: event.total_tokens,
  };
}

function sumOf(tokens: readonly ProviderTokens[]): ProviderTokens {
  return Object.fromEntries(
    NAMES.map((name) => [name, tokens.reduce((sum, one) => sum + one[name], 0)]),
  ) as unknown as ProviderTokens;
}

/** The rows of a list of events, in an order of their own: transports may mix it. */
function rowsOf(events: readonly UsageEvent[]): unknown[] {
  return events
    .map((event) => ({
      at: event.timestamp,
      request: event.request_id,
      model: event.resolved_model,
      alias: event.requested_model,
      failed: event.failed,
      status: event.fail_status_code,
      tokens: tokensOf(event),
    }))
    .sort((left, right) => (left.at < right.at ? -1 : 1));
}

/** The rows that the recording says are right. */
function recordedRows(): unknown[] {
  return RECORDED_EVENTS.map((recorded) => {
    const { event } = recorded;
    const fail = event.fail as { readonly status_code: number };
    return {
      at: event.timestamp,
      request: event.request_id,
      model: event.model,
      alias: event.alias,
      failed: event.failed,
      status: event.failed === true ? fail.status_code : null,
      tokens: truthOf(recorded),
    };
  }).sort((left, right) => (String(left.at) < String(right.at) ? -1 : 1));
}

function reading<T>(path: string, read: (db: ReturnType<typeof openDatabase>) => T): T {
  const db = openDatabase(path, { readonly: true });
  try {
    return read(db);
  } finally {
    db.close();
  }
}

function storedEvents(path: string): UsageEvent[] {
  return reading(path, (db) => {
    const decode = eventDecoder(db);
    const rows = db.query<{ detail: Uint8Array }, []>('SELECT detail FROM usage_events ORDER BY id').all();
    return rows.map((row) => decode(row.detail));
  });
}

/** The sums that pages show, from the rows of the events and from the hours. */
function storedSums(path: string): unknown[] {
  const columns = `sum(input_tokens) AS input, sum(uncached_input_tokens) AS uncached, sum(cache_read_tokens) AS read,
    sum(cache_creation_tokens) AS write, sum(billable_output_tokens) AS output, sum(reasoning_tokens) AS reasoning,
    sum(total_tokens) AS total`;
  return reading(path, (db) => [
    db.query(`SELECT count(*) AS calls, ${columns} FROM facts_tail`).get(),
    db.query(`SELECT sum(calls) AS calls, ${columns} FROM hourly_core`).get(),
    db.query('SELECT sum(calls) AS failed FROM hourly_core WHERE failed = 1').get(),
  ]);
}

async function collected(mode: CollectorMode): Promise<Files> {
  const gateway = await startSimulator();
  simulator = gateway;
  const own = temporaryFiles();
  files = own;
  const process = await startProcess({
    files: own,
    connection: { baseUrl: gateway.url, managementKey: 'sim-management-key' },
    mode,
  });
  running = process;
  await process.start();
  await until(() => process.status().collector === 'running', 'running');
  for (const { event } of RECORDED_EVENTS) await gateway.publish(JSON.stringify(event));
  await until(() => process.status().totalInserted === COUNT, 'all stored');
  expect(process.status().transport).toBe(mode === 'auto' ? 'subscribe' : mode);
  return own;
}

describe('the events of a recorded gateway', () => {
  test('give the same in the form of older gateways: without a breakdown, and without a total', () => {
    for (const { event } of RECORDED_EVENTS) {
      const { token_breakdown: _, ...older } = event;
      const { total_tokens: __, ...tokens } = older.tokens as JsonObject;
      const read = (item: JsonObject) => readRecord(JSON.stringify(item), { nowMs: 1, sha256Hex });
      const tokensIn = (outcome: ReturnType<typeof read>) => outcome.kind === 'event' && tokensOf(outcome.event);
      const { total, ...expected } = tokensIn(read(event)) || NOTHING;
      expect(tokensIn(read(older))).toEqual({ total, ...expected });
      expect(tokensIn(read({ ...older, tokens }))).toMatchObject(expected);
    }
  });

  test('keep no key of a provider or client', () => {
    for (const { event } of RECORDED_EVENTS) {
      const outcome = readRecord(JSON.stringify(event), { nowMs: 1, sha256Hex });
      const stored = JSON.stringify(outcome);
      if (event.api_key !== '') expect(stored).not.toContain(String(event.api_key));
      // At Vertex a key of this form cannot be told from a project.
      if (event.auth_type === 'apikey' && event.provider !== 'vertex')
        expect(stored).not.toContain(String(event.source));
    }
  });

  test('are read with the tokens that the provider reported', () => {
    expect(RECORDED_EVENTS).toHaveLength(COUNT);
    const wrong = RECORDED_EVENTS.flatMap((recorded): object[] => {
      const text = JSON.stringify(recorded.event);
      const outcome = readRecord(text, { nowMs: Date.parse(String(recorded.event.timestamp)) + 1_000, sha256Hex });
      if (outcome.kind !== 'event') return [{ text, outcome }];
      const tokens = tokensOf(outcome.event);
      const expected = truthOf(recorded);
      return Bun.deepEquals(tokens, expected) ? [] : [{ text, tokens, expected }];
    });
    expect(wrong).toEqual([]);
  });

  test.each(['subscribe', 'http', 'resp', 'auto'] satisfies CollectorMode[])(
    'are stored and counted by mode %s, each once',
    async (mode) => {
      const own = await collected(mode);
      const { databasePath } = own;
      expect(rowsOf(storedEvents(databasePath))).toEqual(recordedRows());
      const { nonReasoning: _, ...truth } = sumOf(RECORDED_EVENTS.map(truthOf));
      const failed = RECORDED_EVENTS.filter(({ event }) => event.failed === true).length;
      expect(storedSums(databasePath)).toEqual([{ calls: COUNT, ...truth }, { calls: COUNT, ...truth }, { failed }]);
      expect(storedDeadLetters(own)).toEqual([]);
      expect(storedGaps(own)).toEqual([]);
      expect(reading(databasePath, checkInvariants)).toEqual([]);
      const fresh = startImport();
      const exported = storedEvents(databasePath).map((event) => `${exportLine(event)}\n`);
      expect(await fresh.import(exported.join(''))).toEqual({ ...RESULT, added: COUNT, total: COUNT });
      expect(rowsOf(fresh.stored())).toEqual(recordedRows());
      expect(await fresh.import(RAW_LINES)).toEqual({ ...RESULT, skipped: COUNT, total: COUNT });
    },
    60_000,
  );

  test('survive an export, the import into an empty database, and a second import', async () => {
    const first = startImport();
    expect(await first.import(RAW_LINES)).toEqual({ ...RESULT, added: COUNT, total: COUNT });
    expect(rowsOf(first.stored())).toEqual(recordedRows());
    const exported = await first.export();
    const second = startImport();
    expect(await second.import(exported)).toEqual({ ...RESULT, added: COUNT, total: COUNT });
    expect(rowsOf(second.stored())).toEqual(recordedRows());
    expect(await second.export()).toBe(exported);
    for (const again of [exported, RAW_LINES])
      expect(await second.import(again)).toEqual({ ...RESULT, skipped: COUNT, total: COUNT });
    expect(second.faults()).toEqual([]);
  }, 60_000);
});
