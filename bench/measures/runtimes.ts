import { join } from 'node:path';
import { compileServer } from '../../scripts/lib/build.ts';
import { fetchRuntime } from '../../scripts/lib/runtime.ts';
import { copyOf } from '../dataset/database.ts';
import { HISTORY_END_MS } from '../dataset/events.ts';
import type { WriteResult } from '../drivers/write-events.ts';
import { runChild } from '../lib/children.ts';
import { type Figure, median } from '../lib/figures.ts';
import { startManager } from '../lib/manager.ts';
import { OUT } from '../lib/paths.ts';
import { questionsOf } from '../lib/questions.ts';
import type { Measure, MeasureContext } from './measure.ts';
import { warmTimes } from './pages.ts';

const DAY_MS = 86_400_000;
const ROUNDS = 2;
/** Packaged for processors without AVX2, and the usual one. */
const RUNTIMES = [
  { name: 'default', target: 'bun-linux-x64', package: 'bun-linux-x64' },
  { name: 'baseline', target: 'bun-linux-x64-baseline', package: 'bun-linux-x64-baseline' },
] as const;

/** Whether the runtime that needs no AVX2 costs anything: ingest and pages with both, in turns. */
export const measureRuntimes: Measure = async (context) => {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { figures: [] };
  const prepared = RUNTIMES.map((runtime) => {
    const executable = fetchRuntime('linux', runtime.package);
    const outfile = join(OUT, `manager-server-${runtime.name}`);
    compileServer({ outfile, version: 'dev', target: runtime.target, runtime: executable });
    return { ...runtime, executable, outfile, ingest: [] as number[], pages: [] as number[] };
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const runtime of prepared) {
      context.progress(`${runtime.name}, round ${round + 1} of ${ROUNDS}`);
      const { eventUs, pageMs } = await measureOnce(context, runtime.executable, runtime.outfile);
      runtime.ingest.push(eventUs);
      runtime.pages.push(pageMs);
    }
  }
  const figures: Figure[] = prepared.flatMap(({ name, ingest, pages }) => [
    { name: `${name} runtime, ingest, processor time`, value: mean(ingest), unit: 'µs/event' },
    { name: `${name} runtime, median event page`, value: mean(pages), unit: 'ms' },
  ]);
  const [usual, baseline] = prepared;
  if (usual !== undefined && baseline !== undefined) {
    const slower = (usualTime: number, baselineTime: number) => (baselineTime / usualTime - 1) * 100;
    figures.push(
      {
        name: 'baseline costs, ingest',
        value: slower(mean(usual.ingest), mean(baseline.ingest)),
        unit: '%',
        bar: { atMost: 10 },
      },
      {
        name: 'baseline costs, pages',
        value: slower(mean(usual.pages), mean(baseline.pages)),
        unit: '%',
        bar: { atMost: 10 },
      },
    );
  }
  return { figures, details: prepared.map(({ name, ingest, pages }) => ({ name, ingest, pages })) };
};

async function measureOnce(
  { plan, base }: MeasureContext,
  executable: string,
  binary: string,
): Promise<{ eventUs: number; pageMs: number }> {
  const copy = copyOf(base);
  try {
    const manager = await startManager(copy, { binary });
    const range = { fromMs: HISTORY_END_MS - 30 * DAY_MS, toMs: HISTORY_END_MS + DAY_MS };
    const times = await warmTimes(manager, range, await questionsOf(manager, range), plan.warmRuns);
    await manager.stop();
    const options = { path: copy.path, seconds: plan.runtimeSeconds, seed: 9, warmupSeconds: 2 };
    const { cores, perSecond } = await runChild<WriteResult>('drivers/write-events.ts', options, executable);
    return { eventUs: (cores * 1e6) / perSecond, pageMs: median(Object.values(times).map(({ p50 }) => p50)) };
  } finally {
    copy.remove();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
