import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { statSync } from 'node:fs';
import { until } from '@manager/core/testing/until';
import { checkInvariants } from '../../../../events/invariants/invariants.ts';
import { recordText } from '../../../../events/testing/test-ingester.ts';
import { openDatabase } from '../../../../sqlite/open.ts';
import { type ArchiveSite, createArchiveSite, START_MS } from '../../stages/testing/site.ts';
import { BEGIN_SHARE, createOnlineCompaction, type OnlineCompactionDeps } from './online-compaction.ts';
import type { DatabaseSpace, SpaceReads, SpaceWrites } from './space.ts';

const FILLER_PAGES = 5_000;

let site: ArchiveSite;
beforeEach(async () => {
  site = await createArchiveSite();
});
afterEach(() => site.close());

const event = (index: number) =>
  recordText({ request_id: `event ${index}`, timestamp: new Date(START_MS + index).toISOString() });

/** Twenty MiB of free pages before pages with events, which have to move. */
async function fill(events: number): Promise<void> {
  const blob = FILLER_PAGES * 4_000;
  site.db.run(`CREATE TABLE filler AS SELECT zeroblob(${blob}) AS bytes`);
  await site.ingest(Array.from({ length: events }, (_, index) => event(index)));
  site.db.run('DROP TABLE filler');
}

const space = () => site.store.reader.run('databaseSpace', null);
const path = () => site.folder.path('usage.sqlite');
const checkpointed = async () => {
  await site.store.writer.run('checkpoint', 'truncate');
  return statSync(path()).size;
};

function compaction(deps: Partial<OnlineCompactionDeps> = {}, log: string[] = []) {
  return createOnlineCompaction({
    reader: site.store.reader,
    writer: site.store.writer,
    elapsed: () => performance.now(),
    log: { info: (text) => log.push(text), warn: (text) => log.push(text) },
    ...deps,
  });
}

