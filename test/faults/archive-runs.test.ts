import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { chmodSync, existsSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UsageMaintenanceResponse } from '@manager/core/contract/archives/maintenance';
import type { ArchiveRun, ArchiveRunResponse } from '@manager/core/contract/archives/runs';
import { until } from '@manager/core/testing/until';
import { archiveJobs } from '@manager/server/features/archives/queries/read-runs';
import { openDatabase } from '@manager/server/sqlite/open';
import { makeEvents } from '@manager/simulator';
import { checkStored } from '../support/after-crash.ts';
import {
  act,
  archiveRuns,
  archiveServers,
  createRun,
  fillEvents,
  inDatabase,
  onlyRun,
  requireFreeLock,
  runRow,
  segmentPaths,
  settledRun,
  stopWith,
} from '../support/archive-server.ts';
import type { ManagerProcess } from '../support/manager-process.ts';

const USAGE = '/v0/management/usage';
const ARCHIVES = `${USAGE}/archives`;
const EVENTS = 40;
/** All events lie in one hour of this day. */
const EVENTS_MS = Date.now() - 40 * 86_400_000;
const CUTOFF = { cutoff_timestamp_ms: EVENTS_MS + 86_400_000 };

const servers = archiveServers();
const { copyOf, folder, killed, start } = servers;
/** A data directory with events and no run; every test has a copy. */
let filled = '';
/** The same with a run whose verification failed because others may read its file. */
let damaged = '';

beforeAll(async () => {
  filled = folder();
  const manager = await start(filled);
  let clock = EVENTS_MS;
  const events = makeEvents({ seed: 9, numberFrom: 0, now: () => (clock += 1_000) }).take(EVENTS);
  const answer = await manager.fetch(`${USAGE}/import`, {
    method: 'POST',
    body: events.map(({ text }) => `${text}\n`).join(''),
  });
  expect(await answer.json()).toMatchObject({ added: EVENTS });
  expect(await manager.stop()).toBe(0);

  damaged = copyOf(filled);
  const second = await start(damaged);
  const id = await create(second);
  expect((await act(second, id, 'resume')).status).toBe(200);
  chmodSync(segmentOf(damaged, id), 0o644);
  expect((await act(second, id, 'verify')).status).toBe(500);
  expect(await second.stop()).toBe(0);
}, 180_000);
afterAll(servers.remove);

const create = (manager: ManagerProcess) => createRun(manager, CUTOFF.cutoff_timestamp_ms);

/** Nothing starts automatically: the runner has no work. */
async function keepsStatus(manager: ManagerProcess, status: ArchiveRun['status']): Promise<void> {
  const db = openDatabase(join(manager.dataDir, 'usage.sqlite'), { readonly: true });
  try {
    await until(() => archiveJobs({ db }, null).length === 0, 'nothing to do');
  } finally {
    db.close();
  }
  expect((await archiveRuns(manager)).map((run) => [run.status, run.requested_stage])).toEqual([[status, undefined]]);
}

function segmentOf(dataDir: string, id: string): string {
  return segmentPaths(dataDir, id)[0] ?? 'none';
}

describe('creating a run', () => {
  test('F-30 killed before the commit: there is no run', async () => {
    const dataDir = copyOf(filled);
    await killed(dataDir, 'archive_run_uncommitted', create);
    const manager = await start(dataDir);
    expect(await archiveRuns(manager)).toEqual([]);
    await create(manager);
    await stopWith(manager, EVENTS);
  });

  test('F-31 killed before the answer: the run is listed and keeps others away until it is cancelled', async () => {
    const dataDir = copyOf(filled);
    await killed(dataDir, 'archive_run_created', create);
    const manager = await start(dataDir);
    const run = await onlyRun(manager);
    expect(run).toMatchObject({ status: 'previewed', event_count: EVENTS });
    const second = await manager.fetch(ARCHIVES, { method: 'POST', body: JSON.stringify(CUTOFF) });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ code: 'usage_archive_maintenance_locked' });
    expect((await act(manager, run.id, 'cancel')).status).toBe(200);
    await create(manager);
    await stopWith(manager, EVENTS);
  });
});

