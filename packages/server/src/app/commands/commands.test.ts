import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { parseRecords, usableConnection } from '../../features/setup/connection-records.ts';
import { ADMIN_ROW, LEGACY_ROW, MANAGER_ROW, readConnectionRows } from '../../features/setup/connection-store.ts';
import type { Environment } from '../../platform/config/values.ts';
import { acquireLock } from '../../platform/lock/lock.ts';
import { parseAdminCredential, verifyAdminCredential } from '../../platform/secrets/admin-key.ts';
import { createProtector } from '../../platform/secrets/envelope.ts';
import { openVault } from '../../platform/secrets/vault.ts';
import { commandFolder, NOW } from './testing/command-folder.ts';

const { inside, database, withDatabase, names, file, run, makeDatabase, put, row, rows } = commandFolder();

describe('every command', () => {
  test('help goes to stderr, ends with 0 and touches nothing', async () => {
    for (const name of ['reset-admin-key', 'compact-usage', 'store-upstream-connection', 'manager-data-snapshot']) {
      for (const flag of ['-h', '--help', '-help']) {
        const { code, out, err } = await run(`${name} ${flag}`);
        expect({ code, out }).toEqual({ code: 0, out: '' });
        expect(err).toContain(`Usage: manager-server ${name}`);
      }
    }
    expect(names()).toEqual([]);
  });

  test('a command line error ends with 1 and does not repeat the value', async () => {
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
    expect(names()).toEqual([]);
  });

  test('a missing, empty or foreign database is refused and not changed', async () => {
    expect((await run('reset-admin-key')).err).toContain('no database at');
    expect(names()).toEqual([]);

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

  test('an error of the file system has its path and its meaning', async () => {
    makeDatabase();
    writeFileSync(inside('data', 'data.key'), 'k');
    const create = 'manager-data-snapshot create --data-key-path data/data.key --snapshot-dir';
    expect((await run(`${create} /proc/x/y`)).err).toMatch(/: \/proc\/x.*: no such file or directory, ENOENT$/);
    expect((await run(`${create} data/data.key/y`)).err).toContain(
      'data/data.key is not a directory; choose another path',
    );
    const long = await run(`reset-admin-key --db-path ${'x'.repeat(120_000)}`);
    expect(long.code).toBe(1);
    expect(long.err).toContain('the path is too long, ENAMETOOLONG');
    expect(long.err.length).toBeLessThan(400);
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
    const account = parseAdminCredential(JSON.stringify(row(ADMIN_ROW)));
    return account !== null && verifyAdminCredential(account, key);
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
    file('key', '  a-key-that-a-person-chose \n');
    for (const line of [
      'reset-admin-key --admin-key-file key',
      'reset-admin-key -admin-key=a-key-that-a-person-chose',
      `reset-admin-key -db-path ${database()} --admin-key a-key-that-a-person-chose`,
    ]) {
      const { code, out, err } = await run(line);
      expect(code).toBe(0);
      expect(out + err).not.toContain('a-key-that-a-person-chose');
      expect(verifies('a-key-that-a-person-chose')).toBe(true);
      expect(row(ADMIN_ROW).source).toBe('cli');
    }
  });

  test('refuses a key that could be guessed and warns about a short one', async () => {
    makeDatabase();
    file('key', 'fifteen-letters');
    for (const line of ['reset-admin-key --admin-key-file key', 'reset-admin-key --admin-key fifteen-letters']) {
      const { code, err } = await run(line);
      expect(code).toBe(1);
      expect(err).toContain('fewer than 16 characters');
      expect(row(ADMIN_ROW)).toBeNull();
    }
    const { code, err } = await run('reset-admin-key --admin-key sixteen-letters!');
    expect(code).toBe(0);
    expect(err).toContain('fewer than 24 characters');
    expect(verifies('sixteen-letters!')).toBe(true);
  });

  test('refuses a key that no header can carry, from flag and file', async () => {
    makeDatabase();
    for (const key of [
      '密'.repeat(24),
      `${'🔑'.repeat(30)}`,
      'ümläüte-im-langen-schlüssel',
      `line-1${'a'.repeat(20)}\nline-2`,
    ]) {
      file('key', key);
      for (const flag of [`--admin-key=${key}`, '--admin-key-file=key']) {
        const { code, out, err } = await run(`reset-admin-key ${flag}`);
        expect({ code, out }).toEqual({ code: 1, out: '' });
        expect(err).toMatch(/a character that clients cannot send|more than one line, or control characters/);
        expect(row(ADMIN_ROW)).toBeNull();
      }
    }
    expect((await run(`reset-admin-key --admin-key=${'a'.repeat(24)}\u001b[0m`)).code).toBe(1);
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
  const KEY = 'upstream-key-1-of-the-tests';
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

  test('the admin key is refused', async () => {
    await store();
    file('admin', `${KEY}\n`);
    await run('reset-admin-key --admin-key-file admin');
    const before = rows();
    const { code, err } = await store('gateway:8317', ' --repair-conflict');
    expect(code).toBe(1);
    expect(err).toContain('this is the admin key of the manager; enter the management key of the gateway');
    expect(rows()).toBe(before);
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

  test('a data key that only a notification target needs is not replaced without the flag, which says what is lost', async () => {
    makeDatabase();
    const sealed = createProtector(randomBytes(32), randomBytes).seal('{"url":"https://hooks.test/x"}');
    withDatabase((db) =>
      db.run(
        `INSERT INTO notification_targets (id, kind, enabled, config, secrets, observed, created_at_ms, updated_at_ms)
         VALUES ('t', 'slack', 1, '{}', ?, '[]', 0, 0)`,
        [sealed],
      ),
    );
    const before = rows();
    const refused = await store();
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('--repair-conflict. Nothing was changed');
    expect(existsSync(inside('data', 'data.key'))).toBe(false);
    expect(rows()).toBe(before);
    const repaired = await store('gateway:8317', ' --repair-conflict');
    expect(repaired).toMatchObject({ code: 0, err: expect.stringContaining('other secrets, such as') });
    expect(stored()).toEqual(connection);
  });

  test('a data key that the manager would not use is refused, also with the flag, and none is made', async () => {
    await store();
    const before = rows();
    file('other.key', Buffer.alloc(32, 7).toString('base64'));
    for (const [path, reason] of [
      ['typo/data.key', 'missing'],
      ['other.key', 'another one'],
    ] as const) {
      for (const repair of ['', ' --repair-conflict']) {
        const { code, err } = await store('http://other', ` --data-key-path ${path}${repair}`);
        expect(code).toBe(1);
        expect(err).toContain(
          `configured for the data key ${inside('data', 'data.key')}, and ${inside(path)} is ${reason}`,
        );
        expect(rows()).toBe(before);
      }
    }
    expect(existsSync(inside('typo'))).toBe(false);
    // The key of this database is right, wherever it is.
    cpSync(inside('data', 'data.key'), inside('moved.key'));
    writeFileSync(inside('data', 'data.key'), Buffer.alloc(32, 7).toString('base64'));
    expect(await store('gateway:8317', ' --data-key-path moved.key')).toMatchObject({ code: 0, err: '' });
  });

  test('a data key that is made elsewhere is reported', async () => {
    const { code, err } = await store('gateway:8317', ' --data-key-path elsewhere/data.key');
    expect(code).toBe(0);
    expect(err).toContain(
      `a new data key was created at ${inside('elsewhere', 'data.key')}, but the manager is configured for`,
    );
    const separate = ' --db-path second/usage.sqlite --data-key-path second/data.key';
    expect((await store('gateway:8317', separate)).err).toEndWith(`created at ${inside('second', 'data.key')}`);
    file('data.key', Buffer.alloc(32, 7).toString('base64'));
    const env = { MANAGER_DATA_KEY_PATH: 'data.key', USAGE_DB_PATH: 'third/usage.sqlite' };
    expect((await store('gateway:8317', ' --data-key-path typo.key', env)).code).toBe(1);
    expect(existsSync(inside('third'))).toBe(false);
  });

  test('the environment must be empty or agree', async () => {
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
    file('big', 'k'.repeat(70_000));
    file('key', 'a-management-key');
    const big = await run('store-upstream-connection --upstream-base-url g --management-key-file big');
    expect(big.err).toContain(`cannot be used: ${inside('big')} is larger than 64 KiB`);
    expect((await run('reset-admin-key --admin-key-file /dev/zero')).err).toContain('/dev/zero is larger than 64 KiB');
    const cases = [
      'store-upstream-connection --upstream-base-url g',
      'store-upstream-connection --management-key-file upstream.key',
      'store-upstream-connection --upstream-base-url g --management-key-file missing',
      'store-upstream-connection --upstream-base-url g --management-key-file empty',
      'store-upstream-connection --upstream-base-url g --management-key-file two',
      'store-upstream-connection --upstream-base-url ftp://g --management-key-file two',
      'store-upstream-connection --upstream-base-url http://g:0 --management-key-file key',
    ];
    for (const line of cases) expect((await run(line)).code).toBe(1);
    expect(existsSync(inside('data'))).toBe(false);
  });
});

test('replay-dead-letters prints the result', async () => {
  makeDatabase();
  withDatabase((db) => db.run("INSERT INTO dead_letters (payload, error, created_at_ms) VALUES ('no json', 'x', 1)"));
  const { code, out } = await run('replay-dead-letters');
  expect({ code, out }).toEqual({ code: 0, out: 'added=0 skipped=0 kept=1' });
});