describe('a database with many free pages', () => {
  test('shrinks while events arrive, and nothing of it changes', async () => {
    await fill(300);
    const before = await space();
    expect(before.freePages / before.pages).toBeGreaterThan(0.2);
    const bytesBefore = await checkpointed();
    const log: string[] = [];
    const states = new Set<string>();
    const compacting = compaction({}, log);
    compacting.start();
    let stored = 300;
    await until(async () => {
      states.add(compacting.state().state);
      await site.ingest([event(stored)]);
      stored += 1;
      return log.length > 0;
    });
    await compacting.stop();
    expect(states).toContain('running');
    expect(log[0]).toMatch(/^\d+ MiB of the database were returned to the disk$/);
    const after = await space();
    expect(after.freePages).toBeLessThanOrEqual(after.pages * 0.06);
    expect(after.pages).toBeLessThan(before.pages / 2);
    // The file itself is shorter.
    expect(await checkpointed()).toBeLessThan(bytesBefore / 2);
    expect(site.db.query('SELECT count(*) FROM usage_events').values()).toEqual([[stored]]);
    expect(checkInvariants(site.db)).toEqual([]);
    expect(site.db.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
  });

  test('is left alone while a stage of an archive run is active', async () => {
    await fill(10);
    site.createRun();
    site.db.run(
      "INSERT INTO usage_maintenance_locks SELECT 'usage_archive', number, 'verifying', 1, 1 FROM usage_archive_runs",
    );
    const before = await space();
    const waited: number[] = [];
    const compacting = compaction({ wait: (ms, signal) => paused(waited, ms, signal) });
    compacting.start();
    await until(() => waited.length > 0);
    expect(await site.store.writer.run('returnPages', { pages: 10 })).toEqual(before);
    await compacting.stop();
    expect(waited).toEqual([30_000]);
    expect(await space()).toEqual(before);
  });
});

/** Pauses between steps end at once, those between rounds only with the end. */
async function paused(waited: number[], ms: number, signal: AbortSignal): Promise<void> {
  if (ms < 1_000) return;
  waited.push(ms);
  await new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

/** A run whose rows are deleted and whose compaction has that state. */
function runThatWaits(): () => unknown {
  site.createRun();
  site.db.run("UPDATE usage_archive_runs SET status = 'completed', compaction = 'waiting'");
  return () => site.runRow().compaction;
}

describe('the compaction of a run', () => {
  test('is running from the first step, continues after a restart below the share at which it began, and is done', async () => {
    site.db.run('CREATE TABLE kept AS SELECT zeroblob(4000000) AS bytes');
    await fill(10);
    const shown = runThatWaits();
    const share = async () => {
      const { freePages, pages } = await space();
      return freePages / pages;
    };
    let reached = false;
    const states: unknown[] = [];
    let elapsed = 0;
    const interrupted = compaction({
      // Slow, so that steps are small.
      elapsed: () => {
        elapsed += 100;
        return elapsed;
      },
      wait: async (_ms, signal) => {
        states.push(shown());
        reached = (await share()) < BEGIN_SHARE;
        if (reached) await paused([], 1_000, signal);
      },
    });
    interrupted.start();
    await until(() => reached);
    await interrupted.stop();
    expect([...new Set(states)]).toEqual(['running']);
    expect(await share()).toBeGreaterThan(0.06);

    const waited: number[] = [];
    const again = compaction({ wait: (ms, signal) => paused(waited, ms, signal) });
    again.start();
    await until(() => waited.length > 0);
    await again.stop();
    expect(shown()).toBe('done');
    expect(await share()).toBeLessThan(0.06);
    // Deletions wake it, so it need not look often.
    expect(waited).toEqual([3_600_000]);
  });

  test('is offline in a file that cannot shrink like this, at which it does not look again by itself', async () => {
    await fill(10);
    const shown = runThatWaits();
    const waited: number[] = [];
    let looks = 0;
    const reader: SpaceReads = {
      run: async () => {
        looks += 1;
        return { ...(await space()), isIncremental: false } as never;
      },
    };
    const compacting = compaction({ reader, wait: (ms, signal) => paused(waited, ms, signal) });
    compacting.start();
    await until(() => shown() === 'offline');
    // Time for a pause to begin.
    await Bun.sleep(20);
    expect([looks, waited]).toEqual([1, []]);
    // The next deletion wakes it.
    site.db.run("UPDATE usage_archive_runs SET compaction = 'waiting'");
    compacting.wake();
    await until(() => shown() === 'offline');
    await compacting.stop();
    expect(looks).toBe(2);
  });
});

const PAGES: DatabaseSpace = {
  pageBytes: 4_096,
  pages: 100_000,
  freePages: 50_000,
  isIncremental: true,
  isArchiving: false,
  pending: null,
};

/** A large database that is not there. */
function played(look: () => DatabaseSpace, step: (pages: number) => DatabaseSpace) {
  const reader: SpaceReads = { run: async () => look() as never };
  const writer: SpaceWrites = {
    run: async (name, args) => (name === 'returnPages' && 'pages' in args ? step(args.pages) : undefined) as never,
  };
  return { reader, writer };
}

test('failures are reported with what to do, and end with the next attempt', async () => {
  let isFull = true;
  const compacting = compaction({
    ...played(
      () => PAGES,
      () => {
        if (isFull) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
        return { ...PAGES, freePages: 0 };
      },
    ),
    wait: (ms, signal) => paused([], ms, signal),
  });
  compacting.start();
  await until(() => compacting.state().state === 'failed');
  expect(compacting.state().error).toContain('the disk is full');
  isFull = false;
  compacting.wake();
  await until(() => compacting.state().state === 'idle');
  await compacting.stop();
});

test('steps are small while the writer has much to do, and larger when it has not', async () => {
  let elapsed = 0;
  let freePages = 50_000;
  const asked: number[] = [];
  const compacting = compaction({
    ...played(
      () => ({ ...PAGES, freePages }),
      (wanted) => {
        asked.push(wanted);
        elapsed += asked.length < 6 ? 100 : 5;
        freePages = asked.length > 20 ? 0 : freePages - wanted;
        return { ...PAGES, freePages };
      },
    ),
    elapsed: () => elapsed,
    wait: (ms, signal) => paused([], ms, signal),
  });
  compacting.start();
  await until(() => asked.length > 20);
  await compacting.stop();
  expect(asked.slice(0, 6)).toEqual([64, 32, 32, 32, 32, 32]);
  expect(asked.slice(6, 10)).toEqual([64, 128, 256, 256]);
});

test('a new database can return pages; one of an earlier version keeps its form', () => {
  const old = site.folder.path('old.sqlite');
  const plain = new Database(old);
  plain.run('CREATE TABLE t (id INTEGER)');
  plain.close();
  const db = openDatabase(old);
  expect(db.query('PRAGMA auto_vacuum').values()).toEqual([[0]]);
  db.close();
  const fresh = openDatabase(site.folder.path('new.sqlite'));
  fresh.run('CREATE TABLE t (id INTEGER)');
  expect(fresh.query('PRAGMA auto_vacuum').values()).toEqual([[2]]);
  fresh.close();
});
