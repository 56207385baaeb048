import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runtimeOptions } from './runtime-options.ts';

const ROOT = join(import.meta.dir, '..', '..');

export interface OfflineOptions {
  readonly dataDir: string;
  /** A stop point, `name` or `name#visit`, at which the command kills itself. */
  readonly stopAt?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Receives stderr as it arrives, and can kill the command. */
  readonly onProgress?: (text: string, kill: (signal: 'SIGKILL' | 'SIGTERM') => void) => void;
}

export interface OfflineResult {
  /** null = killed. */
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs an offline command of the manager as its own process: the built executable, or from source without one. */
export async function runOffline(args: readonly string[], options: OfflineOptions): Promise<OfflineResult> {
  const binary = options.stopAt === undefined ? process.env.MANAGER_BINARY : process.env.MANAGER_STOPPING;
  const command =
    binary && existsSync(binary) ? [binary] : [process.execPath, join(ROOT, 'packages/server/src/main.ts')];
  const child = Bun.spawn([...command, ...args], {
    cwd: options.dataDir,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: options.dataDir,
      TMPDIR: tmpdir(),
      ...runtimeOptions(),
      USAGE_DATA_DIR: options.dataDir,
      ...(options.stopAt === undefined ? {} : { MANAGER_STOP_AT: options.stopAt }),
      ...options.env,
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let err = '';
  const collecting = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stderr) {
      err += decoder.decode(chunk, { stream: true });
      options.onProgress?.(err, (signal) => child.kill(signal));
    }
  })();
  const [out] = await Promise.all([new Response(child.stdout).text(), collecting, child.exited]);
  return { code: child.signalCode === null ? child.exitCode : null, out, err };
}
