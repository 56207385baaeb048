import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { sampleRecords } from '../../events/testing/sample-records.ts';
import { createTestIngester, TEST_NOW_MS } from '../../events/testing/test-ingester.ts';
import { createTestFolder, type TestFolder } from '../../platform/testing/test-folder.ts';
import { openDatabase } from '../../sqlite/open.ts';
import { type CommandRun, type RunOptions, runInProcess } from './testing/command-runner.ts';

const EVENTS = 3_000;
setDefaultTimeout(180_000);

let folder: TestFolder;

beforeAll(() => {
  folder = createTestFolder();
  const { db, ingest } = createTestIngester(folder.path('usage.sqlite'));
  const next = sampleRecords({ seed: 5, startMs: TEST_NOW_MS - 3_600_000 });
  for (let stored = 0; stored < EVENTS; stored += 500) {
    ingest({ records: Array.from({ length: 500 }, () => ({ text: next(), receivedAtMs: TEST_NOW_MS })) });
  }
  db.close();
});
afterAll(() => folder.dispose());

const run = (args: readonly string[], options: Partial<RunOptions> = {}): Promise<CommandRun> =>
  runInProcess(['export', '--db-path', folder.path('usage.sqlite'), ...args], {
    directory: folder.path('.'),
    ...options,
  });

const linesOf = (name: string): string[] => readFileSync(folder.path(name), 'utf8').trimEnd().split(/\r?\n/);

/** A signal that an export reads between pages: the first time after it has begun to write the file, `act` is called. */
function whileWriting(name: string, act: (controller: AbortController) => void): AbortSignal {
  const controller = new AbortController();
  let acted = false;
  const { signal } = controller;
  return new Proxy(signal, {
    get(_, member) {
      if (!acted && existsSync(folder.path(`${name}.partial`))) {
        acted = true;
        act(controller);
      }
      return Reflect.get(signal, member, signal);
    },
  });
}

test('writes all requests to a file that only its owner can read, and nothing to the database', async () => {
  const before = readFileSync(folder.path('usage.sqlite'));
  const { code, out, err } = await run(['--out', 'all.csv', '--time-zone', 'Europe/Berlin']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(`${EVENTS} requests were written`);
  // Failure texts have line feeds; only the lines of the table end with both.
  expect(readFileSync(folder.path('all.csv'), 'utf8').split('\r\n')).toHaveLength(EVENTS + 2);
  expect(statSync(folder.path('all.csv')).mode & 0o777).toBe(0o600);
  expect(readFileSync(folder.path('usage.sqlite')).equals(before)).toBe(true);
});

test('filters by what is repeated, and masks unless told otherwise', async () => {
  await run([
    '--out',
    'some.jsonl',
    '--filter',
    'failed=true',
    '--filter',
    'provider=codex',
    '--filter=provider=claude',
  ]);
  const rows = linesOf('some.jsonl').map((line) => JSON.parse(line));
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row.failed).toBe(true);
    expect(['codex', 'claude']).toContain(row.auth_provider_snapshot);
    expect(row.api_key_hash).toContain('…');
  }
  await run(['--out', 'full.jsonl', '--filter', 'failed=true', '--masked=false']);
  expect(JSON.parse(linesOf('full.jsonl')[0] ?? '').api_key_hash).toMatch(/^[0-9a-f]{64}$/);
});

test.each([
  [['--filter', 'modle=x'], 'one of these names: model, provider, account'],
  [['--format', 'xlsx'], '--format must be csv or jsonl'],
  [['--time-zone', 'Mars/Base'], '--time-zone: unknown'],
  [['--from', '2026-02-30'], '--from: there is no such time'],
  [['--from', '2026-03-02', '--to', '2026-03-01'], '--from must be before --to'],
])('%p is refused, and no file is written', async (args, reason) => {
  const { code, err } = await run(['--out', 'refused', ...args]);
  expect(code).toBe(1);
  expect(err).toContain(reason);
  expect(existsSync(folder.path('refused'))).toBe(false);
});

test('never replaces a file', async () => {
  writeFileSync(folder.path('mine.csv'), 'mine');
  expect((await run(['--out', 'mine.csv'])).err).toContain('exists; choose another name');
  expect(linesOf('mine.csv')).toEqual(['mine']);
});

test('never writes into the file of another export', async () => {
  writeFileSync(folder.path('shared.csv.partial'), 'half');
  const { code, err } = await run(['--out', 'shared.csv']);
  expect(code).toBe(1);
  expect(err).toContain('shared.csv.partial exists: another export writes it');
  expect(readFileSync(folder.path('shared.csv.partial'), 'utf8')).toBe('half');
  expect(existsSync(folder.path('shared.csv'))).toBe(false);
});

test('never replaces a file that is created while it is written', async () => {
  const signal = whileWriting('raced.csv', () => writeFileSync(folder.path('raced.csv'), 'mine'));
  const { code, err } = await run(['--out', 'raced.csv'], { signal });
  expect(code).toBe(1);
  expect(err).toContain(`was created meanwhile; the complete export is ${folder.path('raced.csv.partial')}`);
  expect(linesOf('raced.csv')).toEqual(['mine']);
  expect(readFileSync(folder.path('raced.csv.partial'), 'utf8').split('\r\n')).toHaveLength(EVENTS + 2);
});

test('a canceled one leaves a file that shows it, under another name', async () => {
  const signal = whileWriting('canceled.jsonl', (controller) => controller.abort());
  const { code, err } = await run(['--out', 'canceled.jsonl'], { signal });
  expect(code).toBe(1);
  expect(err).toContain(
    `canceled; nothing was changed; the incomplete file is ${folder.path('canceled.jsonl.partial')}`,
  );
  expect(existsSync(folder.path('canceled.jsonl'))).toBe(false);
  const last = JSON.parse(linesOf('canceled.jsonl.partial').at(-1) ?? '');
  expect(last).toEqual({ export_failed: true, rows: expect.any(Number), of: EVENTS });
});

test('an earlier schema is refused and stays as it is', async () => {
  const path = folder.path('earlier.sqlite');
  writeFileSync(path, readFileSync(folder.path('usage.sqlite')));
  const db = openDatabase(path);
  db.run('DELETE FROM schema_migrations WHERE position = (SELECT max(position) FROM schema_migrations)');
  db.run(
    `PRAGMA user_version = ${db.query<{ n: number }, []>('SELECT count(*) AS n FROM schema_migrations').get()?.n}`,
  );
  db.close();
  const { code, err } = await run(['--out', 'earlier.csv', '--db-path', path]);
  expect(code).toBe(1);
  expect(err).toContain('written by an earlier version');
});
