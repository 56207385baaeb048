import { statSync } from 'node:fs';
import type { ManagerProcess } from '../../test/support/manager-process.ts';
import type { WorkingCopy } from '../dataset/database.ts';
import { runChild } from '../lib/children.ts';
import type { Figure } from '../lib/figures.ts';
import { watchHealth } from '../lib/latency.ts';
import { processorSeconds } from '../lib/machine.ts';
import { type Sampled, sampling } from '../lib/samples.ts';
import { withManager } from '../panel/site.ts';

export interface Phase<T> {
  readonly result: T;
  readonly sampled: Sampled;
  /** Waits of `/health` meanwhile, ms. */
  readonly healthMs: readonly number[];
  /** Processor time of the manager. Unlike the time that passed, others on the machine change it little. */
  readonly processorSeconds: number;
}

/** Work of a manager of its own, so that its memory is that of this work. */
export async function phase<T>(data: WorkingCopy, work: (manager: ManagerProcess) => Promise<T>): Promise<Phase<T>> {
  return withManager(data, {}, async (manager) => {
    const health = watchHealth(manager);
    const { result, sampled } = await sampling(manager, data.path, () => work(manager));
    return { result, sampled, processorSeconds: processorSeconds(manager.pid), healthMs: await health.stop() };
  });
}

/** Of a stopped manager: the log is empty. */
export function fileBytes(data: WorkingCopy): number {
  return statSync(data.path).size;
}

export async function seconds<T>(work: () => Promise<T>): Promise<{ readonly result: T; readonly seconds: number }> {
  const startedMs = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - startedMs) / 1000 };
}

/** @throws Error that names what does not hold of the stored data. */
export async function requireSound(data: WorkingCopy): Promise<void> {
  const { violations } = await runChild<{ violations: string[] }>('drivers/check-stored.ts', { path: data.path });
  if (violations.length > 0) throw new Error(`the database is not sound:\n  ${violations.join('\n  ')}`);
}

export function resourceFigures(name: string, { sampled, processorSeconds }: Phase<unknown>, events: number): Figure[] {
  return [
    { name: `${name}, processor time`, value: (processorSeconds * 1e6) / events, unit: 'µs/event' },
    { name: `${name}, highest memory`, value: sampled.peakRssMib, unit: 'MiB', bar: { atMost: 300 } },
    { name: `${name}, highest log`, value: sampled.peakWalMib, unit: 'MiB', bar: { atMost: 256 } },
  ];
}
