import { join } from 'node:path';
import { BENCH } from './paths.ts';

const running = new Set<Bun.Subprocess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Ends with this process, however that ends. */
export function track<T extends Bun.Subprocess>(child: T): T {
  running.add(child);
  void child.exited.then(() => running.delete(child));
  return child;
}

/** Runs a driver of this folder in a process of its own and returns the JSON object it prints last. */
export async function runChild<T = Record<string, number>>(
  script: string,
  options: Readonly<Record<string, unknown>>,
  runtime: string = process.execPath,
): Promise<T> {
  const child = track(
    Bun.spawn([runtime, join(BENCH, script), JSON.stringify(options)], {
      cwd: BENCH,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
    }),
  );
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${script} failed`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as T;
}
