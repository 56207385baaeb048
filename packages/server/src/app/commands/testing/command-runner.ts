import { randomBytes } from 'node:crypto';
import type { Environment } from '../../../platform/config/values.ts';
import { findCommand } from '../catalogue.ts';
import { runCommand } from '../command.ts';

export interface CommandRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** Working directory, with `config.json`. */
  readonly directory: string;
  readonly now?: () => number;
  readonly env?: Environment;
  readonly signal?: AbortSignal;
  /** Called with every line of stderr at once. */
  readonly onProgress?: (line: string) => void;
}

/** Runs an offline command inside this process. */
export async function runInProcess(args: readonly string[], options: RunOptions): Promise<CommandRun> {
  const [name = '', ...rest] = args;
  const command = await findCommand(name)?.load();
  if (command === undefined) throw new Error(`no command ${name}`);
  const out: string[] = [];
  const err: string[] = [];
  const code = await runCommand(command, rest, {
    env: options.env ?? {},
    cwd: options.directory,
    executableDir: options.directory,
    stdout: (text) => out.push(text),
    stderr: (text) => {
      err.push(text);
      options.onProgress?.(text);
    },
    now: options.now ?? Date.now,
    randomBytes,
    signal: options.signal ?? new AbortController().signal,
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}
