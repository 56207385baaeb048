import { readFileSync, statSync } from 'node:fs';
import type { ManagerProcess } from '../../test/support/manager-process.ts';

export interface Sampled {
  readonly peakRssMib: number;
  readonly lastRssMib: number;
  /** Memory that is no mapped file: without the pages of the executable and of the database's shared index. */
  readonly peakAnonymousMib: number;
  readonly peakWalMib: number;
}

const MIB = 2 ** 20;
const EVERY_MS = 50;

export interface Memory {
  readonly rss: number;
  readonly anonymous: number;
}

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const bytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(text)?.[1] ?? 0) * 1024;
  return { rss: bytes('VmRSS'), anonymous: bytes('RssAnon') };
}

export function walBytes(databasePath: string): number {
  return statSync(`${databasePath}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

/** Watches memory and log of a manager while `work` runs. */
export async function sampling<T>(
  manager: ManagerProcess,
  databasePath: string,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly sampled: Sampled }> {
  let peakRss = 0;
  let lastRss = 0;
  let peakAnonymous = 0;
  let peakWal = 0;
  const look = () => {
    if (!manager.running) return;
    const { rss, anonymous } = memoryOf(manager.pid);
    lastRss = rss;
    peakRss = Math.max(peakRss, rss);
    peakAnonymous = Math.max(peakAnonymous, anonymous);
    peakWal = Math.max(peakWal, walBytes(databasePath));
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  try {
    const result = await work();
    look();
    const sampled = {
      peakRssMib: peakRss / MIB,
      lastRssMib: lastRss / MIB,
      peakAnonymousMib: peakAnonymous / MIB,
      peakWalMib: peakWal / MIB,
    };
    return { result, sampled };
  } finally {
    clearInterval(timer);
  }
}
