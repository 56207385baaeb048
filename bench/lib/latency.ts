import { join } from 'node:path';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { track } from './children.ts';
import { BENCH } from './paths.ts';

/** Calls `work` at a steady rate without waiting for the one before, and returns how long each took, in ms. */
export async function atRate(perSecond: number, seconds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const startedMs = performance.now();
  const total = Math.round(perSecond * seconds);
  for (let index = 0; index < total; index++) {
    const waitMs = startedMs + (index * 1000) / perSecond - performance.now();
    if (waitMs > 1) await Bun.sleep(waitMs);
    const beganMs = performance.now();
    calls.push(
      work().then(() => {
        times.push(performance.now() - beganMs);
      }),
    );
  }
  await Promise.all(calls);
  return times;
}

/**
 * Asks `/health` over and over, from a process of its own: the one that measures is busy taking long answers. `stop` gives
 * the times in ms.
 */
export function watchHealth(manager: ManagerProcess): { stop(): Promise<number[]> } {
  const command = [process.execPath, join(BENCH, 'drivers/watch-health.ts'), manager.url];
  const watcher = track(Bun.spawn(command, { stdout: 'pipe', stderr: 'inherit' }));
  return {
    async stop() {
      watcher.kill('SIGTERM');
      return JSON.parse(await new Response(watcher.stdout).text()) as number[];
    },
  };
}