describe('a stage', () => {
  test('F-32 killed after it was asked for: it is done by itself', async () => {
    const dataDir = copyOf(filled);
    await killed(dataDir, 'archive_stage_requested', async (manager) => act(manager, await create(manager), 'resume'));
    const manager = await start(dataDir);
    expect(await settledRun(manager, 'archived')).toMatchObject({ archived_event_count: EVENTS, has_error: false });
    await requireFreeLock(manager);
    await stopWith(manager, EVENTS);
  });

  test('F-41 killed after archiving, before the answer: nothing is left to do, and nothing is verified', async () => {
    const dataDir = copyOf(filled);
    await killed(dataDir, 'archive_request_satisfied', async (manager) =>
      act(manager, await create(manager), 'resume'),
    );
    const manager = await start(dataDir);
    const run = await settledRun(manager, 'archived');
    expect((await act(manager, run.id, 'resume')).status).toBe(200);
    await keepsStatus(manager, 'archived');
    await stopWith(manager, EVENTS);
  });

  test('F-43 killed after verification, its request still there: the request goes, no deletion begins', async () => {
    const dataDir = copyOf(filled);
    await killed(dataDir, 'archive_request_satisfied#2', async (manager) => {
      const id = await create(manager);
      await act(manager, id, 'resume');
      await act(manager, id, 'verify');
    });
    const manager = await start(dataDir);
    const run = await settledRun(manager, 'verified');
    await keepsStatus(manager, 'verified');
    expect(run.deleted_event_count).toBe(0);
    await stopWith(manager, EVENTS);
  });

  test('F-55 killed after its failure was recorded: it stays failed, the lock is free', async () => {
    const dataDir = copyOf(filled);
    await killed(dataDir, 'archive_failure_recorded', async (manager) => {
      const id = await create(manager);
      await act(manager, id, 'resume');
      chmodSync(segmentOf(dataDir, id), 0o644);
      await act(manager, id, 'verify');
    });
    const manager = await start(dataDir);
    const run = await onlyRun(manager);
    expect(run).toMatchObject({ status: 'failed', resume_status: 'verifying', has_error: true });
    await requireFreeLock(manager);
    await keepsStatus(manager, 'failed');
    chmodSync(segmentOf(dataDir, run.id), 0o600);
    expect((await act(manager, run.id, 'resume')).status).toBe(200);
    await settledRun(manager, 'verified');
    await stopWith(manager, EVENTS);
  });

  test('F-56 its failure cannot be recorded, then killed: the same stage goes on', async () => {
    const dataDir = copyOf(damaged);
    const database = openDatabase(join(dataDir, 'usage.sqlite'));
    // The effect of a full disk on this one statement.
    database.run(
      `CREATE TRIGGER disk_full BEFORE UPDATE ON usage_archive_runs WHEN new.status = 'failed' AND old.status <> 'failed'
       BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END`,
    );
    database.close();
    const first = await start(dataDir);
    const { id } = await onlyRun(first);
    expect((await act(first, id, 'verify')).status).toBe(500);
    expect(await onlyRun(first)).toMatchObject({ status: 'verifying', requested_stage: 'verifying' });
    await first.kill();
    const again = openDatabase(join(dataDir, 'usage.sqlite'));
    again.run('DROP TRIGGER disk_full');
    again.close();
    chmodSync(segmentOf(dataDir, id), 0o600);
    const manager = await start(dataDir);
    await settledRun(manager, 'verified');
    await requireFreeLock(manager);
    await stopWith(manager, EVENTS);
  });

  test('killed before its failure was recorded: the same stage continues and fails again', async () => {
    const dataDir = copyOf(damaged);
    await killed(dataDir, 'archive_failure_unrecorded', async (manager) =>
      act(manager, (await onlyRun(manager)).id, 'verify'),
    );
    const manager = await start(dataDir);
    expect(await settledRun(manager, 'failed')).toMatchObject({ resume_status: 'verifying' });
    await requireFreeLock(manager);
    await stopWith(manager, EVENTS);
  });
});

describe('cancelling', () => {
  test.each(['archive_cancel_cleaned', 'archive_cancel_uncommitted'])(
    'F-53 killed before the commit (%s): nothing but the temporary file is gone, and it works again',
    async (stopAt) => {
      const dataDir = copyOf(damaged);
      let temporary = '';
      await killed(dataDir, stopAt, async (manager) => {
        const { id } = await onlyRun(manager);
        temporary = join(dataDir, 'usage-archives', id, '.archive-tmp-0011223344556677');
        writeFileSync(temporary, 'half', { mode: 0o600 });
        await act(manager, id, 'cancel');
      });
      expect(existsSync(temporary)).toBe(false);
      const manager = await start(dataDir);
      const run = await onlyRun(manager);
      expect(run).toMatchObject({ status: 'failed', resume_status: 'verifying', archived_event_count: EVENTS });
      expect((await act(manager, run.id, 'cancel')).status).toBe(200);
      expect(await onlyRun(manager)).toMatchObject({ status: 'cancelled', has_error: false });
      await stopWith(manager, EVENTS);
    },
  );

  test.each(['archive_cancel_committed', 'archive_references_releasing', 'archive_cancelled'])(
    'F-54 killed after the commit (%s): the events go into another run, files and segments stay',
    async (stopAt) => {
      const dataDir = copyOf(damaged);
      await killed(dataDir, stopAt, async (manager) => act(manager, (await onlyRun(manager)).id, 'cancel'));
      const manager = await start(dataDir);
      const old = await onlyRun(manager);
      expect(old.status).toBe('cancelled');
      expect(existsSync(segmentOf(dataDir, old.id))).toBe(true);
      const { segments } = await manager.json<ArchiveRunResponse>(`${ARCHIVES}/${old.id}`);
      expect(segments).toHaveLength(1);
      const id = await create(manager);
      for (const action of ['resume', 'verify', 'delete']) expect((await act(manager, id, action)).status).toBe(200);
      expect((await manager.json<ArchiveRunResponse>(`${ARCHIVES}/${id}`)).run).toMatchObject({
        status: 'completed',
        deleted_event_count: EVENTS,
      });
      expect(existsSync(segmentOf(dataDir, old.id))).toBe(true);
      await stopWith(manager, 0);
    },
  );
});

