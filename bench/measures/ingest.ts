import { copyOf } from '../dataset/database.ts';
import type { BareResult } from '../drivers/write-bare.ts';
import type { WriteResult } from '../drivers/write-events.ts';
import { thisClone } from '../lib/builds.ts';
import { runDriver } from '../lib/children.ts';
import { atLeast, atMost, declareMeasure } from '../measure.ts';

export const ingest = declareMeasure({
  name: 'ingest',
  title: 'Ingest, straight into the writer',
  how: 'batches of 500 on a copy of the database, FULL sync, everything derived up to date, as the collector hands them over; then SQLite alone inserts the same rows into the same tables, without parsing, packing, sums or sealing',
  figures: {
    sustained: { unit: 'events/s', bar: atLeast(8_000) },
    'slowest 10 s': { unit: 'events/s' },
    'batch of 500, p50': { unit: 'ms' },
    'batch of 500, p99': { unit: 'ms' },
    'batch of 500, longest': { unit: 'ms' },
    'highest log': { unit: 'MiB', bar: atMost(256) },
    'processor time, with making the events': { unit: 'µs/event' },
    'bare SQLite': { unit: 'events/s' },
    'bare SQLite, processor time': { unit: 'µs/event' },
    'share of bare SQLite': { unit: '', bar: atLeast(0.45) },
  },
  async run({ plan, base, build }) {
    using copy = copyOf(base);
    const { path } = copy;
    const options = { path, seconds: plan.ingestSeconds, seed: 2, warmupSeconds: 2 };
    const ours = await runDriver<WriteResult>(build, 'drivers/write-events.ts', options);
    using second = copyOf(base);
    const bareOptions = { path: second.path, seconds: plan.bareSeconds };
    const bare = await runDriver<BareResult>(thisClone(), 'drivers/write-bare.ts', bareOptions);
    return {
      figures: {
        sustained: ours.perSecond,
        'slowest 10 s': ours.leastPerSecond,
        'batch of 500, p50': ours.batchMsP50,
        'batch of 500, p99': ours.batchMsP99,
        'batch of 500, longest': ours.batchMsMax,
        'highest log': ours.peakWalMib,
        'processor time, with making the events': (ours.cores * 1e6) / ours.perSecond,
        'bare SQLite': bare.perSecond,
        'bare SQLite, processor time': bare.cpuUsPerEvent,
        'share of bare SQLite': ours.perSecond / bare.perSecond,
      },
    };
  },
});
