// Over 400 lines because every command is run through the same harness, case after case.
import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../config/values.ts';
import { openMigrated } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import { readSetting, writeSettings } from '../db/settings.ts';
import { parseRecords, usableConnection } from '../features/setup/connection-records.ts';
import { ADMIN_ROW, LEGACY_ROW, MANAGER_ROW, readConnectionRows } from '../features/setup/connection-store.ts';
import { acquireLock } from '../lock/lock.ts';
import { parseAdminCredential, verifyAdminCredential } from '../secrets/admin-key.ts';
import { openVault } from '../secrets/vault.ts';
import { findCommand } from './catalogue.ts';
import { runCommand } from './command.ts';

const NOW = 1_770_000_000_000;
let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'commands-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const inside = (...parts: string[]) => join(directory, ...parts);
const database = () => inside('data', 'usage.sqlite');
const file = (name: string, content: string) => {
  writeFileSync(inside(name), content);
  return inside(name);
};

async function run(line: string, env: Environment = {}, signal = new AbortController().signal) {
  const [name = '', ...args] = line.split(' ');
  const out: string[] = [];
  const err: string[] = [];
  const command = await findCommand(name)?.load();
  if (command === undefined) throw new Error(`no command ${name}`);
  const code = await runCommand(command, args, {
    env,
    cwd: directory,
    executableDir: directory,
    stdout: (text) => out.push(text),
    stderr: (text) => err.push(text),
    now: () => NOW,
    randomBytes,
    signal,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

function makeDatabase(): void {
  mkdirSync(inside('data'), { recursive: true });
  openMigrated(database(), { now: () => NOW }).close();
}

function withDatabase<T>(work: (db: Database) => T): T {
  const db = openDatabase(database());
  try {
    return work(db);
  } finally {
    db.close();
  }
}

const put = (key: string, value: unknown) =>
  withDatabase((db) => writeSettings(db, [{ key, value: JSON.stringify(value), updatedAtMs: 1 }]));
const row = (key: string) => withDatabase((db) => JSON.parse(readSetting(db, key)?.value ?? 'null'));
const rows = () => withDatabase((db) => JSON.stringify(db.query('SELECT * FROM settings ORDER BY key').all()));

describe('every command', () => {
  test('help goes to stderr, ends with 0 and touches nothing', async () => {
    for (const name of ['reset-admin-key', 'compact-usage', 'store-upstream-connection', 'manager-data-snapshot']) {
      for (const flag of ['-h', '--help', '-help']) {
        const { code, out, err } = await run(`${name} ${flag}`);
        expect({ code, out }).toEqual({ code: 0, out: '' });
        expect(err).toContain(`Usage: manager-server ${name}`);
      }
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test('a mistake on the command line ends with 1 and does not repeat the value', async () => {
    const cases = [
      'reset-admin-key s3cret',
      'reset-admin-key --nope s3cret',
      'reset-admin-key --admin-key=s3cret s3cret',
      'reset-admin-key --db-path',
    ];
    for (const line of cases) {
      const { code, out, err } = await run(line);
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toStartWith('reset-admin-key: ');
      expect(err).not.toContain('s3cret');
    }
    expect(readdirSync(directory)).toEqual([]);
  });

  test('a missing, empty or foreign database is refused and not changed', async () => {
    expect((await run('reset-admin-key')).err).toContain('there is no database');
    expect(readdirSync(directory)).toEqual([]);

    mkdirSync(inside('data'));
    writeFileSync(database(), '');
    expect((await run('reset-admin-key')).err).toContain('is empty');

    const foreign = new Database(database());
    foreign.run('CREATE TABLE settings (key TEXT, value TEXT)');
    foreign.run('CREATE TABLE usage_events (id INTEGER)');
    foreign.close();
    const before = readFileSync(database());
    const key = file('k', 'key');
    for (const line of [
      'reset-admin-key',
      'replay-dead-letters',
      `store-upstream-connection --upstream-base-url g --management-key-file ${key}`,
    ]) {
      const { code, err } = await run(line);
      expect(code).toBe(1);
      expect(err).toContain('another program');
    }
    expect(readFileSync(database()).equals(before)).toBe(true);

    writeFileSync(database(), 'not a database at all, but longer than a header would be '.repeat(10));
    expect((await run('reset-admin-key')).err).toContain('not a SQLite database');
  });

  test('a running manager is named, and nothing changes', async () => {
    makeDatabase();
    const before = rows();
    const lock = acquireLock(database());
    const { code, err } = await run('reset-admin-key');
    lock.release();
    expect(code).toBe(1);
    expect(err).toMatch(/stop it first and try again; nothing was changed$/);
    expect(err).toContain('usage.sqlite.manager.lock');
    expect(rows()).toBe(before);
  });

  test('the lock is free again after success and after failure', async () => {
    makeDatabase();
    expect((await run('reset-admin-key')).code).toBe(0);
    acquireLock(database()).release();
    expect((await run('reset-admin-key --admin-key-file missing')).code).toBe(1);
    acquireLock(database()).release();
  });

  test('a broken configuration is refused only where it is needed', async () => {
    makeDatabase();
    file('config.json', '{');
    expect((await run('reset-admin-key')).err).toContain('not valid JSON');
    expect((await run(`reset-admin-key --db-path ${database()}`)).code).toBe(0);
  });
});

describe('reset-admin-key', () => {
  const verifies = (key: string) => {
    const credential = parseAdminCredential(JSON.stringify(row(ADMIN_ROW)));
    return credential !== null && verifyAdminCredential(credential, key);
  };

  test('generates a key and shows it once', async () => {
    makeDatabase();
    put(ADMIN_ROW, { version: 1, salt: 'AAAA', keyHash: 'AAAA', iterations: 1, createdAtMs: 5, source: 'env' });
    const { code, out } = await run('reset-admin-password');
    expect(code).toBe(0);
    const key = /New admin key: (mgr_\S{43})/.exec(out)?.[1] ?? '';
    expect(verifies(key)).toBe(true);
    expect(row(ADMIN_ROW)).toMatchObject({ createdAtMs: 5, rotatedAtMs: NOW, source: 'cli-generated' });
    expect(existsSync(inside('data', 'data.key'))).toBe(false);
  });

  test('stores a given key and never repeats it', async () => {
    makeDatabase();
    file('key', '  chosen-key \n');
    for (const line of [
      'reset-admin-key --admin-key-file key',
      'reset-admin-key -admin-key=chosen-key',
      `reset-admin-key -db-path ${database()} --admin-key chosen-key`,
    ]) {
      const { code, out, err } = await run(line);
      expect(code).toBe(0);
      expect(out + err).not.toContain('chosen-key');
      expect(verifies('chosen-key')).toBe(true);
      expect(row(ADMIN_ROW).source).toBe('cli');
    }
  });

  test('refuses two sources and an empty file', async () => {
    makeDatabase();
    file('empty', ' \n');
    expect((await run('reset-admin-key --admin-key a --admin-key-file empty')).err).toContain('exclude');
    expect((await run('reset-admin-key --admin-key-file empty')).err).toContain('empty');
    expect((await run('reset-admin-key --admin-key=')).err).toContain('empty');
    expect(row(ADMIN_ROW)).toBeNull();
  });
});

describe('store-upstream-connection', () => {
  const KEY = 'upstream-key-1';
  const store = (url = 'gateway:8317/', more = '', env: Environment = {}) => {
    file('upstream.key', `${KEY}\n`);
    return run(`store-upstream-connection --upstream-base-url ${url} --management-key-file upstream.key${more}`, env);
  };
  const stored = () =>
    withDatabase((db) => {
      const vault = openVault({ explicitText: '', path: inside('data', 'data.key'), randomBytes });
      return usableConnection(parseRecords(readConnectionRows(db), vault)).connection;
    });
  const connection = { baseUrl: 'http://gateway:8317', managementKey: KEY };

  test('creates database and data key, and repeating it writes nothing', async () => {
    const { code, out, err } = await store();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe('The connection to http://gateway:8317 is stored.');
    expect(stored()).toEqual(connection);
    expect(statSync(database()).mode & 0o777).toBe(0o600);
    const before = rows();
    expect((await store()).code).toBe(0);
    expect(rows()).toBe(before);
    expect(before).not.toContain(KEY);
  });

  test('another stored connection needs the flag; other settings stay', async () => {
    await store();
    put(MANAGER_ROW, { ...row(MANAGER_ROW), collector: { batchSize: 9 }, later: 1 });
    const before = rows();
    const refused = await store('http://other');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('--repair-conflict');
    expect(rows()).toBe(before);
    expect((await store('http://other', ' --repair-conflict')).code).toBe(0);
    expect(stored()).toEqual({ baseUrl: 'http://other', managementKey: KEY });
    expect(row(MANAGER_ROW)).toMatchObject({ later: 1, collector: { batchSize: 9 } });
    expect(row(LEGACY_ROW).baseUrl).toBe('http://other');
  });

  test('a conflict is encrypted, refused and repaired with the flag', async () => {
    makeDatabase();
    put(MANAGER_ROW, { upstreamConnection: { baseUrl: 'http://b' } });
    put(LEGACY_ROW, { baseUrl: 'http://c', managementKey: 'plain-old-key', queue: 'q' });
    const refused = await store();
    expect(refused.err).toContain('--repair-conflict');
    expect(rows()).not.toContain('plain-old-key');
    expect((await store('gateway:8317', ' --repair-conflict')).code).toBe(0);
    expect(stored()).toEqual(connection);
    expect(row(MANAGER_ROW).collector.queue).toBe('q');
  });

  test('a partial record that agrees is completed, one that contradicts is refused', async () => {
    makeDatabase();
    put(MANAGER_ROW, { upstreamConnection: { baseUrl: 'http://gateway:8317' } });
    expect((await store()).code).toBe(0);
    expect(stored()).toEqual(connection);
    put(MANAGER_ROW, { upstreamConnection: { baseUrl: 'http://b' } });
    put(LEGACY_ROW, {});
    expect((await store()).err).toContain('contradict');
  });

  test('the same connection in clear is encrypted', async () => {
    makeDatabase();
    put(MANAGER_ROW, { upstreamConnection: connection });
    expect((await store()).code).toBe(0);
    expect(rows()).not.toContain(KEY);
    expect(readFileSync(database()).includes(KEY)).toBe(false);
  });

  test('a lost data key is refused without the flag and makes no key', async () => {
    await store();
    rmSync(inside('data', 'data.key'));
    const before = rows();
    const refused = await store();
    expect(refused.err).toContain('data.key');
    expect(existsSync(inside('data', 'data.key'))).toBe(false);
    expect(rows()).toBe(before);
    expect((await store('gateway:8317', ' --repair-conflict')).code).toBe(0);
    expect(stored()).toEqual(connection);
  });

  test('the environment must be silent or agree', async () => {
    expect((await store('g', '', { UPSTREAM_URL: 'http://g' })).err).toContain('only one');
    expect((await store('g', '', { UPSTREAM_URL: 'http://g', UPSTREAM_MANAGEMENT_KEY: 'x' })).err).toContain(
      'environment',
    );
    expect(existsSync(database())).toBe(false);
    expect((await store('g', '', { UPSTREAM_URL: 'http://g/', UPSTREAM_MANAGEMENT_KEY: KEY })).code).toBe(0);
  });

  test('bad input is refused before anything is made', async () => {
    file('empty', '\n');
    file('two', 'a\nb');
    const cases = [
      'store-upstream-connection --upstream-base-url g',
      'store-upstream-connection --management-key-file upstream.key',
      'store-upstream-connection --upstream-base-url g --management-key-file missing',
      'store-upstream-connection --upstream-base-url g --management-key-file empty',
      'store-upstream-connection --upstream-base-url g --management-key-file two',
      'store-upstream-connection --upstream-base-url ftp://g --management-key-file two',
    ];
    for (const line of cases) expect((await run(line)).code).toBe(1);
    expect(existsSync(inside('data'))).toBe(false);
  });
});

test('replay-dead-letters prints what became of the rows', async () => {
  makeDatabase();
  withDatabase((db) => db.run("INSERT INTO dead_letters (payload, error, created_at_ms) VALUES ('no json', 'x', 1)"));
  const { code, out } = await run('replay-dead-letters');
  expect({ code, out }).toEqual({ code: 0, out: 'added=0 skipped=0 kept=1' });
});

describe('manager-data-snapshot', () => {
  const snapshot = (action: string, signal?: AbortSignal) =>
    run(`manager-data-snapshot ${action} --snapshot-dir snap --data-key-path data/data.key`, {}, signal);

  beforeEach(() => {
    makeDatabase();
    put('marker', 'before');
    writeFileSync(inside('data', 'data.key'), 'key-before', { mode: 0o600 });
  });

  test('restores database and data key exactly, and removes what was not there', async () => {
    expect((await snapshot('create')).out).toBe('The snapshot was created.');
    expect(statSync(inside('snap')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(inside('snap'))) expect(statSync(inside('snap', name)).mode & 0o777).toBe(0o600);
    const manifest = JSON.parse(readFileSync(inside('snap', 'manifest.json'), 'utf8'));
    expect(manifest.version).toBe(1);
    expect(manifest.files.dataKey).toMatchObject({ existed: true, size: 10, mode: 0o600 });
    expect(manifest.files.journal).toEqual({ existed: false });

    put('marker', 'after');
    writeFileSync(inside('data', 'data.key'), 'key-after');
    writeFileSync(`${database()}-journal`, 'stale');
    expect((await snapshot('restore')).out).toBe('The snapshot was restored.');
    expect(row('marker')).toBe('before');
    expect(readFileSync(inside('data', 'data.key'), 'utf8')).toBe('key-before');
    expect(existsSync(`${database()}-journal`)).toBe(false);
    expect(readdirSync(inside('data')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('restores a database that is gone', async () => {
    await snapshot('create');
    rmSync(inside('data'), { recursive: true });
    expect((await snapshot('restore')).code).toBe(0);
    expect(row('marker')).toBe('before');
  });

  test('does not overwrite a snapshot', async () => {
    await snapshot('create');
    expect((await snapshot('create')).err).toContain('exists already');
  });

  test('a damaged snapshot changes nothing', async () => {
    await snapshot('create');
    put('marker', 'after');
    chmodSync(inside('snap', 'dataKey'), 0o600);
    writeFileSync(inside('snap', 'dataKey'), 'key-beforX');
    expect((await snapshot('restore')).err).toContain('dataKey file of the snapshot is damaged');
    expect(row('marker')).toBe('after');
  });

  test('a failure while files move puts all of them back', async () => {
    await snapshot('create');
    put('marker', 'after');
    // Found only after the database has moved.
    rmSync(inside('data', 'data.key'));
    mkdirSync(inside('data', 'data.key'));
    expect((await snapshot('restore')).err).toContain('not a regular file');
    expect(row('marker')).toBe('after');
    expect(readdirSync(inside('data')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a cancelled copy leaves nothing', async () => {
    const cancel = new AbortController();
    cancel.abort();
    expect((await snapshot('create', cancel.signal)).err).toContain('cancelled');
    expect(existsSync(inside('snap'))).toBe(false);
    expect(readdirSync(directory).sort()).toEqual(['data']);
  });

  test('runs only on a stopped manager', async () => {
    const lock = acquireLock(database());
    expect((await snapshot('create')).err).toContain('stop it first and try again; nothing was changed');
    lock.release();
  });

  test('delete takes a snapshot and nothing else', async () => {
    mkdirSync(inside('precious'));
    writeFileSync(inside('precious', 'x'), 'x');
    expect((await run('manager-data-snapshot delete --snapshot-dir precious')).code).toBe(1);
    expect(existsSync(inside('precious', 'x'))).toBe(true);
    await snapshot('create');
    expect((await run('manager-data-snapshot delete --snapshot-dir snap')).code).toBe(0);
    expect(existsSync(inside('snap'))).toBe(false);
  });

  test('needs an action and its paths', async () => {
    expect((await run('manager-data-snapshot --snapshot-dir s')).err).toContain('create, restore, delete');
    expect((await run('manager-data-snapshot create')).err).toContain('--snapshot-dir is required');
    expect((await run('manager-data-snapshot create --snapshot-dir s')).err).toContain('--data-key-path is required');
    expect((await run('manager-data-snapshot create restore --snapshot-dir s')).err).toContain('unexpected argument');
  });
});

describe('sanitize-runtime-config', () => {
  test('removes the connection and keeps the rest, number texts and mode included', async () => {
    file(
      'in.json',
      '{"httpAddr":"x","cpaUpstreamUrl":"u","upstreamUrl":"u","managementKeyFile":"f","big":12345678901234567890,"exp":1E+2,"nested":{"upstreamUrl":"kept","n":1.10},"list":[1.0]}',
    );
    chmodSync(inside('in.json'), 0o640);
    expect((await run('sanitize-runtime-config --input in.json --output out.json')).code).toBe(0);
    const text = readFileSync(inside('out.json'), 'utf8');
    for (const part of ['12345678901234567890', '1E+2', '1.10', '1.0', '"upstreamUrl": "kept"'])
      expect(text).toContain(part);
    for (const part of ['cpaUpstreamUrl', 'managementKeyFile', '"u"']) expect(text).not.toContain(part);
    expect(statSync(inside('out.json')).mode & 0o777).toBe(0o640);
    expect(readdirSync(directory).sort()).toEqual(['in.json', 'out.json']);
  });

  test('may write over its input', async () => {
    file('c.json', '{"upstreamUrl":"u"}');
    expect((await run('sanitize-runtime-config --input c.json --output c.json')).code).toBe(0);
    expect(readFileSync(inside('c.json'), 'utf8')).toBe('{}\n');
  });

  test('takes exactly one object from a regular file', async () => {
    for (const content of ['[]', '1', '{}{}', '', 'null', '"x"']) {
      file('c.json', content);
      expect((await run('sanitize-runtime-config --input c.json --output o.json')).err).toContain(
        'not one JSON object',
      );
    }
    symlinkSync(inside('c.json'), inside('link'));
    for (const name of ['link', '.', 'missing']) {
      expect((await run(`sanitize-runtime-config --input ${name} --output o.json`)).err).toContain(
        'not a regular file',
      );
    }
    expect(existsSync(inside('o.json'))).toBe(false);
  });
});
