import { Database } from 'bun:sqlite';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

export interface Machine {
  readonly platform: string;
  readonly cpu: string;
  readonly cores: number;
  readonly avx2: boolean;
  readonly memoryGib: number;
  readonly runtime: string;
  readonly sqlite: string;
}

export function describeMachine(): Machine {
  const db = new Database(':memory:');
  const sqlite = db.query<{ version: string }, []>('SELECT sqlite_version() AS version').get()?.version ?? '';
  db.close();
  return {
    platform: `${platform()} ${arch()}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    avx2: hasAvx2(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
    runtime: `Bun ${Bun.version}`,
    sqlite,
  };
}

/** Runnable threads of the last minute, other programs included. */
export function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

function hasAvx2(): boolean {
  if (process.platform !== 'linux') return false;
  return /^flags.*\bavx2\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
}
