import { Database } from 'bun:sqlite';
import type { FactChunk } from '../../packages/server/src/facts/chunk.ts';
import { FACT_COLUMNS, type FactColumn, FactFlag } from '../../packages/server/src/facts/columns.ts';
import { createFactReader, type FactSnapshot } from '../../packages/server/src/facts/reader.ts';
import { textAt } from '../../packages/server/src/facts/segment/texts.ts';
import { openDatabase } from '../../packages/server/src/sqlite/open.ts';

/**
 * The same events as one plain table: a row per event with its texts and numbers as they are, and the indexes a sensible
 * person adds. What the analytics is compared with.
 */
export const PLAIN_TABLE = 'events';

const INDEXES: readonly (readonly string[])[] = [
  ['timestamp_ms'],
  ['analytics_model', 'timestamp_ms'],
  ['account_snapshot', 'timestamp_ms'],
  ['auth_file_snapshot', 'timestamp_ms'],
  ['api_key_hash', 'timestamp_ms'],
  ['failed', 'timestamp_ms'],
];
/** What only the facts need: a person keeps one text for a hash, and a flag of its own. */
const LEFT_OUT: ReadonlySet<FactColumn> = new Set(['flags', 'task_key_high', 'task_key_low', 'event_hash']);
const COLUMNS = (Object.keys(FACT_COLUMNS) as FactColumn[]).filter((name) => !LEFT_OUT.has(name));
const CACHE_KIB = 256 * 1024;

type ValueAt = (row: number) => number | string | null;

export function writePlainTable(from: string, to: string): void {
  const facts = openDatabase(from, { readonly: true });
  const db = new Database(to, { create: true });
  db.run('PRAGMA journal_mode = WAL');
  db.run('PRAGMA synchronous = OFF');
  db.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  db.run(
    `CREATE TABLE ${PLAIN_TABLE} (id INTEGER PRIMARY KEY, event_hash TEXT, failed INTEGER, cache_hit INTEGER,
     ${COLUMNS.map((name) => `${name} ${isText(name) ? 'TEXT' : 'INTEGER'}`).join(', ')})`,
  );
  const insert = db.query(`INSERT INTO ${PLAIN_TABLE} VALUES (?, ?, ?, ?${', ?'.repeat(COLUMNS.length)})`);
  createFactReader(facts).read(({ chunks, symbols }) => {
    for (const chunk of chunks) {
      const values = [
        idsOf(chunk),
        hashesOf(chunk),
        ...flagsOf(chunk),
        ...COLUMNS.map((name) => valuesOf(chunk, name, symbols)),
      ];
      db.transaction(() => {
        for (let row = 0; row < chunk.rowCount; row++) insert.run(...values.map((valueAt) => valueAt(row)));
      })();
    }
  });
  for (const columns of INDEXES) db.run(`CREATE INDEX by_${columns[0]} ON ${PLAIN_TABLE} (${columns.join(', ')})`);
  db.run('ANALYZE');
  db.run('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  facts.close();
}

function isText(name: FactColumn): boolean {
  return FACT_COLUMNS[name] === 'symbol' || FACT_COLUMNS[name] === 'text';
}

function valuesOf(chunk: FactChunk, name: FactColumn, symbols: FactSnapshot['symbols']): ValueAt {
  switch (FACT_COLUMNS[name]) {
    case 'symbol': {
      const { set, codes } = chunk.symbols(name);
      return (row) => symbols.text(set[codes?.[row] ?? 0] ?? 0);
    }
    case 'text': {
      const texts = chunk.texts(name);
      return (row) => textAt(texts, row);
    }
    default: {
      const { base, values } = chunk.numbers(name);
      // Stored one higher, 0 = unknown.
      if (FACT_COLUMNS[name] === 'optional') return (row) => optional(base + (values?.[row] ?? 0));
      return (row) => base + (values?.[row] ?? 0);
    }
  }
}

function optional(stored: number): number | null {
  return stored === 0 ? null : stored - 1;
}

function idsOf(chunk: FactChunk): ValueAt {
  const { base, values } = chunk.eventIds();
  return (row) => base + (values?.[row] ?? 0);
}

function hashesOf(chunk: FactChunk): ValueAt {
  const { rows } = chunk.hashes('event_hash');
  return (row) => Buffer.from(rows.buffer, rows.byteOffset + row * 32, 32).toString('hex');
}

function flagsOf(chunk: FactChunk): ValueAt[] {
  const { base, values } = chunk.numbers('flags');
  return [FactFlag.failed, FactFlag.cacheHit].map(
    (flag) => (row: number) => (((base + (values?.[row] ?? 0)) & flag) === 0 ? 0 : 1),
  );
}
