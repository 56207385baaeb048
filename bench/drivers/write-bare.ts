import { Database } from 'bun:sqlite';
import { randomFillSync } from 'node:crypto';

/**
 * Plain SQLite as a reference: inserts rows written by the product again under new identities, in batches of 500 with FULL sync:
 * ledger key, detail and time with its index, fact row. Nothing is parsed, compressed, summed or sealed.
 */
interface Options {
  readonly path: string;
  readonly seconds: number;
}

export interface BareResult {
  readonly perSecond: number;
  readonly cpuUsPerEvent: number;
}

const BATCH = 500;
const SAMPLE_ROWS = 20_000;
/** Settings of the product's writer. */
const CACHE_KIB = 64 * 1024;
const CHECKPOINT_PAGES = 8_192;

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
const db = new Database(options.path);
db.run('PRAGMA journal_mode = WAL');
db.run('PRAGMA synchronous = FULL');
db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);

const columns = db
  .query<{ name: string }, []>("SELECT name FROM pragma_table_info('facts_tail')")
  .all()
  .map(({ name }) => name);
const facts = db
  .query<never, [number]>(`SELECT ${columns.join(', ')} FROM facts_tail ORDER BY event_id DESC LIMIT ?`)
  .values(SAMPLE_ROWS) as unknown as (number | string | Uint8Array)[][];
const details = db
  .query<{ detail: Uint8Array }, [number]>('SELECT detail FROM usage_events ORDER BY id DESC LIMIT ?')
  .all(SAMPLE_ROWS);
if (facts.length < BATCH) throw new Error('the tail of the facts is too short to take rows from');
const newest = db
  .query<{ id: number; at: number }, []>('SELECT max(id) AS id, max(timestamp_ms) AS at FROM usage_events')
  .get() ?? { id: 0, at: 0 };

const insertLedger = db.query(
  'INSERT INTO usage_event_identity_ledger (event_hash, event_id, timestamp_ms) VALUES (?, ?, ?)',
);
const insertRaw = db.query('INSERT INTO usage_events (id, timestamp_ms, detail) VALUES (?, ?, ?)');
const insertFact = db.query(
  `INSERT INTO facts_tail (${columns.join(', ')}) VALUES (?${', ?'.repeat(columns.length - 1)})`,
);
const [idColumn, timeColumn, hashColumn] = ['event_id', 'timestamp_ms', 'event_hash'].map((name) =>
  columns.indexOf(name),
) as [number, number, number];

let events = 0;
const writeBatch = db.transaction(() => {
  for (let index = 0; index < BATCH; index++) {
    events += 1;
    const id = newest.id + events;
    const at = newest.at + (events >> 3);
    const hash = randomFillSync(new Uint8Array(32));
    insertLedger.run(hash, id, at);
    insertRaw.run(id, at, details[events % details.length]?.detail ?? new Uint8Array(0));
    const fact = facts[events % facts.length] ?? [];
    fact[idColumn] = id;
    fact[timeColumn] = at;
    fact[hashColumn] = hash;
    insertFact.run(...fact);
  }
});

const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
while (performance.now() - startedMs < options.seconds * 1000) writeBatch.immediate();
const seconds = (performance.now() - startedMs) / 1000;
const cpu = process.cpuUsage(cpuBefore);
db.close();
const result: BareResult = { perSecond: events / seconds, cpuUsPerEvent: (cpu.user + cpu.system) / events };
console.log(JSON.stringify(result));
