import { afterEach, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeEvents, type Simulator, startSimulator } from '@manager/simulator';
import type { CollectorMode } from '../../platform/config/config.ts';
import { SPOOL_FILE } from './spool.ts';
import { type Files, type StoredGap, storedGaps, storedIds, temporaryFiles } from './testing.ts';

const RATE = 2_000;
const TOTAL = 6_000;
const KILLS = 2;
/** Each process lives longer than the one before, so that kills hit different phases of heartbeats and batches. */
const LONGER_MS = 617;

let simulator: Simulator | null = null;
let files: Files | null = null;
let child: Bun.Subprocess | null = null;

afterEach(async () => {
  child?.kill('SIGKILL');
  await child?.exited;
  await simulator?.stop();
  files?.remove();
});

test.each(['subscribe', 'http', 'resp'] satisfies CollectorMode[])(
  'mode %s, killed again and again under load: every event is stored once, or its hand-over lies inside a gap',
  async (mode) => {
    const gateway = await startSimulator({ recordLimit: 10 });
    const data = temporaryFiles();
    simulator = gateway;
    files = data;
    const spawn = () =>
      Bun.spawn(
        [process.execPath, `${import.meta.dir}/crash-child.ts`, gateway.url, data.directory, data.databasePath, mode],
        { stdout: 'ignore', stderr: 'inherit' },
      );
    child = spawn();
    // A process that is killed before it collects leaves no trace.
    const lives = [await firstContact(gateway)];
    const traffic = gateway.startTraffic({ rate: RATE, total: TOTAL, events: makeEvents({ seed: 7, numberFrom: 0 }) });
    for (let kill = 0; kill < KILLS; kill += 1) {
      await Bun.sleep(500 + kill * LONGER_MS);
      child.kill('SIGKILL');
      await child.exited;
      await Bun.sleep(kill * 90);
      gateway.clearRequests();
      child = spawn();
      lives.push(await firstContact(gateway));
    }
    await traffic.done;
    await settled(gateway, data);
    child.kill('SIGTERM');
    await child.exited;

    const stored = storedIds(data);
    expect(new Set(stored).size).toBe(stored.length);
    const known = new Set(stored);
    const gaps = storedGaps(data);
    const unclean = gaps.filter((gap) => gap.kind === 'unclean_stop');
    expect(unclean).toHaveLength(KILLS);
    const undated: string[] = [];
    for (let number = 0; number < TOTAL; number += 1) {
      if (known.has(number.toString(16).padStart(8, '0'))) continue;
      const fate = gateway.fate(number);
      const atMs = fate !== undefined && 'atMs' in fate ? fate.atMs : 0;
      // Gaps of 5 s overlap here, so the one of the same process has to contain it.
      const life = lives.findLastIndex((startedAtMs) => startedAtMs <= atMs);
      const own = [unclean[life], ...gaps.filter((gap) => gap.kind !== 'unclean_stop')];
      if (!own.some((gap) => gap !== undefined && covers(gap, atMs))) {
        undated.push(`${number} ${JSON.stringify(fate)} in life ${life}: ${JSON.stringify(unclean[life])}`);
      }
    }
    expect(undated.slice(0, 5)).toEqual([]);
    expect(stored.length).toBeGreaterThan(0);
  },
  180_000,
);

function covers(gap: StoredGap, atMs: number): boolean {
  return gap.from_ms <= atMs && atMs <= (gap.to_ms ?? Number.POSITIVE_INFINITY);
}

/**
 * When a new process first talks to the gateway. Until then the gateway may still send events to the dead one, because it has
 * not noticed yet.
 */
async function firstContact(gateway: Simulator): Promise<number> {
  while (gateway.requests().length === 0) await Bun.sleep(5);
  return gateway.requests()[0]?.atMs ?? 0;
}

/** Nothing is queued, buffered or spooled any more, and the last batch had time to be committed. */
async function settled(gateway: Simulator, data: Files): Promise<void> {
  for (let quiet = 0; quiet < 5; ) {
    const { queued, buffered } = gateway.deliveries();
    const spooled = existsSync(join(data.directory, SPOOL_FILE));
    quiet = queued + buffered === 0 && !spooled ? quiet + 1 : 0;
    await Bun.sleep(150);
  }
}
