import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createAdminCredential } from '@manager/server/platform/secrets/admin-key';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';

const folders: string[] = [];
function folder(): string {
  const path = temporaryFolder();
  folders.push(path);
  return path;
}
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});

describe('starting', () => {
  test('prints the address and the generated key once; files are private', async () => {
    const dataDir = folder();
    const first = await ManagerProcess.start({ dataDir, adminKey: '' });
    const keys = first.output.match(/mgr_[A-Za-z0-9_-]{43}/g) ?? [];
    expect(keys).toHaveLength(1);
    expect(first.output).toContain(first.url);
    const status = await fetch(`${first.url}/status`, { headers: { Authorization: `Bearer ${keys[0]}` } });
    expect(status.status).toBe(200);
    // Without a connection the queue is the configured one.
    expect(await status.json()).toMatchObject({
      collector: { collector: 'stopped', queue: 'usage' },
      database: { checkpoint: { busy: 0 } },
    });
    for (const name of readdirSync(dataDir)) {
      const { mode } = statSync(join(dataDir, name));
      expect(`${name} ${(mode & 0o077).toString(8)}`).toBe(`${name} 0`);
    }
    expect(await first.stop()).toBe(0);

    const second = await ManagerProcess.start({ dataDir, adminKey: '' });
    expect(second.output).not.toContain('mgr_');
    await second.stop();
  });

  test.each(['SIGHUP', 'SIGQUIT', 'SIGINT', 'SIGTERM'] as const)(
    '%s stops it, and signals without a meaning do nothing',
    async (signal) => {
      const manager = await ManagerProcess.start({ dataDir: folder(), ignoreHangup: false });
      for (const meaningless of ['SIGUSR1', 'SIGUSR2'] as const) process.kill(manager.pid, meaningless);
      expect((await fetch(`${manager.url}/health`)).status).toBe(200);
      process.kill(manager.pid, signal);
      expect(await manager.ended).toBe(0);
    },
  );

  test('a closed terminal does not stop one that was started to survive it', async () => {
    const dataDir = folder();
    const manager = await ManagerProcess.start({ dataDir, ignoreHangup: true });
    process.kill(manager.pid, 'SIGHUP');
    expect((await fetch(`${manager.url}/health`)).status).toBe(200);
    expect(await manager.stop()).toBe(0);
  });

  test('an admin key that could be guessed or not be sent is refused, from the environment, its file and config.json', async () => {
    const dataDir = folder();
    const key = 'fifteen-letters';
    writeFileSync(join(dataDir, 'chosen.key'), key);
    writeFileSync(join(dataDir, 'config.json'), JSON.stringify({ adminKeyFile: 'chosen.key', dataDir: '.' }));
    for (const [adminKey, env] of [
      [key, {}],
      ['', { MANAGER_ADMIN_KEY_FILE: 'chosen.key' }],
      ['', { MANAGER_CONFIG: join(dataDir, 'config.json') }],
    ] as const) {
      const { code, output } = await ManagerProcess.runToEnd({ dataDir, adminKey, env });
      expect(code).toBe(1);
      expect(output).toContain('the chosen admin key has fewer than 16 characters');
      expect(output).not.toContain(key);
    }
    // No header could carry it, so nobody could sign in.
    const unsendable = await ManagerProcess.runToEnd({ dataDir, adminKey: '密码'.repeat(12) });
    expect(unsendable.code).toBe(1);
    expect(unsendable.output).toContain('the chosen admin key contains a character that clients cannot send');
    // Nothing was stored: a longer key is the first one, and a short one is only warned about.
    const manager = await ManagerProcess.start({ dataDir, adminKey: 'sixteen-letters!' });
    expect(manager.output).toContain('the admin key has fewer than 24 characters');
    expect((await manager.fetch('/status')).status).toBe(200);
    await manager.stop();
  });

  test('a short key that an older version stored still opens the manager, which warns at its first use', async () => {
    const dataDir = folder();
    const first = await ManagerProcess.start({ dataDir });
    await first.stop();
    const database = new Database(join(dataDir, 'usage.sqlite'));
    const stored = createAdminCredential({ key: 'short', source: 'env', nowMs: 1, randomBytes });
    database.run("UPDATE settings SET value = ? WHERE key = 'admin_credential_v1'", [JSON.stringify(stored)]);
    database.close();

    const manager = await ManagerProcess.start({ dataDir, adminKey: '' });
    const status = () => fetch(`${manager.url}/status`, { headers: { Authorization: 'Bearer short' } });
    expect((await status()).status).toBe(200);
    await manager.printed('the admin key has fewer than 16 characters');
    expect((await status()).status).toBe(200);
    await manager.stop();
    expect(manager.output.match(/fewer than/g)).toHaveLength(1);
  });

  test('a second manager on the same database ends with 1 and names the lock', async () => {
    const manager = await ManagerProcess.start({ dataDir: folder() });
    const { code, output } = await ManagerProcess.runToEnd({ dataDir: manager.dataDir });
    expect(code).toBe(1);
    expect(output).toContain('usage.sqlite.manager.lock');
    await manager.stop();
  });

  test('a second manager on the same port, with its own database, exits with 1 and reports why', async () => {
    const manager = await ManagerProcess.start({ dataDir: folder() });
    const { code, output } = await ManagerProcess.runToEnd({
      dataDir: folder(),
      port: Number(new URL(manager.url).port),
    });
    expect(code).toBe(1);
    expect(output).toMatch(/in use/i);
    await manager.stop();
  });

  test('after kill -9 it starts at once', async () => {
    const manager = await ManagerProcess.start({ dataDir: folder() });
    await manager.kill();
    const again = await ManagerProcess.start({ dataDir: manager.dataDir });
    expect((await fetch(`${again.url}/health`)).status).toBe(200);
    await again.stop();
  });
});

describe('the command line', () => {
  const run = (args: readonly string[], cwd: string) => {
    const binary = process.env.MANAGER_BINARY ?? '';
    const started = performance.now();
    const result = Bun.spawnSync([binary, ...args], { cwd, env: { PATH: process.env.PATH ?? '' } });
    return {
      ms: performance.now() - started,
      code: result.exitCode,
      stdout: result.stdout.toString(),
      stderr: result.stderr.toString(),
    };
  };

  test('--version prints the version and touches no file, whatever lies in the working directory', async () => {
    const cwd = folder();
    await Bun.write(join(cwd, 'bunfig.toml'), 'this is not toml = [');
    await Bun.write(join(cwd, '.env'), 'MANAGER_CONFIG=/nonexistent');
    const { code, stdout } = run(['--version'], cwd);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'dev\n' });
    expect(readdirSync(cwd).sort()).toEqual(['.env', 'bunfig.toml']);
  });

  test('an admin key that no header can carry is refused before anything is opened', () => {
    const cwd = folder();
    for (const key of ['密码'.repeat(12), 'line-1-of-the-admin-key\nline-2']) {
      const { code, stdout, stderr } = run(['reset-admin-key', '--admin-key', key], cwd);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain('the chosen admin key contains a character that clients cannot send');
    }
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('an unknown command prints the usage and ends with 2', () => {
    const { code, stdout, stderr } = run(['serve-me'], folder());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('reset-admin-key');
    expect(stderr).toStartWith('manager-server: unknown command serve-me; see manager-server --help\n');
  });
});
