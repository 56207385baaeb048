import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  type UsageMaintenanceResponse,
  usageMaintenanceResponseSchema,
} from '@manager/core/contract/archives/maintenance';
import { RETENTION_PATH } from '@manager/core/contract/constants';
import { ADMIN, startTestServer, type TestServer } from '../../../http/testing.ts';
import { createRetentionSettings } from '../retention-settings.ts';
import { createArchiveSite } from '../stages/testing/site.ts';
import { ARCHIVES, type ArchiveRig, createArchiveRig } from '../testing/rig.ts';
import { readBytesPerEvent } from './bytes-per-event.ts';
import { createMaintenanceRoutes } from './routes.ts';
import { createMaintenanceService } from './service.ts';

const PATH = '/v0/management/usage/maintenance';

let rig: ArchiveRig;
let server: TestServer;
let readings = 0;
beforeEach(async () => {
  rig = await createArchiveRig({ events: 60 });
  server = serve(true);
  readings = 0;
});
afterEach(async () => {
  await server.stop();
  await rig.close();
});

function serve(hourlyRollupEnabled: boolean): TestServer {
  const { reader } = rig.site.store;
  const settings = createRetentionSettings({
    startup: { enabled: true, locked: true, days: 45, daysLocked: false },
    read: (keys) => reader.run('getSettings', keys),
    write: (changes) => rig.site.store.writer.run('putSettings', changes),
    onChange: async () => {},
    now: Date.now,
  });
  const service = createMaintenanceService({
    reader,
    activeRun: () => {
      readings += 1;
      return reader.run('activeArchiveRun', null);
    },
    compactingRun: () => reader.run('compactingArchiveRun', null),
    waitingRun: () => reader.run('waitingArchiveRun', null),
    databaseFiles: rig.site.store.databaseFiles,
    hourlyRollupEnabled,
    retention: settings.readable,
    compaction: () => ({ state: 'running', returnedPages: 5, pagesToReturn: 20, error: null }),
    now: Date.now,
  });
  return startTestServer({ handlers: { maintenance: createMaintenanceRoutes(service, settings) } });
}

async function read(from = server): Promise<UsageMaintenanceResponse> {
  const answer = await fetch(from.url + PATH, { headers: ADMIN, keepalive: false });
  expect(answer.status).toBe(200);
  return usageMaintenanceResponseSchema.parse(await answer.json());
}

describe('the probe', () => {
  test.each<[string, RequestInit, number]>([
    ['with the key', { method: 'HEAD', headers: ADMIN }, 204],
    ['without it', { method: 'HEAD' }, 401],
    ['as a POST', { method: 'POST', headers: ADMIN }, 405],
  ])('%s', async (_, init, status) => {
    const answer = await fetch(server.url + PATH, { ...init, keepalive: false });
    expect(answer.status).toBe(status);
    if (init.method === 'HEAD') expect(await answer.text()).toBe('');
    expect(readings).toBe(0);
  });
});

