import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ManagerProcess } from './manager-process.ts';

const EVERY_MS = 250;

export interface ResourceSample {
  readonly atMs: number;
  readonly residentBytes: number;
  /** Size of the write-ahead log. */
  readonly logBytes: number;
}

export function logBytes(manager: ManagerProcess): number {
  return statSync(join(manager.dataDir, 'usage.sqlite-wal'), { throwIfNoEntry: false })?.size ?? 0;
}

/** Memory and write-ahead log of the manager, four times a second; times from the start of the sampling. */
export function watchResources(manager: ManagerProcess): { readonly stop: () => ResourceSample[] } {
  const samples: ResourceSample[] = [];
  const startedMs = performance.now();
  const check = () => {
    if (!manager.running) return;
    const atMs = performance.now() - startedMs;
    samples.push({ atMs, residentBytes: manager.residentBytes(), logBytes: logBytes(manager) });
  };
  check();
  const timer = setInterval(check, EVERY_MS);
  return {
    stop() {
      clearInterval(timer);
      check();
      return samples;
    },
  };
}
