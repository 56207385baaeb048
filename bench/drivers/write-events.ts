import { statSync } from 'node:fs';
import { nextBatch, openWriter, writeHistory } from '../../test/support/history-database.ts';
import { accountSnapshots, followingEvents, trafficAccounts } from '../../test/support/traffic.ts';
import { maximum, quantile } from '../lib/statistics.ts';

/**
 * Writes events through the product's writer with FULL sync: parsing, identity, ledger, raw row, facts, hourly rollup, sealing
 * and log upkeep. Either a history of a given size to a new file, or new events to an existing file for a given time. Like the
 * collector it has one batch in flight and prepares the next one meanwhile. A comparison runs the driver of each clone, so
 * options and result must keep their names.
 */
interface Options {
  readonly path: string;
  readonly events?: number;
  readonly seconds?: number;
  readonly seed?: number;
  /** Not measured: JIT warm-up. */
  readonly warmupSeconds?: number;
}

export interface WriteResult {
  readonly perSecond: number;
  /** Slowest ten seconds. */
  readonly leastPerSecond: number;
  readonly batchMsP50: number;
  readonly batchMsP99: number;
  readonly batchMsMax: number;
  readonly peakWalMib: number;
  /** Processor seconds of the whole process per second: 1 = one core. */
  readonly cores: number;
}

const WINDOW_MS = 10_000;

async function writeFor({ path, seconds = 0, seed = 2, warmupSeconds = 0 }: Options): Promise<WriteResult> {
  const store = openWriter(path);
  const source = followingEvents(8_000, seed);
  await store.writer.run('ingest', {
    records: nextBatch(source),
    snapshots: accountSnapshots(trafficAccounts(), Date.now()),
  });
  let records = nextBatch(source);
  const batchMs: number[] = [];
  const windows: number[] = [];
  let peakWal = 0;

  async function write(): Promise<number> {
    const beganMs = performance.now();
    const writing = store.writer.run('ingest', { records });
    records = nextBatch(source);
    const { inserted } = await writing;
    batchMs.push(performance.now() - beganMs);
    peakWal = Math.max(peakWal, statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);
    return inserted;
  }

  const warmUntilMs = performance.now() + warmupSeconds * 1000;
  while (performance.now() < warmUntilMs) await write();
  batchMs.length = 0;
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  let window = { startMs: startedMs, written: 0 };
  let written = 0;
  let nowMs = startedMs;
  while (nowMs - startedMs < seconds * 1000) {
    const inserted = await write();
    written += inserted;
    window.written += inserted;
    nowMs = performance.now();
    if (nowMs - window.startMs < WINDOW_MS) continue;
    windows.push((window.written * 1000) / (nowMs - window.startMs));
    window = { startMs: nowMs, written: 0 };
  }
  const cpu = process.cpuUsage(cpuBefore);
  await store.close();
  const took = (nowMs - startedMs) / 1000;
  return {
    perSecond: written / took,
    leastPerSecond: windows.length === 0 ? written / took : Math.min(...windows),
    batchMsP50: quantile(batchMs, 0.5),
    batchMsP99: quantile(batchMs, 0.99),
    batchMsMax: maximum(batchMs),
    peakWalMib: peakWal / 2 ** 20,
    cores: (cpu.user + cpu.system) / 1e6 / took,
  };
}

const options = JSON.parse(process.argv[2] ?? '{}') as Options;
if (options.events === undefined) console.log(JSON.stringify(await writeFor(options)));
else {
  await writeHistory(options.path, { events: options.events });
  console.log(null);
}
process.exit(0);
