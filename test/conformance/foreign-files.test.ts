import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { asUser, ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { mountSmallVolume } from '../support/small-volume.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

// Files that the manager may not use, or that cannot be meant as they are: the executable, started as another user than their owner.

setDefaultTimeout(60_000);

const UID = 65_534;
/** Reachable for every user; everything of these tests is in it. */
const base = temporaryFolder();
const executable = join(base, 'manager-server');
let serial = 0;

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error('these tests start processes as another user: root is needed');
  chmodSync(base, 0o755);
  copyFileSync(process.env.MANAGER_BINARY ?? '', executable);
  chmodSync(executable, 0o755);
});

afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A directory of the user. */
function ownFolder(): string {
  const path = join(base, `folder-${serial++}`);
  mkdirSync(path, { mode: 0o700 });
  chownSync(path, UID, UID);
  return path;
}

function fileIn(folder: string, name: string, content: string | Uint8Array, uid = UID): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, 0o600);
  chownSync(path, uid, uid);
  return path;
}

/** A data directory in which the user's manager ran once. */
async function usedFolder(): Promise<string> {
  const dataDir = ownFolder();
  const manager = await ManagerProcess.start({ dataDir, uid: UID, cwd: base, executable });
  await manager.stop();
  return dataDir;
}

function give(path: string): string {
  chownSync(path, 0, 0);
  chmodSync(path, 0o600);
  return path;
}

const runToEnd = (dataDir: string, env: Readonly<Record<string, string>> = {}) =>
  ManagerProcess.runToEnd({ dataDir, uid: UID, cwd: base, executable, env });

function expectExplained(output: string, path: string, command: string): void {
  expect(output).toContain(`${path} belongs to uid 0 (mode `);
  expect(output).toContain(`and the manager runs as uid ${UID}`);
  expect(output).toContain(`run: ${command}`);
  expect(output).not.toContain('"stack"');
}

