import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock, LockError, requireSingleLink } from './lock.ts';

let directory: string;
let holders: Bun.Subprocess[] = [];

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'lock-')));
});
afterEach(async () => {
  for (const holder of holders) {
    holder.kill('SIGKILL');
    await holder.exited;
  }
  holders = [];
  rmSync(directory, { recursive: true, force: true });
});

/** A child process that holds the lock until it is killed. */
async function holdInChild(path: string): Promise<Bun.Subprocess> {
  const source = `
    import { acquireLock } from ${JSON.stringify(join(import.meta.dir, 'lock.ts'))};
    globalThis.lock = acquireLock(${JSON.stringify(path)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const child = Bun.spawn([process.execPath, '-e', source], { stdout: 'pipe', stderr: 'inherit' });
  holders.push(child);
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value).trim()).toBe('held');
  return child;
}

function refusal(path: string): LockError {
  try {
    acquireLock(path).release();
  } catch (error) {
    if (error instanceof LockError) return error;
    throw error;
  }
  throw new Error('the lock was given');
}

test('a second process is refused with the lock path; kill -9 frees the lock at once', async () => {
  const path = join(directory, 'usage.sqlite');
  const child = await holdInChild(path);
  const error = refusal(path);
  expect(error.reason).toBe('held');
  expect(error.message).toContain(`already held for ${path}.manager.lock`);
  child.kill('SIGKILL');
  await child.exited;
  acquireLock(path).release();
});

test('every spelling of one file contends for one lock', async () => {
  const real = join(directory, 'real');
  mkdirSync(real);
  writeFileSync(join(real, 'usage.sqlite'), '');
  symlinkSync(real, join(directory, 'alias'));
  symlinkSync(join(real, 'usage.sqlite'), join(directory, 'link.sqlite'));
  await holdInChild(join(real, 'usage.sqlite'));
  for (const spelling of ['alias/usage.sqlite', 'real/../alias//usage.sqlite', 'real/usage.sqlite/', 'link.sqlite']) {
    expect(refusal(`${directory}/${spelling}`).reason).toBe('held');
  }
});

test('the canonical path is the one behind the links', () => {
  mkdirSync(join(directory, 'real'));
  symlinkSync(join(directory, 'real'), join(directory, 'alias'));
  const lock = acquireLock(join(directory, 'alias', 'usage.sqlite'));
  expect(lock.canonicalPath).toBe(join(directory, 'real', 'usage.sqlite'));
  expect(lock.lockPath).toBe(`${lock.canonicalPath}.manager.lock`);
  lock.release();
});

test('a second lock inside the process is refused and does not end the first', async () => {
  const path = join(directory, 'usage.sqlite');
  const lock = acquireLock(path);
  expect(refusal(path).reason).toBe('held');
  const child = Bun.spawnSync([
    process.execPath,
    '-e',
    `import { acquireLock } from ${JSON.stringify(join(import.meta.dir, 'lock.ts'))};
     try { acquireLock(${JSON.stringify(path)}); console.log('given'); } catch (error) { console.log(error.reason); }`,
  ]);
  expect(child.stdout.toString().trim()).toBe('held');
  lock.release();
  acquireLock(path).release();
});

test('missing directories are made private, the lock file too, and it stays empty', () => {
  const lock = acquireLock(join(directory, 'a', 'b', 'usage.sqlite'));
  expect(statSync(join(directory, 'a')).mode & 0o777).toBe(0o700);
  expect(statSync(lock.lockPath).mode & 0o777).toBe(0o600);
  expect(statSync(lock.lockPath).size).toBe(0);
  lock.release();
  expect(statSync(lock.lockPath).size).toBe(0);
});

test('a dangling link is refused by name and its target not created', () => {
  symlinkSync(join(directory, 'nowhere.sqlite'), join(directory, 'usage.sqlite'));
  const error = refusal(join(directory, 'usage.sqlite'));
  expect(error.message).toContain(join(directory, 'usage.sqlite'));
  expect(() => statSync(join(directory, 'nowhere.sqlite'))).toThrow();
});

test('a database with two hard links is refused, and the lock is free again', () => {
  const path = join(directory, 'usage.sqlite');
  writeFileSync(path, '');
  linkSync(path, join(directory, 'other.sqlite'));
  expect(refusal(path).message).toMatch(/one canonical path/);
  rmSync(join(directory, 'other.sqlite'));
  const lock = acquireLock(path);
  linkSync(path, join(directory, 'late.sqlite'));
  expect(() => requireSingleLink(lock.canonicalPath)).toThrow(LockError);
  lock.release();
});

test('a lock file that is a link, a directory or has a second name is refused', () => {
  const path = join(directory, 'usage.sqlite');
  writeFileSync(join(directory, 'victim'), 'data');
  symlinkSync(join(directory, 'victim'), `${path}.manager.lock`);
  expect(refusal(path).reason).toBe('unusable');
  rmSync(`${path}.manager.lock`);
  linkSync(join(directory, 'victim'), `${path}.manager.lock`);
  expect(refusal(path).reason).toBe('unusable');
  rmSync(`${path}.manager.lock`);
  mkdirSync(`${path}.manager.lock`);
  expect(refusal(path).reason).toBe('unusable');
  expect(statSync(join(directory, 'victim')).size).toBe(4);
});

test('content of the lock file is ignored', () => {
  const path = join(directory, 'usage.sqlite');
  writeFileSync(`${path}.manager.lock`, 'pid=1234\n'.repeat(200));
  const lock = acquireLock(path);
  expect(refusal(path).reason).toBe('held');
  lock.release();
});

test('a directory in place of the database is refused', () => {
  mkdirSync(join(directory, 'usage.sqlite'));
  expect(refusal(join(directory, 'usage.sqlite')).message).toMatch(/not a regular file/);
  expect(refusal(' ').reason).toBe('unusable');
});

test('the lock outlives opening and closing the database itself', async () => {
  const path = join(directory, 'usage.sqlite');
  const lock = acquireLock(path);
  new Database(lock.canonicalPath, { create: true }).close();
  expect(refusal(path).reason).toBe('held');
  lock.release();
});
