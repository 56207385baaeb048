import { statSync } from 'node:fs';
import { copyOf, dropFromPageCache } from '../dataset/database.ts';
import { startManager } from '../lib/processes.ts';
import { maximum, median } from '../lib/statistics.ts';
import { atMost, declareMeasure } from '../measure.ts';

export const start = declareMeasure({
  name: 'start',
  title: 'Start',
  how: 'from the start of the process to the first answer of `/health`; cold: the kernel was asked to forget the file',
  figures: {
    'warm, median': { unit: 'ms' },
    'cold, longest': { unit: 'ms', bar: atMost(1_000) },
  },
  async run({ base, build, plan }) {
    using copy = copyOf(base);
    const once = async (): Promise<number> => {
      const startedMs = performance.now();
      await using _ = await startManager(build, copy);
      return performance.now() - startedMs;
    };
    await once();
    const warm: number[] = [];
    const cold: number[] = [];
    for (let run = 0; run < plan.starts; run++) {
      warm.push(await once());
      dropFromPageCache(copy.path);
      cold.push(await once());
    }
    const note = `file of ${(statSync(copy.path).size / 1e9).toFixed(2)} GB`;
    return {
      figures: { 'warm, median': { value: median(warm), note }, 'cold, longest': { value: maximum(cold), note } },
      details: { warm, cold },
    };
  },
});
