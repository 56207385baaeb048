import type { ManagerProcess } from '../../test/support/manager-process.ts';

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

const HEALTH_EVERY_MS = 20;

/** Asks `/health` over and over; `stop` gives the times in ms. */
export function watchHealth(manager: ManagerProcess): { stop(): Promise<number[]> } {
  const times: number[] = [];
  let stopped = false;
  const done = (async () => {
    while (!stopped) {
      const beganMs = performance.now();
      await (await fetch(`${manager.url}/health`)).arrayBuffer();
      times.push(performance.now() - beganMs);
      await Bun.sleep(HEALTH_EVERY_MS);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await done;
      return times;
    },
  };
}
