import { Database } from 'bun:sqlite';
import { sealTail } from '../packages/server/src/facts/seal.ts';
import { parseAnalyticsRequest } from '../packages/server/src/features/monitoring/request.ts';
import { openDatabase } from '../packages/server/src/sqlite/open.ts';
import { createAnalyticsClient } from '../packages/server/src/workers/analytics-client.ts';

/**
 * Times of the event pages over a database of `generate-facts.ts`: cold = the first question of a fresh worker,
 * warm = the same question again. Also what a segment takes on disk, and how long sealing blocks the writer.
 */
const DAY_MS = 86_400_000;
const DEADLINE_MS = 120_000;

const [path, ...rest] = process.argv.slice(2);
if (path === undefined) throw new Error('usage: bun bench/analytics-pages.ts <database> [warm runs]');
const warmRuns = Number(rest[0] ?? 20);

const facts = new Database(path, { readonly: true });
const newest = facts.query<{ at: number }, []>('SELECT max(timestamp_ms) AS at FROM usage_events').get()?.at ?? 0;
const oldHash = facts
  .query<{ hash: string }, []>('SELECT lower(hex(event_hash)) AS hash FROM usage_event_identity_ledger LIMIT 1')
  .get()?.hash;
const keyHash = facts
  .query<{ text: string }, []>(`SELECT text FROM symbols WHERE length(text) = 64 LIMIT 1`)
  .get()?.text;

const page = { events_page: { limit: 500 } };
const QUESTIONS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  unfiltered: {},
  'model, frequent': { filters: { models: ['model-0'] } },
  'model, rare': { filters: { models: ['model-49'] } },
  provider: { filters: { providers: ['CLAUDE'] } },
  account: { filters: { accounts: ['account-40@example.test'] } },
  credential: { filters: { credential_ids: ['codex-account-40.json'] } },
  'client key': { filters: { api_key_hashes: [keyHash] } },
  failures: { filters: { failed_only: true } },
  'slow requests': { filters: { min_latency_ms: 30_000 } },
  'cache hits': { filters: { cache_status: 'hit' } },
  'error kind': { filters: { header_error_kinds: ['rate_limit'] } },
  'all at once': {
    filters: { models: ['model-0', 'model-1'], providers: ['codex'], cache_status: 'read', min_latency_ms: 1000 },
  },
  '33,000 models': { filters: { models: Array.from({ length: 33_000 }, (_, index) => `model-${index}`) } },
  'search, an account': { search_query: 'account-40@' },
  'search, nothing': { search_query: 'no such text' },
  'search, failure text': { search_query: 'limit reached' },
  'search, four digits': { search_query: 'beef' },
  'search, eight digits': { search_query: 'deadbeef' },
  'search, two letters': { search_query: 'eq' },
  'search, one digit': { search_query: '7' },
  'search, whole hash': { search_query: oldHash },
  selectors: { include: { filter_selectors: true } },
  'selectors, searched': { include: { filter_selectors: true }, search_query: 'account-4' },
};

for (const [range, days] of [
  ['30 days', 30],
  ['all time', 3_650],
] as const) {
  console.log(`\n${range}${' '.repeat(26 - range.length)}cold ms   warm p50   warm p99   matches`);
  for (const [title, members] of Object.entries(QUESTIONS)) {
    const request = { from_ms: newest - days * DAY_MS, to_ms: newest + 1, include: page, ...members };
    const query = parseAnalyticsRequest(JSON.stringify(request));
    const client = createAnalyticsClient({ databasePath: path, deadlineMs: DEADLINE_MS });
    // Starting the worker and opening the file is no part of a cold question.
    await client.analytics({ query: parseAnalyticsRequest('{"from_ms":1,"to_ms":2}') });
    const times: number[] = [];
    let pieces: readonly Uint8Array<ArrayBuffer>[] = [];
    for (let run = 0; run <= warmRuns; run++) {
      const start = performance.now();
      ({ pieces } = await client.analytics({ query }));
      times.push(performance.now() - start);
    }
    await client.close();
    const cold = times.shift() ?? 0;
    times.sort((a, b) => a - b);
    const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
    const total = /"total_count":(\d+)/.exec(await new Blob([...pieces]).text())?.[1] ?? '';
    console.log(
      `${title.padEnd(24)} ${cold.toFixed(1).padStart(8)} ${at(0.5).padStart(10)} ${at(0.99).padStart(10)} ${total.padStart(9)}`,
    );
  }
}

console.log('\nbytes per event and column, over all segments');
const columns = facts
  .query<{ name: string; bytes: number }, []>(
    `SELECT name, sum(length(data)) * 1.0 / (SELECT sum(row_count) FROM fact_segments) AS bytes
     FROM fact_segment_columns GROUP BY name ORDER BY bytes DESC`,
  )
  .all();
for (const { name, bytes } of columns) if (bytes >= 0.005) console.log(`${name.padEnd(28)} ${bytes.toFixed(2)}`);
const texts = new Set(['event_hash', 'request_id', 'header_trace_id', 'fail_summary']);
const sum = (some: typeof columns) => some.reduce((total, { bytes }) => total + bytes, 0).toFixed(2);
console.log(`sum ${sum(columns)}, without hash and texts ${sum(columns.filter(({ name }) => !texts.has(name)))}`);
facts.close();

const writer = openDatabase(path);
for (;;) {
  const start = performance.now();
  if (!sealTail({ db: writer, now: Date.now }, 50_000)) break;
  console.log(`sealing 50,000 rows of the tail: ${(performance.now() - start).toFixed(0)} ms`);
}
writer.close();