test('F-57 retention killed between its steps: the same run goes on, there is never a second one', async () => {
  const dataDir = copyOf(filled);
  const env = { USAGE_ARCHIVE_RETENTION_ENABLED: 'true', USAGE_ARCHIVE_RETENTION_DAYS: '1' };
  const ids = new Set<string>();
  const stops: readonly [string, string][] = [
    ['archive_run_created', 'previewed'],
    ['archived_committed', 'archived'],
    ['verified_committed', 'verified'],
    ['archive_revalidated', 'deleting'],
    ['archive_completed', 'completed'],
  ];
  for (const [stopAt, status] of stops) {
    await servers.killedByItself(dataDir, stopAt, env);
    const database = openDatabase(join(dataDir, 'usage.sqlite'), { readonly: true });
    const rows = database
      .query<{ id: string; mode: string; status: string }, []>('SELECT id, mode, status FROM usage_archive_runs')
      .all();
    database.close();
    expect(rows).toMatchObject([{ mode: 'retention', status }]);
    for (const { id } of rows) ids.add(id);
  }
  expect(ids.size).toBe(1);
  const manager = await start(dataDir, undefined, env);
  await settledRun(manager, 'completed');
  await requireFreeLock(manager);
  await stopWith(manager, 0);
});

test('an automatic run killed in every stage goes on to its end, by itself', async () => {
  const dataDir = copyOf(filled);
  await killed(dataDir, 'archive_run_created', (manager) =>
    manager.fetch(ARCHIVES, { method: 'POST', body: JSON.stringify({ ...CUTOFF, delete_rows: true }) }),
  );
  const stops: readonly [string, Readonly<Record<string, unknown>>][] = [
    ['segment_published', { status: 'archiving', deleted: 0 }],
    ['archived_committed', { status: 'archived', deleted: 0 }],
    ['verified_committed', { status: 'verified', deleted: 0 }],
    ['archive_delete_batch', { status: 'deleting', deleted: 0 }],
    ['archive_completed', { status: 'completed', deleted: EVENTS }],
  ];
  for (const [stopAt, state] of stops) {
    await servers.killedByItself(dataDir, stopAt);
    expect([stopAt, runRow(dataDir)]).toMatchObject([stopAt, state]);
  }
  const manager = await start(dataDir);
  const run = await until(async () => {
    const only = await onlyRun(manager);
    return only.compaction === 'not_needed' ? only : null;
  }, 'the end of the run');
  expect(run).toMatchObject({ status: 'completed', automatic: true, deleted_event_count: EVENTS });
  await requireFreeLock(manager);
  await stopWith(manager, 0);
}, 60_000);

test('killed while free pages are returned to the disk: nothing is lost, and the next start continues', async () => {
  const dataDir = folder();
  const path = join(dataDir, 'usage.sqlite');
  fillEvents(dataDir, EVENTS_MS, 0, 1);
  inDatabase(dataDir, 'CREATE TABLE filler AS SELECT zeroblob(20000000) AS bytes');
  fillEvents(dataDir, EVENTS_MS, 1, 500);
  inDatabase(dataDir, 'DROP TABLE filler');
  inDatabase(dataDir, 'PRAGMA wal_checkpoint(TRUNCATE)');
  const sizes = [statSync(path).size];
  await servers.killedByItself(dataDir, 'pages_returned_uncommitted#4');
  expect(checkStored(dataDir)).toBe(500);
  const manager = await start(dataDir);
  await until(async () => {
    const { storage } = await manager.json<UsageMaintenanceResponse>(`${USAGE}/maintenance`);
    return storage.freelist_count <= storage.page_count * 0.06;
  }, 'few free pages');
  await stopWith(manager, 500);
  sizes.push(statSync(path).size);
  expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) / 4);
}, 60_000);

test('an archive directory that is a link stops nothing but archives, until it is removed', async () => {
  const dataDir = copyOf(filled);
  const directory = join(dataDir, 'usage-archives');
  rmSync(directory, { recursive: true, force: true });
  symlinkSync(folder(), directory);
  const manager = await start(dataDir);
  const refused = await manager.fetch(ARCHIVES, { method: 'POST', body: JSON.stringify(CUTOFF) });
  expect(refused.status).toBe(503);
  expect(await refused.json()).toEqual({
    error: 'archives are currently not available; see the manager log',
    code: 'usage_archive_unavailable',
  });
  expect(await manager.json<UsageMaintenanceResponse>(`${USAGE}/maintenance`)).toMatchObject({
    raw_event_count: EVENTS,
  });
  rmSync(directory);
  const id = await create(manager);
  expect((await act(manager, id, 'resume')).status).toBe(200);
  await stopWith(manager, EVENTS);
});
