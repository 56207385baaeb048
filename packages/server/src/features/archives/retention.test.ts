import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { AppError } from '@manager/core/contract/errors';
import { until } from '@manager/core/testing/until';
import { createRetention, type RetentionDeps } from './retention.ts';
import { ARCHIVES, type ArchiveRig, createArchiveRig } from './testing/rig.ts';

const DAY_MS = 86_400_000;
/** More than 30 days after the last sample event. */
const NOW_MS = Date.UTC(2026, 9, 5);

let rig: ArchiveRig;
beforeEach(async () => {
  rig = await createArchiveRig({ events: 30 });
});
afterEach(() => rig.close());

const dependencies = (deps: Partial<RetentionDeps>, log: string[] = []): RetentionDeps => ({
  settings: async () => ({ enabled: true, days: 30 }),
  deleteEnabled: true,
  migrated: async () => true,
  activeRun: () => rig.site.store.reader.run('activeRetentionRun', null),
  service: rig.service,
  handOver: (id) => rig.site.store.writer.run('handOverArchiveRun', id),
  now: () => NOW_MS,
  log: { info: (text) => log.push(text), warn: (text) => log.push(text) },
  ...deps,
});

/** Runs `rounds` rounds and returns the wait after each one, in ms. */
async function waits(rounds: number, deps: Partial<RetentionDeps> = {}, log: string[] = []): Promise<number[]> {
  const waited: number[] = [];
  const done = Promise.withResolvers<void>();
  const retention = createRetention({
    ...dependencies({}, log),
    wait: async (ms, signal) => {
      waited.push(ms);
      if (waited.length < rounds) return;
      done.resolve();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
    ...deps,
  });
  retention.start();
  await done.promise;
  await retention.stop();
  return waited;
}

const runs = () =>
  rig.site.db
    .query<{ mode: string; status: string; cutoff: number }, []>(
      'SELECT mode, status, cutoff_timestamp_ms AS cutoff FROM usage_archive_runs ORDER BY number',
    )
    .all();

const runId = () =>
  rig.site.db.query<{ id: string }, []>('SELECT id FROM usage_archive_runs ORDER BY number').get()?.id ?? '';
const rawRows = () => rig.site.db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM usage_events').get()?.rows;

describe('a pass', () => {
  test('archives, verifies and deletes old events, then waits for a day', async () => {
    const log: string[] = [];
    expect(await waits(2, {}, log)).toEqual([DAY_MS, DAY_MS]);
    expect(runs()).toEqual([{ mode: 'retention', status: 'completed', cutoff: NOW_MS - 30 * DAY_MS }]);
    expect(rig.site.db.query('SELECT count(*) FROM usage_events').values()).toEqual([[0]]);
    expect(log).toEqual(['archive retention: 30 old events were archived and deleted']);
    expect(rig.deletions()).toBe(1);
  });

  test('does not touch younger events', async () => {
    expect(await waits(1, { settings: async () => ({ enabled: true, days: 60 }) })).toEqual([DAY_MS]);
    expect(runs()).toEqual([]);
  });

  test('waits for data of earlier versions', async () => {
    let rounds = 0;
    expect(await waits(3, { migrated: async () => ++rounds > 2 })).toEqual([5_000, 5_000, DAY_MS]);
  });

  test('waits for a manual run, however long, and does not touch it', async () => {
    const id = await rig.created();
    expect(await waits(14)).toEqual(Array.from({ length: 14 }, () => 30_000));
    expect(runs()).toMatchObject([{ mode: 'manual', status: 'previewed' }]);
    await rig.call('POST', `${ARCHIVES}/${id}/cancel`);
    expect(await waits(1)).toEqual([DAY_MS]);
    expect(runs()).toMatchObject([{ status: 'cancelled' }, { mode: 'retention', status: 'completed' }]);
  });

  test.each(['previewed', 'archived', 'verified'])('continues its own run that is %s', async (status) => {
    const { run } = await rig.service.create('retention', NOW_MS - 31 * DAY_MS);
    if (status !== 'previewed') await rig.call('POST', `${ARCHIVES}/${run.id}/resume`);
    if (status === 'verified') await rig.call('POST', `${ARCHIVES}/${run.id}/verify`);
    expect(rig.status(run.id)).toBe(status);
    expect(await waits(1)).toEqual([DAY_MS]);
    expect(runs()).toEqual([{ mode: 'retention', status: 'completed', cutoff: NOW_MS - 31 * DAY_MS }]);
  });

  test.each(['archiving', 'verifying', 'deleting'] as const)('continues where %s failed', async (stage) => {
    let failing = true;
    rig.hooks.run = (current) => {
      if (failing && current === stage) throw new Error('a file is lost');
    };
    expect(await waits(1)).toEqual([30_000]);
    expect(runs()).toMatchObject([{ status: 'failed' }]);
    failing = false;
    expect(await waits(1)).toEqual([DAY_MS]);
    expect(runs()).toMatchObject([{ status: 'completed' }]);
  });

  test('creates a new run instead of a canceled one', async () => {
    const { run } = await rig.service.create('retention', NOW_MS - 31 * DAY_MS);
    await rig.call('POST', `${ARCHIVES}/${run.id}/cancel`);
    expect(await waits(1)).toEqual([DAY_MS]);
    expect(runs()).toMatchObject([{ status: 'cancelled' }, { status: 'completed' }]);
  });

  test('is retried less often after ten equal failures, which are logged once', async () => {
    const log: string[] = [];
    rig.hooks.run = () => {
      throw new Error('a file is lost');
    };
    const waited = await waits(12, {}, log);
    expect(waited.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 30_000));
    expect(waited.slice(10)).toEqual([600_000, 600_000]);
    expect(log).toHaveLength(1);
    expect(runs()).toMatchObject([{ status: 'failed' }]);
    expect((await rig.call('GET', ARCHIVES)).body).toMatchObject({ runs: [{ has_error: true, mode: 'retention' }] });
  });

  test.each([
    { enabled: false, days: 30 },
    { enabled: true, days: 400 },
  ])('applies %j before the next stage: what was not deleted is kept', async (later) => {
    let settings = { enabled: true, days: 30 };
    rig.hooks.run = (stage) => {
      if (stage === 'verifying') settings = later;
    };
    const retention = createRetention(dependencies({ settings: async () => settings }));
    retention.start();
    await until(() => runs()[0]?.mode === 'manual');
    await retention.stop();
    // It waits for a person now and blocks nothing.
    expect(runs()).toMatchObject([{ mode: 'manual', status: 'verified' }]);
    expect(rig.site.db.query('SELECT count(*) FROM usage_events').values()).toEqual([[30]]);
  });

  test('turned off while its deletion is prepared takes that back at once', async () => {
    let enabled = true;
    const held = Promise.withResolvers<void>();
    let begun = false;
    rig.hooks.prepare = (stage) => {
      if (stage !== 'deleting') return;
      begun = true;
      return held.promise;
    };
    const retention = createRetention(dependencies({ settings: async () => ({ enabled, days: 30 }) }));
    retention.start();
    await until(() => begun);
    enabled = false;
    await retention.changed();
    expect(runs()).toMatchObject([{ mode: 'manual', status: 'verified' }]);
    expect(rig.site.db.query('SELECT requested_stage FROM usage_archive_runs').values()).toEqual([[null]]);
    // Also when it is turned on again at once: the run is no longer its own.
    enabled = true;
    await retention.changed();
    held.resolve();
    await retention.stop();
    // The runner was at it: its next work comes after that.
    expect((await rig.call('POST', `${ARCHIVES}/${runId()}/verify`)).status).toBe(200);
    expect(runs()).toMatchObject([{ mode: 'manual', status: 'verified' }]);
    expect(rawRows()).toBe(30);
  });

  test('turned off between its look at the settings and its request deletes nothing', async () => {
    let enabled = true;
    const settings = async () => {
      const seen = { enabled, days: 30 };
      if (enabled && runs()[0]?.status === 'verified') {
        enabled = false;
        await rig.site.store.writer.run('handOverArchiveRun', runId());
      }
      return seen;
    };
    const retention = createRetention(dependencies({ settings }));
    retention.start();
    await until(() => !enabled);
    await retention.stop();
    expect((await rig.call('POST', `${ARCHIVES}/${runId()}/verify`)).status).toBe(200);
    expect(runs()).toMatchObject([{ mode: 'manual', status: 'verified' }]);
    expect(rawRows()).toBe(30);
    // The person may finish it: its files say that the retention wrote them.
    expect((await rig.call('POST', `${ARCHIVES}/${runId()}/delete`)).status).toBe(200);
    expect(runs()).toMatchObject([{ mode: 'manual', status: 'completed' }]);
    expect(rig.deletions()).toBe(1);
  });

  test('asks again for a deletion that was requested before a restart, and not while it is off', async () => {
    const { run } = await rig.service.create('retention', NOW_MS - 31 * DAY_MS);
    for (const action of ['resume', 'verify']) await rig.call('POST', `${ARCHIVES}/${run.id}/${action}`);
    await rig.runner.stop();
    rig.site.db.run("UPDATE usage_archive_runs SET requested_stage = 'deleting'");
    await rig.restart();
    await until(() => rig.site.runRow(run.id).requested_stage === null);
    expect(rig.status(run.id)).toBe('verified');
    expect(rawRows()).toBe(30);
    expect(await waits(1)).toEqual([DAY_MS]);
    expect(runs()).toMatchObject([{ mode: 'retention', status: 'completed' }]);
  });

  test('that is off finishes a deletion that began and failed', async () => {
    rig.hooks.run = (stage) => {
      if (stage === 'deleting') throw new Error('the disk is full');
    };
    expect(await waits(1)).toEqual([30_000]);
    expect(runs()).toMatchObject([{ status: 'failed' }]);
    delete rig.hooks.run;
    const retention = createRetention(dependencies({ settings: async () => ({ enabled: false, days: 30 }) }));
    retention.start();
    await until(() => runs()[0]?.status === 'completed');
    await retention.stop();
    expect(runs()).toMatchObject([{ mode: 'retention' }]);
  });

  test.each([
    ['archiving', 'retention', 'cancelled'],
    ['verifying', 'manual', 'failed'],
  ])('that is off lets go of a run that failed while %s', async (stage, mode, status) => {
    rig.hooks.run = (current) => {
      if (current === stage) throw new Error('a file is lost');
    };
    expect(await waits(1)).toEqual([30_000]);
    const retention = createRetention(dependencies({ settings: async () => ({ enabled: false, days: 30 }) }));
    retention.start();
    await until(() => runs()[0]?.status === status && runs()[0]?.mode === mode);
    await retention.stop();
    expect(rawRows()).toBe(30);
  });

  test('that was turned off starts with the next change, without a restart', async () => {
    let enabled = false;
    const retention = createRetention(dependencies({ settings: async () => ({ enabled, days: 30 }) }));
    const { run } = await rig.service.create('retention', NOW_MS - 31 * DAY_MS);
    retention.start();
    await until(() => rig.status(run.id) === 'cancelled');
    enabled = true;
    await retention.changed();
    await until(() => runs().at(-1)?.status === 'completed');
    await retention.stop();
    expect(runs()).toHaveLength(2);
  });

  test('needs the archive directory', async () => {
    const service = {
      ...rig.service,
      requireAvailable: () => Promise.reject(new AppError('usage_archive_unavailable')),
    };
    expect(await waits(1, { service })).toEqual([30_000]);
    expect(runs()).toEqual([]);
  });
});

test('without the hourly rollup it logs that and does nothing', async () => {
  const log: string[] = [];
  const retention = createRetention({
    settings: async () => ({ enabled: true, days: 1 }),
    deleteEnabled: false,
    migrated: () => Promise.reject(new Error('not asked')),
    activeRun: () => Promise.reject(new Error('not asked')),
    service: rig.service,
    handOver: () => Promise.reject(new Error('not asked')),
    now: () => NOW_MS,
    log: { info: (text) => log.push(text), warn: (text) => log.push(text) },
  });
  retention.start();
  await until(() => log.length > 0);
  await retention.stop();
  expect(log).toEqual([
    'archive retention is off: it needs the hourly rollup; set USAGE_DASHBOARD_HOURLY_ROLLUP_ENABLED to true',
  ]);
  expect(runs()).toEqual([]);
});
