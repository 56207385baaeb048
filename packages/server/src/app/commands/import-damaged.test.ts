import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { recordText, TEST_NOW_MS } from '../../events/testing/test-ingester.ts';
import { makeFormatA, makeFormatB } from '../../features/transfer/foreign/testing/foreign-databases.ts';
import { createImportBench, type ImportBench, rowOfA, sampleEvents } from './testing/import-bench.ts';

setDefaultTimeout(300_000);

/** `MANAGER_IMPORT_SEEDS=5000` for a campaign. */
const SEEDS = Number(process.env.MANAGER_IMPORT_SEEDS ?? 15);
const ALL = '--prices --aliases --ledger --replay-dead-letters --time-zone UTC';
const ROWS = 1_200;

let bench: ImportBench;
beforeEach(() => {
  bench = createImportBench();
});
afterEach(() => bench.dispose());

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function writeSourceA(): void {
  const source = makeFormatA(bench.from, { journal: 'DELETE' });
  const hash = (digit: string) => digit.repeat(64);
  source.insert(
    'usage_events',
    // Some originals need pages of their own.
    sampleEvents(ROWS).map((event, at) => ({ ...rowOfA(event), fail_body: at % 90 === 0 ? 'x'.repeat(9_000) : '' })),
  );
  source.insert('model_prices', [{ model: 'm', prompt_per_1m: 1, prompt_configured: 1 }]);
  source.insert('api_key_aliases', [{ api_key_hash: hash('a'), alias: 'A', updated_at_ms: 1 }]);
  source.insert(
    'dead_letter_events',
    Array.from({ length: 60 }, (_, at) => ({ payload: recordText({ request_id: `r${at}` }), created_at_ms: at + 1 })),
  );
  source.insert(
    'usage_event_identity_ledger',
    Array.from({ length: 300 }, (_, at) => ({ event_hash: `e${at.toString(16).padStart(63, '0')}`, timestamp_ms: at })),
  );
  source.close();
}

function writeSourceB(): void {
  const source = makeFormatB(bench.from, { journal: 'DELETE' });
  const row = (id: number) => ({
    id,
    event_key: `key-${id}`,
    api_group_key: 'sim-client-key-0001',
    request_id: `request-${id}`,
    provider: 'codex',
    model: 'gpt-5.4',
    user_agent: 'x'.repeat(300),
    timestamp: new Date(TEST_NOW_MS - id * 1_000).toISOString(),
    input_tokens: 10,
    output_tokens: 2,
    total_tokens: 12,
  });
  source.insert(
    'usage_events_archive',
    Array.from({ length: ROWS / 2 }, (_, at) => row(at + 1)),
  );
  source.insert(
    'usage_events',
    Array.from({ length: ROWS / 2 }, (_, at) => row(ROWS / 2 + at + 1)),
  );
  source.insert('model_price_settings', [{ model: 'm', prompt_price_per1_m: 1, price_multiplier: 1 }]);
  source.close();
}

/** As the other manager leaves it when nobody has it open. */
function asLogged(file: Uint8Array): void {
  file[18] = 2;
  file[19] = 2;
}

type Damage = (file: Uint8Array, random: (below: number) => number) => Uint8Array;

const PAGE = 4_096;
const pageAt = (file: Uint8Array, page: number) => file.subarray(page * PAGE, (page + 1) * PAGE);

/** Not the first page: there SQLite refuses most of it at once. */
function anyPage(file: Uint8Array, random: (below: number) => number): Uint8Array {
  return pageAt(file, 1 + random(file.length / PAGE - 1));
}

const DAMAGES: Readonly<Record<string, Damage>> = {
  'bytes of one page'(file, random) {
    const page = anyPage(file, random);
    for (let count = 1 + random(200); count > 0; count -= 1) page[random(PAGE)] = random(256);
    return file;
  },
  // Kind, number of cells, where they start, the rightmost child, and the places of the first cells.
  'the head of a page'(file, random) {
    const page = anyPage(file, random);
    for (let count = 1 + random(3); count > 0; count -= 1) page[random(16)] = random(256);
    return file;
  },
  'fewer cells in a page'(file, random) {
    const page = anyPage(file, random);
    page[3] = 0;
    page[4] = random(Math.max(page[4] ?? 1, 1));
    return file;
  },
  'a page of zeros'(file, random) {
    anyPage(file, random).fill(0);
    return file;
  },
  'two pages that changed places'(file, random) {
    const one = anyPage(file, random);
    const other = anyPage(file, random);
    const kept = one.slice();
    one.set(other);
    other.set(kept);
    return file;
  },
  'a page twice'(file, random) {
    anyPage(file, random).set(anyPage(file, random));
    return file;
  },
  'the end missing': (file, random) => file.subarray(0, PAGE + random(file.length - PAGE)),
  'the first page'(file, random) {
    for (let count = 1 + random(8); count > 0; count -= 1) file[16 + random(PAGE - 16)] = random(256);
    return file;
  },
};

