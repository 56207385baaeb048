import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { copyOf } from '../dataset/database.ts';
import { startPublishing } from '../lib/commits.ts';
import { quantile } from '../lib/figures.ts';
import { watchHealth } from '../lib/latency.ts';
import { startGateway, startManager } from '../lib/manager.ts';
import { sampling } from '../lib/samples.ts';
import type { Measure } from './measure.ts';

const INGEST_RATE = 500;
const NEWLINE = 10;

/** The whole database as JSON lines while events come in. */
export const measureExport: Measure = async ({ base }) => {
  const copy = copyOf(base);
  const upstream = await startGateway();
  const manager = await startManager(copy, { upstream });
  try {
    const publishing = startPublishing({ simulator: upstream, databasePath: copy.path, rate: INGEST_RATE, seed: 3 });
    await Bun.sleep(1_000);
    const health = watchHealth(manager);
    const { result, sampled } = await sampling(manager, copy.path, () => readExport(manager));
    const healthMs = await health.stop();
    const complete = await publishing.finish(10_000);
    const { lines, bytes, seconds } = result;
    return {
      figures: [
        {
          name: `export with ingest at ${INGEST_RATE}/s`,
          value: lines / seconds,
          unit: 'events/s',
          bar: { atLeast: 60_000 },
        },
        { name: 'export', value: bytes / 1e6 / seconds, unit: 'MB/s' },
        { name: 'export, highest memory', value: sampled.peakRssMib, unit: 'MiB', bar: { atMost: 300 } },
        { name: 'export, highest log', value: sampled.peakWalMib, unit: 'MiB', bar: { atMost: 256 } },
        { name: '/health meanwhile, p99', value: quantile(healthMs, 0.99), unit: 'ms', bar: { atMost: 50 } },
        {
          name: 'publishing to commit meanwhile, p99',
          value: quantile(publishing.latencies, 0.99),
          unit: 'ms',
          note: 'up to 150 ms are the wait for a batch to fill',
        },
      ],
      details: { ...result, ...sampled, complete },
    };
  } finally {
    await manager.stop();
    await upstream.stop();
    copy.remove();
  }
};

async function readExport(manager: ManagerProcess): Promise<{ lines: number; bytes: number; seconds: number }> {
  const startedMs = performance.now();
  const answer = await manager.fetch('/v0/management/usage/export');
  let lines = 0;
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.byteLength;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) lines += 1;
  }
  return { lines, bytes, seconds: (performance.now() - startedMs) / 1000 };
}