describe('the answer', () => {
  test('counts raw, archived and deleted events during a run', async () => {
    const { db } = rig.site;
    const times = db
      .query<{ first: number; last: number }, []>(
        'SELECT min(timestamp_ms) AS first, max(timestamp_ms) AS last FROM usage_events',
      )
      .get();
    const before = await read();
    expect(before).toMatchObject({
      raw_event_count: 60,
      raw_min_timestamp_ms: times?.first ?? -1,
      raw_max_timestamp_ms: times?.last ?? -1,
      raw_archived_event_count: 0,
      raw_deleted_event_count: 0,
      compact_requires_stopped_server: false,
      compaction: { state: 'running', begins_above_percent: 20, returned_pages: 5, pages_to_return: 20 },
      retention: { enabled: true, days: 45, enabled_locked: true, days_locked: false },
    });
    expect(before).not.toHaveProperty('active_run');
    expect(before).not.toHaveProperty('active_lock');

    const id = await rig.created();
    expect((await read()).active_run).toMatchObject({ id, status: 'previewed' });
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    rig.hooks.run = () => {
      begun.resolve();
      return held.promise;
    };
    const archiving = rig.call('POST', `${ARCHIVES}/${id}/resume`);
    await begun.promise;
    expect((await read()).active_lock).toMatchObject({ run_id: id, operation: 'archiving' });
    held.resolve();
    await archiving;
    const archived = await read();
    expect(archived).toMatchObject({ raw_event_count: 60, raw_archived_event_count: 60, raw_deleted_event_count: 0 });
    expect(archived).not.toHaveProperty('active_run');
    // It waits for a decision, and blocks nothing.
    expect(archived.waiting_run).toMatchObject({ id, status: 'archived' });
    expect(archived).not.toHaveProperty('active_lock');
    await rig.call('POST', `${ARCHIVES}/${id}/verify`);
    await rig.call('POST', `${ARCHIVES}/${id}/delete`);
    const deleted = await read();
    expect(deleted).toMatchObject({
      raw_event_count: 0,
      raw_min_timestamp_ms: 0,
      raw_max_timestamp_ms: 0,
      raw_archived_event_count: 0,
      raw_deleted_event_count: 60,
    });
    expect(deleted.hourly_aggregate).toMatchObject({ status: 'ready', coverage_event_id: 60, target_event_id: 60 });
    expect(deleted).not.toHaveProperty('compacting_run');
    rig.site.db.run("UPDATE usage_archive_runs SET compaction = 'waiting'");
    const compacting = await read();
    expect(compacting.compacting_run).toMatchObject({ id, status: 'completed', compaction: 'waiting' });
    // It blocks nothing.
    expect(compacting).not.toHaveProperty('active_run');
    expect(JSON.stringify(deleted)).not.toMatch(/sqlite|jsonl|\/tmp/);
  });

  test('a canceled run holds nothing any more', async () => {
    const id = await rig.created();
    await rig.call('POST', `${ARCHIVES}/${id}/resume`);
    rig.site.db.run("UPDATE usage_archive_runs SET status = 'failed', resume_status = 'verifying'");
    await rig.call('POST', `${ARCHIVES}/${id}/cancel`);
    expect(await read()).toMatchObject({ raw_archived_event_count: 0, raw_deleted_event_count: 0 });
  });

  test('shows whether derived data is ready', async () => {
    expect((await read()).readiness).toEqual({
      migration_ready: true,
      hourly_aggregate_ready: true,
      archive_delete_enabled: true,
    });
    rig.site.db.run("UPDATE counters SET value = 40 WHERE name = 'hourly_core_event_id'");
    const behind = await read();
    expect(behind.readiness.hourly_aggregate_ready).toBe(false);
    expect(behind.hourly_aggregate).toMatchObject({
      status: 'catching_up',
      coverage_event_id: 40,
      target_event_id: 60,
    });
    expect(behind.hourly_aggregate_coverage).toEqual({
      status: 'catching_up',
      watermark_event_id: 40,
      target_event_id: 60,
      complete: false,
    });
    rig.site.db.run("DELETE FROM usage_data_migrations WHERE name = 'usage_cache_accounting_v2'");
    const missing = await read();
    expect(missing.migration.status).toBe('');
    expect(missing.readiness.migration_ready).toBe(false);
    expect(missing.migration_coverage.complete).toBe(false);
    const switchedOff = serve(false);
    expect((await read(switchedOff)).readiness).toMatchObject({
      hourly_aggregate_ready: false,
      archive_delete_enabled: false,
    });
    await switchedOff.stop();
  });

  test('comes without the retention when that is damaged, until it is saved again', async () => {
    rig.site.db.run("INSERT INTO settings (key, value, updated_at_ms) VALUES ('archive_retention', '{\"days\":', 1)");
    const damaged = await read();
    expect(damaged.retention_unreadable).toBe(true);
    expect(damaged).not.toHaveProperty('retention');
    const body = JSON.stringify({ days: 60 });
    const answer = await fetch(server.url + RETENTION_PATH, {
      method: 'PATCH',
      headers: ADMIN,
      keepalive: false,
      body,
    });
    expect(answer.status).toBe(200);
    const repaired = await read();
    expect(repaired.retention).toMatchObject({ enabled: true, days: 60 });
    expect(repaired).not.toHaveProperty('retention_unreadable');
  });

  test('is read once for callers at the same time', async () => {
    await Promise.all(Array.from({ length: 6 }, () => read()));
    expect(readings).toBeLessThan(6);
  });

  test('has the sizes of the file and of its parts', async () => {
    const { storage } = await read();
    expect(storage.page_size).toBe(4096);
    expect(storage.reclaimable_bytes).toBe(storage.freelist_count * storage.page_size);
    expect(storage.total_bytes).toBe(storage.database_bytes + storage.wal_bytes + storage.shm_bytes);
    const parts = storage.bytes_per_event;
    expect(parts?.estimated).toBe(false);
    const sum = (parts?.raw ?? 0) + (parts?.facts ?? 0) + (parts?.ledger ?? 0) + (parts?.other ?? 0);
    const used = (storage.page_count - storage.freelist_count) * storage.page_size;
    expect(Math.abs(sum - used / 60)).toBeLessThan(1);
  });
});

test('parts of a large database are estimated, and are close to the counted sizes', async () => {
  const site = await createArchiveSite({ events: 7_000, segmentRows: 3_000 });
  try {
    while (site.db.query('SELECT 1 FROM fact_segments WHERE id = 2').get() === null) await Bun.sleep(20);
    // At one moment: sealed rows of the tail are still being removed.
    const { counted, reckoned } = site.db.transaction(() => ({
      counted: readBytesPerEvent(site.db),
      reckoned: readBytesPerEvent(site.db, 0),
    }))();
    if (counted === null || reckoned === null) throw new Error('there are events');
    expect(counted.estimated).toBe(false);
    expect(reckoned.estimated).toBe(true);
    for (const part of ['raw', 'facts', 'ledger', 'other'] as const) {
      expect(Math.abs(counted[part] - reckoned[part])).toBeLessThan(Math.max(counted[part] * 0.05, 4));
    }
  } finally {
    await site.close();
  }
}, 180_000);

test('has no bytes per event without events', async () => {
  const site = await createArchiveSite();
  expect(readBytesPerEvent(site.db)).toBeNull();
  await site.close();
});
