import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createArchiveSite, NOW_MS, RUN_ID } from '../features/archives/stages/testing/site.ts';
import { ARCHIVES } from '../features/archives/testing/rig.ts';
import { ADMIN, startTestServer, type TestServer } from '../http/testing.ts';
import { type Archives, createArchives } from './archives.ts';

const HOUR_MS = 3_600_000;

let nowMs = NOW_MS;
let elapsedMs = 0;
let site: Awaited<ReturnType<typeof createArchiveSite>>;
let archives: Archives;
let server: TestServer;
beforeEach(async () => {
  site = await createArchiveSite({ events: 20 });
  archives = createArchives({
    config: {
      archivesDir: site.folder.path('usage-archives'),
      archiveRetention: { enabled: false, locked: false, days: 30, daysLocked: false },
      hourlyRollupEnabled: true,
    },
    databasePath: site.folder.path('usage.sqlite'),
    store: site.store,
    exportGate: site.exports,
    now: () => nowMs,
    elapsed: () => elapsedMs,
    log: { info() {}, warn() {} },
  });
  server = startTestServer({ handlers: { archives: archives.routes } });
  archives.start();
});
afterEach(async () => {
  await archives.stop();
  await server.stop();
  await site.close();
});

const OTHER_ID = '0199a0000000700080000000000000ee';
const post = async (path: string) =>
  (await fetch(`${server.url}${ARCHIVES}/${path}`, { method: 'POST', headers: ADMIN })).status;

test('a stage that could not start is tried again in seconds, also when the clock of the machine was set back', async () => {
  site.createRun();
  site.db.run(
    `INSERT INTO usage_archive_runs (number, id, mode, schema_version, format, status, cutoff_timestamp_ms,
       target_event_id, event_count, estimated_bytes, created_at_ms, updated_at_ms)
     VALUES (99, '${OTHER_ID}', 'manual', 1, 'gzip-jsonl-v1', 'archived', 1, 1, 1, 1, 1, 1)`,
  );
  site.db.run("INSERT INTO usage_maintenance_locks VALUES ('usage_archive', 99, 'verifying', 1, 1)");
  expect(await post(`${RUN_ID}/resume?background=true`)).toBe(202);
  // It has no files. Each request wakes the runner, which tries the run with the lower number first.
  expect(await post(`${OTHER_ID}/verify`)).toBe(500);
  expect(site.runRow(RUN_ID).status).toBe('previewed');

  site.db.run('DELETE FROM usage_maintenance_locks');
  nowMs -= HOUR_MS;
  elapsedMs += 5_000;
  expect(await post(`${OTHER_ID}/verify`)).toBe(500);
  expect(site.runRow(RUN_ID).status).toBe('archived');
});

test('a retention that is turned off lets go of its run before the change is answered', async () => {
  await archives.retention.patch({ enabled: true, days: 100_000 });
  site.createRun();
  // Its deletion is requested, and the runner has not looked yet.
  site.db.run(
    "UPDATE usage_archive_runs SET mode = 'retention', status = 'verified', archived_at_ms = 1, requested_stage = 'deleting'",
  );
  await archives.retention.patch({ enabled: false });
  expect(site.runRow(RUN_ID)).toMatchObject({ mode: 'manual', status: 'verified', requested_stage: null });
});
