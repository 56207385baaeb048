import { copyOf, emptyDataFolder, type WorkingCopy } from '../dataset/database.ts';
import type { Figure } from '../lib/figures.ts';
import { startGateway, startManager } from '../lib/manager.ts';
import { type Memory, memoryOf } from '../lib/samples.ts';
import type { Measure } from './measure.ts';

const MIB = 2 ** 20;

/** Resident memory of a manager that is connected and has nothing to do. */
export const measureIdleMemory: Measure = async ({ plan, base, progress }) => {
  const idle = async (data: WorkingCopy): Promise<Memory> => {
    const upstream = await startGateway();
    const manager = await startManager(data, { upstream });
    try {
      await Bun.sleep(plan.idleSeconds * 1000);
      return memoryOf(manager.pid);
    } finally {
      await manager.stop();
      await upstream.stop();
      data.remove();
    }
  };
  progress('fresh database');
  const fresh = await idle(emptyDataFolder());
  progress('the large one');
  const large = await idle(copyOf(base));
  const figures = (name: string, { rss, anonymous }: Memory): Figure[] => [
    { name: `idle, ${name}`, value: rss / MIB, unit: 'MiB', bar: { atMost: 80 } },
    { name: `idle, ${name}, without mapped files`, value: anonymous / MIB, unit: 'MiB' },
  ];
  return {
    figures: [...figures('fresh database', fresh), ...figures(`${base.events.toLocaleString('en')} events`, large)],
    details: { afterSeconds: plan.idleSeconds },
  };
};