describe.each([
  ['A', writeSourceA],
  ['B', writeSourceB],
])('a source of format %s', (format, write) => {
  test.each(Object.keys(DAMAGES))(
    'with %s ends with all rows or with a reason, and never harms the target',
    async (kind) => {
      write();
      const whole = readFileSync(bench.from);
      asLogged(whole);
      const outcomes = { refused: 0, complete: 0 };
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        const damaged = DAMAGES[kind]?.(new Uint8Array(whole), randomOf(seed)) ?? whole;
        writeFileSync(bench.from, damaged);
        const before = bench.sourceState();
        // A run that never ends is canceled between two pages, and then has another reason.
        const { code, out, err } = await bench.run(ALL, { signal: AbortSignal.timeout(60_000) });
        const run = `${format} ${kind} ${seed}: ${code} ${err}`;
        expect(bench.sourceState(), run).toEqual(before);
        const reason = err.split('\n').at(-1) ?? '';
        if (code === 0) {
          outcomes.complete += 1;
          const report = JSON.parse(out);
          expect(report.source_checked, run).toBe(true);
          expect(report.read, run).toBe(rowsIn(bench.from));
        } else {
          outcomes.refused += 1;
          expect(code, run).toBe(1);
          expect(reason, run).toMatch(/^import-database: the (?:source|rows of \w+|table \w+)/);
        }
      }
      bench.expectSound();
      expect(bench.withDatabase((db) => db.query('PRAGMA integrity_check').get())).toEqual({ integrity_check: 'ok' });
      expect(outcomes.refused).toBeGreaterThan(0);
      // Whatever was copied before, the undamaged file adds the rest and nothing twice.
      writeFileSync(bench.from, whole);
      expect((await bench.run(ALL)).code).toBe(0);
      rmSync(bench.from);
      bench.expectSound();
    },
  );
});

/** Damage that SQLite cannot see, such as another name for a table, leaves a whole database with other rows. */
function rowsIn(path: string): number {
  const db = new Database(path, { readwrite: true });
  try {
    db.run('PRAGMA journal_mode = DELETE');
    const count = (table: string) =>
      db.query<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0;
    return db
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE name IN ('usage_events', 'usage_events_archive')",
      )
      .all()
      .reduce((sum, { name }) => sum + count(name), 0);
  } finally {
    db.close();
  }
}

test('missing rows are noticed without a write-ahead log too, as repaired copies are', async () => {
  writeSourceA();
  const db = new Database(bench.from);
  const leaf = db
    .query<{ page: number }, []>(
      "SELECT min(pageno) AS page FROM dbstat WHERE name = 'usage_events' AND pagetype = 'leaf' AND ncell > 1",
    )
    .get();
  db.close();
  const file = new Uint8Array(readFileSync(bench.from));
  expect(file[18]).toBe(1);
  const cells = pageAt(file, (leaf?.page ?? 1) - 1);
  cells[4] = (cells[4] ?? 0) - 1;
  writeFileSync(bench.from, file);
  const { code, err } = await bench.run('', { signal: AbortSignal.timeout(60_000) });
  expect(code).toBe(1);
  expect(err).toMatch(
    /the source is damaged; \d+ rows were read and \d+ events added, which stay; others may be missing/,
  );
});

test('rows that do not rise end the import instead of repeating it', async () => {
  writeSourceA();
  const db = new Database(bench.from);
  const pages = db
    .query<{ pageno: number }, []>(
      "SELECT pageno FROM dbstat WHERE name = 'usage_events' AND pagetype = 'leaf' ORDER BY pageno",
    )
    .all()
    .map(({ pageno }) => pageno - 1);
  db.close();
  const file = new Uint8Array(readFileSync(bench.from));
  const [first = 0] = pages;
  const last = pages.at(-1) ?? 0;
  // The last rows are those of the beginning again: there is always a row after the last one.
  pageAt(file, last).set(pageAt(file, first));
  writeFileSync(bench.from, file);
  const { code, err } = await bench.run('', { signal: AbortSignal.timeout(60_000) });
  expect(code).toBe(1);
  expect(err).toMatch(/the rows of usage_events are not in order.*rows were read and .* added, which stay/s);
  bench.expectSound();
});
