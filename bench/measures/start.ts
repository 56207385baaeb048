import { statSync } from 'node:fs';
import { copyOf, dropFromPageCache } from '../dataset/database.ts';
import { maximum, median } from '../lib/figures.ts';
import { startManager } from '../lib/manager.ts';
import type { Measure } from './measure.ts';

/** From the start of the process to the first answer of `/health`. */
export const measureStart: Measure = async ({ plan, base }) => {
  const copy = copyOf(base);
  const once = async (): Promise<number> => {
    const startedMs = performance.now();
    const manager = await startManager(copy);
    const tookMs = performance.now() - startedMs;
    await manager.stop();
    return tookMs;
  };
  try {
    await once();
    const warm: number[] = [];
    const cold: number[] = [];
    for (let run = 0; run < plan.starts; run++) {
      warm.push(await once());
      dropFromPageCache(copy.path);
      cold.push(await once());
    }
    const size = `${(statSync(copy.path).size / 1e9).toFixed(2)} GB`;
    return {
      figures: [
        { name: `start to /health, file of ${size}, median`, value: median(warm), unit: 'ms' },
        { name: 'the same, longest, file not in memory', value: maximum(cold), unit: 'ms', bar: { atMost: 1000 } },
      ],
      details: { warm, cold },
    };
  } finally {
    copy.remove();
  }
};
