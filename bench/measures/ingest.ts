import { copyOf } from '../dataset/database.ts';
import type { WriteResult } from '../drivers/write-events.ts';
import { runChild } from '../lib/children.ts';
import type { Measure } from './measure.ts';

/** Events into the writer of the product, on top of the database: FULL sync, batches of 500, everything derived up to date. */
export const measureIngest: Measure = async ({ plan, base }) => {
  const copy = copyOf(base);
  try {
    const result = await runChild<WriteResult>('drivers/write-events.ts', {
      path: copy.path,
      seconds: plan.ingestSeconds,
      seed: 2,
      warmupSeconds: 2,
    });
    return {
      figures: [
        { name: 'ingest, sustained', value: result.perSecond, unit: 'events/s', bar: { atLeast: 8_000 } },
        { name: 'ingest, slowest 10 s', value: result.leastPerSecond, unit: 'events/s' },
        { name: 'ingest, fastest 10 s', value: result.mostPerSecond, unit: 'events/s' },
        { name: 'batch of 500, p50', value: result.batchMsP50, unit: 'ms' },
        { name: 'batch of 500, p99', value: result.batchMsP99, unit: 'ms' },
        { name: 'batch of 500, longest', value: result.batchMsMax, unit: 'ms' },
        { name: 'highest log', value: result.peakWalMib, unit: 'MiB', bar: { atMost: 256 } },
        {
          name: 'processor time, with making the events',
          value: (result.cores * 1e6) / result.perSecond,
          unit: 'µs/event',
        },
      ],
      details: result,
    };
  } finally {
    copy.remove();
  }
};
