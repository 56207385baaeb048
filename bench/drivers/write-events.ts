import { dirname } from 'node:path';
import type { IngestRecord } from '../../packages/server/src/events/ingest/ingest.ts';
import { openStore, prepareStore } from '../../packages/server/src/workers/store.ts';
import {
  accountSnapshots,
  benchAccounts,
  followingEvents,
  historyEvents,
  type TimedEvents,
} from '../dataset/events.ts';
import { maximum, quantile } from '../lib/figures.ts';
import { walBytes } from '../lib/samples.ts';

/**
 * Writes events through the writer of the product: parsing, identity, ledger, raw row, facts, hourly core, sealing and log
 * upkeep, FULL sync. Either a history of so many events into a new file, or new events into an existing one for so long.
 * Like the collector it has one batch under way and prepares the next one meanwhile.
 */
interface Options {
  readonly path: string;
  readonly seed: number;
  readonly events?: number;
  readonly seconds?: number;
  /** Not counted, for the compiler of the runtime to get warm. */
  readonly warmupSeconds?: number;
}

export interface WriteResult {
  readonly events: number;
  readonly seconds: number;
  readonly perSecond: number;
  readonly batchMsP50: number;
  readonly batchMsP99: number;
  readonly batchMsMax: number;
  readonly peakWalMib: number;
  /** Slowest ten seconds. */
  readonly leastPerSecond: number;
  /** Fastest ten seconds. */
  readonly mostPerSecond: number;
  /** CPU seconds of the whole process per second: 1 = one core. */
  readonly cores: number;
}

const BATCH = 500;
const WINDOW_MS = 10_000;
const REPORT_EVERY = 500_000;

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
prepareStore(options.path, { now: Date.now, tempDirectory: dirname(options.path) });
const store = openStore({
  path: options.path,
  hourlyCore: true,
  now: Date.now,
  log: { info: () => {}, error: (text) => console.error(text) },
});
const wanted = options.events ?? Number.POSITIVE_INFINITY;
const untilMs = (options.seconds ?? Number.POSITIVE_INFINITY) * 1000;
const source: TimedEvents =
  options.events === undefined ? followingEvents(8_000, options.seed) : historyEvents(options.events, options.seed);

const batchMs: number[] = [];
const windows: number[] = [];
let made = 0;
let written = 0;
let peakWal = 0;
let snapshots: { readonly snapshots: ReturnType<typeof accountSnapshots> } | null = {
  snapshots: accountSnapshots(benchAccounts(), Date.now()),
};

function nextBatch(): IngestRecord[] {
  const records: IngestRecord[] = [];
  while (records.length < BATCH && made < wanted) {
    const { text } = source.events.next().value;
    records.push({ text, receivedAtMs: source.nowMs() });
    made += 1;
  }
  return records;
}

async function writeBatch(): Promise<number> {
  const beganMs = performance.now();
  const writing = store.writer.run('ingest', { records, ...(snapshots ?? {}) });
  snapshots = null;
  records = nextBatch();
  written += (await writing).inserted;
  const endMs = performance.now();
  batchMs.push(endMs - beganMs);
  peakWal = Math.max(peakWal, walBytes(options.path));
  return endMs;
}

let records = nextBatch();
const warmUntilMs = performance.now() + (options.warmupSeconds ?? 0) * 1000;
while (performance.now() < warmUntilMs) await writeBatch();
const warmed = written;
batchMs.length = 0;
const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
let windowStartMs = startedMs;
let windowStart = written;
let nowMs = startedMs;
while (records.length > 0 && nowMs - startedMs < untilMs) {
  nowMs = await writeBatch();
  if (nowMs - windowStartMs >= WINDOW_MS) {
    windows.push(((written - windowStart) * 1000) / (nowMs - windowStartMs));
    windowStartMs = nowMs;
    windowStart = written;
  }
  if (written % REPORT_EVERY === 0) console.error(`  ${written.toLocaleString('en')} events`);
}
const seconds = (nowMs - startedMs) / 1000;
const cpu = process.cpuUsage(cpuBefore);
await store.close();
const counted = written - warmed;
const result: WriteResult = {
  events: counted,
  seconds,
  perSecond: counted / seconds,
  batchMsP50: quantile(batchMs, 0.5),
  batchMsP99: quantile(batchMs, 0.99),
  batchMsMax: maximum(batchMs),
  peakWalMib: peakWal / 2 ** 20,
  leastPerSecond: windows.length === 0 ? counted / seconds : Math.min(...windows),
  mostPerSecond: windows.length === 0 ? counted / seconds : Math.max(...windows),
  cores: (cpu.user + cpu.system) / 1e6 / seconds,
};
console.log(JSON.stringify(result));
process.exit(0);
