import { totalmem } from 'node:os';

const MIB = 2 ** 20;

/** With less, nothing would be left for caches. */
export const LEAST_MEMORY_MIB = 192;
/** More makes nothing faster that a panel asks of a few million events. */
const MOST_BY_DEFAULT_MIB = 320;
/** The gateway runs on the same machine, and the system keeps pages of files in what is left. */
const DEFAULT_SHARE = 3 / 8;

/** Program, threads, batches on their way, and one long answer: what no setting makes smaller. */
const FIXED_MIB = 140;

/** From here on a second thread may scan, which takes 100 to 170 MiB while it runs. */
const PLENTY_MIB = 2_048;

/** What the parts of the process that can do with less may hold, in bytes. */
export interface MemoryShares {
  /** Decoded columns of the analytics worker. */
  readonly columnBytes: number;
  /** And of the second scanner; 0 = there is none. */
  readonly secondColumnBytes: number;
  /** Its sums of sealed segments. */
  readonly sumBytes: number;
  /** Its garbage from one collection to the next. */
  readonly garbageBytes: number;
  /** Pages of the database in the writer. */
  readonly writerPageBytes: number;
  /** And in each thread that reads. */
  readonly readerPageBytes: number;
}

/** Memory of this machine, or of the container or control group that the process runs in. */
export function availableMiB(): number {
  const limit = process.constrainedMemory();
  const bytes = limit > 0 ? Math.min(limit, totalmem()) : totalmem();
  return bytes / MIB;
}

/** The budget of a manager that was not given one. */
export function defaultMemoryMiB(available: number = availableMiB()): number {
  return Math.round(Math.min(Math.max(available * DEFAULT_SHARE, LEAST_MEMORY_MIB), MOST_BY_DEFAULT_MIB));
}

/**
 * @param budgetMiB at least `LEAST_MEMORY_MIB`
 * @param available memory of the machine
 */
export function memoryShares(budgetMiB: number, available: number = availableMiB()): MemoryShares {
  const spare = (budgetMiB - FIXED_MIB) * MIB;
  const hasPlenty = budgetMiB >= MOST_BY_DEFAULT_MIB && available >= PLENTY_MIB;
  return {
    columnBytes: Math.min(spare * 0.7, 128 * MIB),
    secondColumnBytes: hasPlenty ? 32 * MIB : 0,
    sumBytes: Math.min(spare * 0.14, 24 * MIB),
    garbageBytes: Math.min(Math.max(spare * 0.14, 12 * MIB), 24 * MIB),
    writerPageBytes: Math.min(Math.max(spare * 0.18, 8 * MIB), 32 * MIB),
    readerPageBytes: Math.min(Math.max(spare * 0.045, 2 * MIB), 8 * MIB),
  };
}
