import { join } from 'node:path';
import type { Clone } from './builds.ts';

const ends = new Set<() => void>();
process.on('exit', () => {
  for (const end of ends) end();
});

/** Calls `end` when this process exits before `ended`. */
export function endWithThisProcess(end: () => void, ended: Promise<unknown>): void {
  ends.add(end);
  void ended.finally(() => ends.delete(end));
}

/** Runs a script of a clone's bench as its own process; returns the JSON of its last line. */
export function runDriver<T>(clone: Clone, script: string, options: object): Promise<T> {
  return run<T>(clone, [join(clone.root, 'bench', script), JSON.stringify(options)]);
}

/** Runs statements with a clone's modules, as their own process. */
export async function runStatements(clone: Clone, statements: string): Promise<void> {
  await run(clone, ['-e', `${statements}; console.log(null)`]);
}

async function run<T>(clone: Clone, args: readonly string[]): Promise<T> {
  const child = Bun.spawn([clone.runtime, ...args], {
    cwd: join(clone.root, 'bench'),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'inherit',
  });
  endWithThisProcess(() => child.kill('SIGKILL'), child.exited);
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`a driver of the ${clone.label} clone failed: ${args[0]}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as T;
}
