import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { watchAnswers, withinMs } from '../../test/support/answer-times.ts';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import { watchResources } from '../../test/support/resources.ts';
import { exportInto, importBySession, streamExport } from '../../test/support/transfer.ts';
import { copyOf, emptyDataFolder } from '../dataset/database.ts';
import { processorSeconds } from '../lib/machine.ts';
import { workFolder } from '../lib/paths.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { startPublishing } from '../lib/publishing.ts';
import { maximum, quantile } from '../lib/statistics.ts';
import { atLeast, atMost, declareMeasure } from '../measure.ts';

const MIB = 2 ** 20;
const INGEST_RATE = 500;

const RESOURCES = {
  'processor time': { unit: 'µs/event' },
  'highest memory': { unit: 'MiB', bar: atMost(220) },
  'highest log': { unit: 'MiB', bar: atMost(256) },
  '/health meanwhile, p99': { unit: 'ms', bar: atMost(50) },
} as const;

export const exporting = declareMeasure({
  name: 'export',
  title: 'Export',
  how: `the whole database as JSON lines while ${INGEST_RATE} events/s come in`,
  figures: {
    speed: { unit: 'events/s', bar: atLeast(80_000) },
    bytes: { unit: 'MB/s' },
    ...RESOURCES,
    'publishing to commit meanwhile, p99': { unit: 'ms' },
  },
  async run({ base, build }) {
    using data = copyOf(base);
    await using gateway = await startGateway();
    await using manager = await startManager(build, data, { gateway });
    const publishing = startPublishing({ gateway, data, rate: INGEST_RATE });
    await Bun.sleep(1_000);
    const { result, seconds, resources } = await watched(manager, () => streamExport(manager), base.events);
    await publishing.finish();
    return {
      figures: {
        speed: result.lines / seconds,
        bytes: result.bytes / 1e6 / seconds,
        ...resources,
        'publishing to commit meanwhile, p99': quantile(publishing.latencies, 0.99),
      },
    };
  },
});

export const importing = declareMeasure({
  name: 'import',
  title: 'Import of our own export',
  how: 'the export of the database, by a resumable session into a fresh one; the upload counts',
  figures: {
    speed: { unit: 'events/s', bar: atLeast(15_000) },
    'without the upload': { unit: 'events/s' },
    ...RESOURCES,
  },
  async run({ base, build, progress }) {
    const folder = workFolder();
    try {
      const file = join(folder, 'export.jsonl');
      using source = copyOf(base);
      progress('export into a file');
      {
        await using manager = await startManager(build, source);
        await exportInto(manager, file);
      }
      progress('import');
      using target = emptyDataFolder();
      await using manager = await startManager(build, target);
      const { result, seconds, resources } = await watched(manager, () => importBySession(manager, file), base.events);
      if (result.result.added !== base.events) throw new Error(`${result.result.added} events were imported`);
      return {
        figures: {
          speed: base.events / seconds,
          'without the upload': base.events / result.processingSeconds,
          ...resources,
        },
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

/** Resources a freshly started manager takes for some work. */
async function watched<T>(manager: ManagerProcess, work: () => Promise<T>, events: number) {
  const health = watchAnswers(manager, ['/health']);
  const log = watchResources(manager);
  const before = processorSeconds(manager.pid);
  const startedMs = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedMs) / 1000;
  const processor = processorSeconds(manager.pid) - before;
  const [answers] = await health.stop();
  const resources = {
    'processor time': (processor * 1e6) / events,
    'highest memory': manager.peakResidentBytes() / MIB,
    'highest log': maximum(log.stop().map(({ logBytes }) => logBytes)) / MIB,
    '/health meanwhile, p99': answers === undefined ? 0 : withinMs(answers, 0.99),
  };
  return { result, seconds, resources };
}