function command(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { exitCode, stderr } = Bun.spawnSync([...asUser(UID), executable, ...args], {
    cwd: base,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  return { code: exitCode, error: stderr.toString() };
}

describe('a start names path, owner, own user and the command that helps, for', () => {
  test('the data directory', async () => {
    const dataDir = ownFolder();
    chownSync(dataDir, 0, 0);
    const { code, output } = await runToEnd(dataDir);
    expect(code).toBe(1);
    expectExplained(output, dataDir, `chown -R ${UID}:${UID} ${dataDir}`);
    expect(output).toContain('in a container: start it with --user 0:0');
  });

  test('a data directory that may be read but not written', async () => {
    const dataDir = ownFolder();
    chownSync(dataDir, 0, 0);
    chmodSync(dataDir, 0o755);
    const { code, output } = await runToEnd(dataDir);
    expect(code).toBe(1);
    expectExplained(output, dataDir, `chown -R ${UID}:${UID} ${dataDir}`);
  });

  test('a missing data directory in a foreign one, which is not given away', async () => {
    const foreign = ownFolder();
    chownSync(foreign, 0, 0);
    chmodSync(foreign, 0o755);
    const dataDir = join(foreign, 'data');
    const { code, output } = await runToEnd(base, { USAGE_DATA_DIR: dataDir });
    expect(code).toBe(1);
    expectExplained(output, foreign, `mkdir -p ${dataDir} && chown ${UID}:${UID} ${dataDir}`);
  });

  test.each(['usage.sqlite', 'data.key', 'usage.sqlite.manager.lock'])('%s', async (name) => {
    const dataDir = await usedFolder();
    const path = give(join(dataDir, name));
    const { code, output } = await runToEnd(dataDir);
    expect(code).toBe(1);
    expectExplained(output, path, `chown ${UID}:${UID} ${path}`);
  });

  test('a database and a lock file that may only be read', async () => {
    const dataDir = await usedFolder();
    for (const name of ['usage.sqlite', 'usage.sqlite.manager.lock']) {
      const path = give(join(dataDir, name));
      chmodSync(path, 0o644);
      const { code, output } = await runToEnd(dataDir);
      expect(code).toBe(1);
      expectExplained(output, path, `chown ${UID}:${UID} ${path}`);
      chownSync(path, UID, UID);
    }
  });

  test('the log of the database', async () => {
    const dataDir = await usedFolder();
    const path = fileIn(dataDir, 'usage.sqlite-wal', '', 0);
    const { code, output } = await runToEnd(dataDir);
    expect(code).toBe(1);
    expectExplained(output, path, `chown ${UID}:${UID} ${path}`);
  });

  test('the configuration, and the directory in which it would be created', async () => {
    const dataDir = ownFolder();
    const config = fileIn(dataDir, 'config.json', '{}', 0);
    const { code, output } = await runToEnd(dataDir, { MANAGER_CONFIG: config });
    expect(code).toBe(1);
    expectExplained(output, config, `chown ${UID}:${UID} ${config}`);

    const foreign = ownFolder();
    chownSync(foreign, 0, 0);
    chmodSync(foreign, 0o755);
    const created = await runToEnd(dataDir, { MANAGER_CONFIG: join(foreign, 'config.json') });
    expect(created.code).toBe(1);
    expectExplained(created.output, foreign, `chown -R ${UID}:${UID} ${foreign}`);
    expect(created.output).toContain('or set MANAGER_CONFIG to a writable path');
  });

  test('a file where a directory is expected, whoever owns it', async () => {
    const dataDir = ownFolder();
    const inTheWay = fileIn(dataDir, 'file', 'x', 0);
    for (const env of [
      { USAGE_DATA_DIR: join(inTheWay, 'data') },
      { USAGE_DATA_DIR: inTheWay },
      { USAGE_DB_PATH: join(inTheWay, 'usage.sqlite') },
      { MANAGER_DATA_KEY_PATH: join(inTheWay, 'keys', 'data.key') },
      { MANAGER_CONFIG: join(inTheWay, 'config.json') },
    ]) {
      for (const uid of [UID, 0]) {
        const { code, output } = await ManagerProcess.runToEnd({ dataDir, uid, cwd: base, executable, env });
        expect([code, output]).toEqual([
          1,
          expect.stringContaining(`${inTheWay} is not a directory; choose another path`),
        ]);
        expect(output).not.toMatch(/belongs to|chmod|"stack"/);
      }
    }
    const { code, error } = command(['reset-admin-key'], { USAGE_DATA_DIR: join(inTheWay, 'data') });
    expect([code, error]).toEqual([1, expect.stringContaining(`${inTheWay} is not a directory`)]);
  });

  test('a link that may not be followed', async () => {
    const { code, output } = await runToEnd(base, { USAGE_DATA_DIR: '/proc/1/cwd/x' });
    expect([code, output]).toEqual([1, expect.stringContaining('/proc/1/cwd cannot be followed (EACCES)')]);
    expect(output).not.toMatch(/"stack"| {4}at /);
  });

  test('an own file without permissions', async () => {
    const dataDir = await usedFolder();
    const path = join(dataDir, 'data.key');
    chmodSync(path, 0);
    const { code, output } = await runToEnd(dataDir);
    expect(code).toBe(1);
    expect(output).toContain(`${path} belongs to uid ${UID} (mode 0000)`);
    expect(output).toContain(`run: chmod u+rw ${path}`);
  });
});

test('a read-only file system is named, for data and configuration', async () => {
  const volume = mountSmallVolume(8);
  try {
    chmodSync(volume.folder, 0o777);
    const { exitCode } = Bun.spawnSync(['mount', '-o', 'remount,ro', volume.folder]);
    expect(exitCode).toBe(0);
    const dataDir = ownFolder();
    const config = await runToEnd(dataDir, { MANAGER_CONFIG: join(volume.folder, 'config.json') });
    expect(config.output).toContain(`${volume.folder} is on a read-only file system; mount it writable`);
    const data = await runToEnd(base, { USAGE_DATA_DIR: volume.folder });
    expect(data.output).toContain(`${volume.folder} is on a read-only file system; mount it writable`);
    expect([config.code, data.code]).toEqual([1, 1]);
    expect(config.output + data.output).not.toContain('"stack"');
  } finally {
    volume.unmount();
  }
});

test('a foreign spool file is explained in the log', async () => {
  const gateway = await startTestGateway();
  const dataDir = await usedFolder();
  const spool = fileIn(dataDir, 'collector-spool.jsonl', '"a record"\n', 0);
  const env = boundTo(gateway);
  const manager = await ManagerProcess.start({ dataDir, uid: UID, cwd: base, executable, env });
  try {
    await until(() => manager.output.includes(`${spool} belongs to uid 0`), 'the explanation');
    expectExplained(manager.output, spool, `chown ${UID}:${UID} ${spool}`);
  } finally {
    await manager.stop();
    await gateway.stop();
  }
});

test.each(['usage-imports', 'usage-archives'])('a foreign %s is explained in the log', async (name) => {
  const dataDir = await usedFolder();
  const directory = join(dataDir, name);
  if (!existsSync(directory)) mkdirSync(directory);
  chownSync(directory, 0, 0);
  chmodSync(directory, 0o700);
  const manager = await ManagerProcess.start({ dataDir, uid: UID, cwd: base, executable });
  try {
    // At the start, not when it is needed for the first time.
    await manager.printed(`${directory} belongs to uid 0`);
    const path = name === 'usage-imports' ? 'import-sessions' : 'archives';
    const answer = await manager.fetch(`/v0/management/usage/${path}`);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(await answer.text()).not.toContain(dataDir);
    expectExplained(manager.output, directory, `chown -R ${UID}:${UID} ${directory}`);
  } finally {
    await manager.stop();
  }
});

describe('a key file', () => {
  const wide = (text: string, mark = true) => Buffer.from(`${mark ? '\ufeff' : ''}${text}`, 'utf16le');
  const CONTENTS: readonly (readonly [name: string, content: string | Uint8Array, words: string])[] = [
    ['with quotes', '"a-key-of-24-characters-or-many-more"\n', 'has quotes around the key'],
    [
      'in UTF-16',
      wide('a-key-of-24-characters-or-many-more\r\n'),
      'is UTF-16 text; save it as UTF-8, for example: iconv',
    ],
    ['in UTF-16, high byte first', wide('a-key-of-24-characters').swap16(), 'is UTF-16 text'],
    ['in UTF-16 without a mark', wide('a-key-of-24-characters-or-many-more', false), 'is UTF-16 text'],
  ];
  const NO_LINE = 'has more than one line, or control characters';
  const KEYS: typeof CONTENTS = [
    ...CONTENTS,
    ['with two lines', 'a-key-of-24-characters-or-more\nanother-line\n', NO_LINE],
    ['with a NUL', 'a-key-of-24-characters\u0000-or-more', NO_LINE],
  ];
  const VARIABLES = ['MANAGER_ADMIN_KEY_FILE', 'UPSTREAM_MANAGEMENT_KEY_FILE'];

  test.each(KEYS.flatMap((content) => VARIABLES.map((variable) => [variable, ...content] as const)))(
    '%s %s ends the start with its path',
    async (variable, _, content, words) => {
      const dataDir = ownFolder();
      const path = fileIn(dataDir, 'key', content);
      const { code, output } = await ManagerProcess.runToEnd({
        dataDir,
        uid: UID,
        cwd: base,
        executable,
        adminKey: '',
        env: { [variable]: path },
      });
      expect(code).toBe(1);
      expect(output).toContain(`${path} ${words}`);
      expect(output).not.toContain('a-key-of');
      expect(output).not.toContain('"stack"');
      expect(existsSync(join(dataDir, 'usage.sqlite'))).toBe(false);
    },
  );

  test.each(CONTENTS)('of the stored data key %s ends the start with its path', async (_, content, words) => {
    const dataDir = await usedFolder();
    const path = fileIn(dataDir, 'data.key', content);
    const { code, output } = await runToEnd(dataDir);
    expect(code).toBe(1);
    expect(output).toContain(`${path} ${words}`);
    expect(readFileSync(path)).toEqual(Buffer.from(content));
  });

  test.each(CONTENTS)('of a command %s is refused with its path', async (_, content, words) => {
    const dataDir = await usedFolder();
    const path = fileIn(dataDir, 'key', content);
    const { code, error } = command(['reset-admin-key', '--admin-key-file', path], { USAGE_DATA_DIR: dataDir });
    expect(code).toBe(1);
    expect(error).toStartWith('reset-admin-key: ');
    expect(error).toContain(`${path} ${words}`);
    expect(error).not.toContain('a-key-of');
  });

  test('in a variable with quotes ends the start, and a data key with quotes is only warned about', async () => {
    const dataDir = ownFolder();
    const quoted = "'a-key-of-24-characters-or-many-more'";
    const refused = await runToEnd(dataDir, { MANAGER_ADMIN_KEY: quoted });
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('MANAGER_ADMIN_KEY has quotes around the key');
    const manager = await ManagerProcess.start({
      dataDir,
      uid: UID,
      cwd: base,
      executable,
      env: { MANAGER_DATA_KEY: quoted },
    });
    await manager.printed('MANAGER_DATA_KEY has quotes around the key, which are part of it');
    await manager.stop();
  });

  test('of somebody else is explained, because the manager would make a random key', async () => {
    const dataDir = ownFolder();
    const path = fileIn(dataDir, 'key', 'a-key-of-24-characters-or-many-more', 0);
    const env = { MANAGER_ADMIN_KEY_FILE: path };
    const manager = await ManagerProcess.start({ dataDir, uid: UID, cwd: base, executable, adminKey: '', env });
    await manager.printed('the secret counts as unset');
    expectExplained(manager.output, path, `chown ${UID}:${UID} ${path}`);
    await manager.stop();
  });
});

describe('a command', () => {
  test('names path, owner, own user and the command that helps', async () => {
    const dataDir = await usedFolder();
    const database = give(join(dataDir, 'usage.sqlite'));
    const { code, error } = command(['reset-admin-key'], { USAGE_DATA_DIR: dataDir });
    expect(code).toBe(1);
    expectExplained(error, database, `chown ${UID}:${UID} ${database}`);
    const foreign = ownFolder();
    chownSync(foreign, 0, 0);
    chmodSync(foreign, 0o755);
    const input = fileIn(dataDir, 'config.json', '{}');
    const output = join(foreign, 'config.json');
    const written = command(['sanitize-runtime-config', '--input', input, '--output', output]);
    expect(written.code).toBe(1);
    expectExplained(written.error, foreign, `chown -R ${UID}:${UID} ${foreign}`);
  });

  test('that restores over a mounted file says so, and changes nothing', async () => {
    const dataDir = await usedFolder();
    const snapshot = join(dataDir, 'snapshot');
    const files = ['--snapshot-dir', snapshot, '--data-key-path', join(dataDir, 'data.key')];
    const env = { USAGE_DATA_DIR: dataDir };
    expect(command(['manager-data-snapshot', 'create', ...files], env)).toEqual({ code: 0, error: '' });
    const key = join(dataDir, 'data.key');
    const before = readFileSync(join(dataDir, 'usage.sqlite'));
    expect(Bun.spawnSync(['mount', '--bind', key, key]).exitCode).toBe(0);
    try {
      const { code, error } = command(['manager-data-snapshot', 'restore', ...files], env);
      expect(code).toBe(1);
      expect(error).toContain(`${key} is a mount point and cannot be replaced; nothing was changed`);
      expect(error).toContain(`-v DIRECTORY:${dataDir}`);
      expect(readFileSync(join(dataDir, 'usage.sqlite'))).toEqual(before);
    } finally {
      Bun.spawnSync(['umount', key]);
    }
    expect(command(['manager-data-snapshot', 'restore', ...files], env).code).toBe(0);
  });
});
