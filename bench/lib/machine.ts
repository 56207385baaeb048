import { Database } from 'bun:sqlite';
import { readFileSync } from 'node:fs';
import { arch, availableParallelism, cpus, loadavg, platform, totalmem } from 'node:os';

/** The machine in one line. */
export function describeMachine(): string {
  const db = new Database(':memory:');
  const sqlite = db.query<{ version: string }, []>('SELECT sqlite_version() AS version').get()?.version ?? '';
  db.close();
  const cpu = `${cpus()[0]?.model ?? 'unknown'}, ${hasAvx2() ? 'AVX2' : 'no AVX2'}`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  return `${platform()} ${arch()}, ${availableParallelism()} cores (${cpu}), ${memory}, Bun ${Bun.version}, SQLite ${sqlite}`;
}

function hasAvx2(): boolean {
  return process.platform === 'linux' && /^flags.*\bavx2\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
}

/** Load average of the last minute, other programs included. */
export function load(): number {
  return Math.round((loadavg()[0] ?? 0) * 100) / 100;
}

/** Processor time in seconds since the start: of the whole machine, and of this process with its ended children. */
export interface ProcessorTimes {
  readonly machine: number;
  readonly own: number;
}

/** Kernel clock ticks per second. */
const TICKS = 100;

export function processorTimes(): ProcessorTimes {
  const [, user = 0, nice = 0, system = 0, , , interrupt = 0, softInterrupt = 0] = numbersOf(
    readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '',
  );
  const [ownUser = 0, ownSystem = 0, childUser = 0, childSystem = 0] = timesOf('self');
  return {
    machine: (user + nice + system + interrupt + softInterrupt) / TICKS,
    own: (ownUser + ownSystem + childUser + childSystem) / TICKS,
  };
}

/** Processor seconds of all threads of a process since its start. */
export function processorSeconds(pid: number): number {
  const [user = 0, system = 0] = timesOf(pid);
  return (user + system) / TICKS;
}

/** Ticks: user and system time of the process, then those of its ended children. */
function timesOf(process: number | 'self'): number[] {
  const stat = readFileSync(`/proc/${process}/stat`, 'utf8');
  // After the program name, which may contain spaces.
  return numbersOf(stat.slice(stat.lastIndexOf(')') + 1)).slice(12, 16);
}

function numbersOf(line: string): number[] {
  return line.split(/\s+/).map(Number);
}
