import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
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

  test('an unknown command prints the usage and ends with 2', () => {
    const { code, stdout, stderr } = run(['serve-me'], folder());
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('reset-admin-key');
    expect(stderr).toStartWith('manager-server: unknown command serve-me; see manager-server --help\n');
  });
});
