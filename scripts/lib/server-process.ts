import { spawn } from 'node:child_process';

/** Replaces this process with the pinned runtime: same streams, signals passed on, same exit code. */
export function becomeServer(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<never> {
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise(() => {
    child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
  });
}
