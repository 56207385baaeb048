import { beforeEach, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { MANAGER_ROW } from '../../features/setup/connection-store.ts';
import { acquireLock } from '../../platform/lock/lock.ts';
import { createProtector } from '../../platform/secrets/envelope.ts';
import { commandFolder } from './testing/command-folder.ts';

const { inside, database, names, run, makeDatabase, put, row, withDatabase } = commandFolder();

describe('manager-data-snapshot', () => {
  const snapshot = (action: string, signal?: AbortSignal) =>
    run(`manager-data-snapshot ${action} --snapshot-dir snap --data-key-path data/data.key`, {}, signal);

  beforeEach(() => {
    makeDatabase();
    put('marker', 'before');
    writeFileSync(inside('data', 'data.key'), 'key-before', { mode: 0o600 });
  });

  test('restores database and data key exactly, and removes files that did not exist', async () => {
    expect((await snapshot('create')).out).toBe('The database snapshot was created.');
    expect(statSync(inside('snap')).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(inside('snap'))) expect(statSync(inside('snap', name)).mode & 0o777).toBe(0o600);
    const manifest = JSON.parse(readFileSync(inside('snap', 'manifest.json'), 'utf8'));
    expect(manifest.version).toBe(1);
    expect(manifest.files.dataKey).toMatchObject({ existed: true, size: 10, mode: 0o600 });
    expect(manifest.files.journal).toEqual({ existed: false });

    put('marker', 'after');
    writeFileSync(inside('data', 'data.key'), 'key-after');
    writeFileSync(`${database()}-journal`, 'stale');
    expect((await snapshot('restore')).out).toBe('The database snapshot was restored.');
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

  test('a mistyped data key is refused, and a snapshot without one leaves the live key', async () => {
    const create = 'manager-data-snapshot create --snapshot-dir snap --data-key-path data/data.kye';
    const { code, err } = await run(create);
    expect([code, err]).toEqual([1, expect.stringContaining(`no data key at ${inside('data', 'data.kye')}`)]);
    expect(err).toContain('check --data-key-path');
    expect(existsSync(inside('snap'))).toBe(false);

    expect((await run(create, { MANAGER_DATA_KEY: 'a key in the environment, long enough' })).code).toBe(0);
    const restored = await snapshot('restore');
    expect(restored.out).toContain(`It has no data key; ${inside('data', 'data.key')} stays as it was.`);
    expect(readFileSync(inside('data', 'data.key'), 'utf8')).toBe('key-before');
  });

  describe('of a database with secrets', () => {
    const keyText = (byte: number) => Buffer.alloc(32, byte).toString('base64');
    const sealedWith = (byte: number, secret: string) =>
      createProtector(Buffer.alloc(32, byte), randomBytes).seal(secret);
    const putTarget = (secrets: string) =>
      withDatabase((db) =>
        db
          .query(
            `INSERT INTO notification_targets (id, kind, enabled, config, secrets, observed, created_at_ms, updated_at_ms)
             VALUES (?, 'slack', 1, '{}', ?, '[]', 0, 0)`,
          )
          .run(secrets, secrets),
      );

    beforeEach(() => {
      put(MANAGER_ROW, { upstreamConnection: { baseUrl: 'http://g', managementKey: sealedWith(1, 'management-key') } });
      writeFileSync(inside('data', 'data.key'), keyText(1), { mode: 0o600 });
      writeFileSync(inside('data', 'other.key'), keyText(2), { mode: 0o600 });
    });

    test('is created with the key that decrypts them', async () => {
      putTarget(sealedWith(1, '{"url":"https://hooks.test/x"}'));
      expect((await snapshot('create')).out).toBe('The database snapshot was created.');
      expect(readdirSync(inside('data')).filter((name) => /-(wal|shm|journal)$/.test(name))).toEqual([]);
    });

    test.each([
      ['in a file', '--data-key-path data/other.key', {}, 'other.key does not decrypt the secrets of this database'],
      ['in the environment', '--data-key-path data/x', { MANAGER_DATA_KEY: keyText(2) }, 'MANAGER_DATA_KEY does not'],
    ] as const)('is refused with another one %s', async (_, flag, env, reason) => {
      const { code, err } = await run(`manager-data-snapshot create --snapshot-dir snap ${flag}`, env);
      expect(code).toBe(1);
      expect(err).toContain(reason);
      expect(err).toContain('nothing was created');
      expect(existsSync(inside('snap'))).toBe(false);
    });

    test('is refused with another one also where only a notification has a secret', async () => {
      put(MANAGER_ROW, {});
      putTarget(sealedWith(1, '{"url":"https://hooks.test/x"}'));
      const create = 'manager-data-snapshot create --snapshot-dir snap --data-key-path';
      expect((await run(`${create} data/other.key`)).err).toContain('does not decrypt the secrets');
      expect((await run(`${create} data/data.key`)).code).toBe(0);
    });

    test('is created where some were stored with a lost key, which is said', async () => {
      putTarget(sealedWith(3, '{"url":"https://hooks.test/x"}'));
      expect((await snapshot('create')).out).toContain('The data key does not decrypt all of its secrets');
    });
  });

  test('a manifest without a database is none', async () => {
    mkdirSync(inside('snap'));
    const files = Object.fromEntries(
      ['database', 'wal', 'shm', 'journal', 'dataKey'].map((slot) => [slot, { existed: false }]),
    );
    writeFileSync(inside('snap', 'manifest.json'), JSON.stringify({ version: 1, files }));
    expect((await snapshot('restore')).err).toContain('is not a database snapshot');
    expect(row('marker')).toBe('before');
    expect(existsSync(inside('data', 'data.key'))).toBe(true);
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
    expect((await snapshot('restore')).err).toContain('dataKey file of the database snapshot is damaged');
    expect(row('marker')).toBe('after');
  });

  test('a failure while files move restores all of them', async () => {
    await snapshot('create');
    put('marker', 'after');
    // The failure comes after the database has moved.
    rmSync(inside('data', 'data.key'));
    mkdirSync(inside('data', 'data.key'));
    expect((await snapshot('restore')).err).toContain('not a regular file');
    expect(row('marker')).toBe('after');
    expect(readdirSync(inside('data')).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  test('a canceled copy leaves nothing', async () => {
    const cancel = new AbortController();
    cancel.abort();
    expect((await snapshot('create', cancel.signal)).err).toContain('canceled');
    expect(existsSync(inside('snap'))).toBe(false);
    expect(names()).toEqual(['data']);
  });

  test('runs only on a stopped manager', async () => {
    const lock = acquireLock(database());
    expect((await snapshot('create')).err).toContain('stop it first and try again; nothing was changed');
    lock.release();
  });

  test('delete accepts a snapshot and nothing else', async () => {
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
