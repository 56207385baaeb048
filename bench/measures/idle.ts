import { copyOf, type DataFolder, emptyDataFolder } from '../dataset/database.ts';
import { processorSeconds } from '../lib/machine.ts';
import { startGateway, startManager } from '../lib/processes.ts';
import { atMost, declareMeasure, type Site } from '../measure.ts';

const MIB = 2 ** 20;

export const idle = declareMeasure({
  name: 'idle',
  title: 'At rest',
  how: 'resident memory and processor time of a manager that collects from a gateway without traffic',
  figures: {
    'memory, fresh database': { unit: 'MiB', bar: atMost(80) },
    'memory, subscribe': { unit: 'MiB', bar: atMost(80) },
    'memory, http': { unit: 'MiB', bar: atMost(80) },
    'processor, subscribe': { unit: '% of a core', bar: atMost(0.3) },
    'processor, http': { unit: '% of a core', bar: atMost(0.5) },
  },
  async run(site) {
    using empty = emptyDataFolder();
    using copy = copyOf(site.base);
    const fresh = await rest(site, empty, 'subscribe');
    const subscribe = await rest(site, copy, 'subscribe');
    const http = await rest(site, copy, 'http');
    return {
      figures: {
        'memory, fresh database': fresh.mib,
        'memory, subscribe': subscribe.mib,
        'memory, http': http.mib,
        'processor, subscribe': subscribe.percent,
        'processor, http': http.percent,
      },
    };
  },
});

async function rest({ build, plan }: Site, data: DataFolder, mode: string) {
  await using gateway = await startGateway();
  await using manager = await startManager(build, data, { gateway, mode });
  // Work triggered by the start is done by then.
  await Bun.sleep(plan.idleSeconds * 1000);
  const before = processorSeconds(manager.pid);
  await Bun.sleep(plan.idleSeconds * 1000);
  const percent = (100 * (processorSeconds(manager.pid) - before)) / plan.idleSeconds;
  return { mib: manager.residentBytes() / MIB, percent };
}
