import { afterAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import {
  storedEvents,
  withoutMetadata,
  writeOlderDatabase,
  wronglyAccounted,
} from '@manager/server/events/background/testing/older-database';
import { checkInvariants } from '@manager/server/events/invariants/invariants';
import { openDatabase } from '@manager/server/sqlite/open';
import { makeEvents } from '@manager/simulator';
import { ManagerProcess, temporaryFolder } from '../support/manager-process.ts';
import { boundTo, startTestGateway } from '../support/test-gateway.ts';

const EVENTS = 3_000;
const STATUSES = ['discovering', 'pending', 'running', 'applying', 'clearing', 'completed'] as const;

interface Migration {
  readonly name: string;
  readonly status: string;
  readonly targetEventId: number;
  readonly changedRows: number;
  readonly appliedRows: number;
}

const managers: ManagerProcess[] = [];
afterAll(async () => {
  for (const manager of managers) await manager.remove();
});

test('an upgrade that is killed at every status, while events arrive, corrects every event of the earlier version', async () => {
  const gateway = await startTestGateway();
  const dataDir = temporaryFolder();
  const path = join(dataDir, 'usage.sqlite');
  const right = writeOlderDatabase(path, {
    events: EVENTS,
    segments: [1_200],
    older: (event, index) => withoutMetadata(wronglyAccounted(event, index), index),
  });
  const options = { dataDir, env: boundTo(gateway, 'subscribe') };
  const start = async () => {
    const started = await ManagerProcess.start(options);
    managers.push(started);
    return started;
  };
  const migrationOf = async (manager: ManagerProcess) =>
    (await manager.json<{ dataMigration: Migration }>('/status')).dataMigration;

  let manager = await start();
  const traffic = gateway.startTraffic({ rate: 100, total: 400, events: makeEvents({ seed: 3, numberFrom: 0 }) });
  const seen: string[] = [];
  for (const status of ['running', 'applying', 'completed']) {
    await until(async () => {
      const migration = await migrationOf(manager);
      expect(migration.name).toBe('usage_cache_accounting_v2');
      expect(STATUSES as readonly string[]).toContain(migration.status);
      if (seen.at(-1) !== migration.status) seen.push(migration.status);
      return STATUSES.indexOf(migration.status as never) >= STATUSES.indexOf(status as never);
    }, status);
    await manager.kill();
    expect(violations(path)).toEqual([]);
    manager = await start();
  }
  const order = seen.map((status) => STATUSES.indexOf(status as never));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe('completed');
  const migration = await migrationOf(manager);
  expect(migration.appliedRows).toBe(migration.changedRows);
  expect(migration.changedRows).toBeGreaterThan(1_000);
  expect(migration.targetEventId).toBeLessThanOrEqual(EVENTS);
  await traffic.done;
  // It may have ended in an earlier process.
  await until(() => backfillStatus(path) === 'completed', 'the second job to end');
  expect(await manager.stop()).toBe(0);

  expect(violations(path)).toEqual([]);
  const db = openDatabase(path, { readonly: true });
  const stored = storedEvents(db);
  db.close();
  expect(stored.size).toBeGreaterThan(EVENTS);
  const wrong = [...right].filter(([id, event]) => {
    const found = stored.get(id);
    const isMarked = event.response_metadata_json === '' && found?.response_metadata_json === '{}';
    return !Bun.deepEquals(found, isMarked ? { ...event, response_metadata_json: '{}' } : event);
  });
  expect(wrong.map(([id]) => id)).toEqual([]);
}, 180_000);

function backfillStatus(path: string): string {
  const db = openDatabase(path, { readonly: true });
  try {
    const row = db
      .query<{ status: string }, []>(
        "SELECT status FROM usage_data_migrations WHERE name = 'response_metadata_backfill'",
      )
      .get();
    return row?.status ?? '';
  } finally {
    db.close();
  }
}

function violations(path: string): readonly string[] {
  const db = openDatabase(path, { readonly: true });
  try {
    return checkInvariants(db);
  } finally {
    db.close();
  }
}
