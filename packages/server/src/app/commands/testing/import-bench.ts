import type { Database } from 'bun:sqlite';
import { expect } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { UsageEvent } from '@manager/core/usage/event';
import { prepareForInsert } from '@manager/core/usage/insert';
import { readRecord } from '@manager/core/usage/record';
import { storedEvents } from '../../../events/background/testing/older-database.ts';
import { checkInvariants } from '../../../events/invariants/invariants.ts';
import { sampleRecords } from '../../../events/testing/sample-records.ts';
import { TEST_NOW_MS } from '../../../events/testing/test-ingester.ts';
import type { Cells } from '../../../features/transfer/foreign/testing/foreign-databases.ts';
import { sha256Hex } from '../../../platform/sha256.ts';
import { createTestFolder } from '../../../platform/testing/test-folder.ts';
import { openMigrated } from '../../../schema/open-migrated.ts';
import { openDatabase } from '../../../sqlite/open.ts';
import { type RunOptions, runInProcess } from './command-runner.ts';

const SOURCE_NAME = 'other manager.db';

/** An empty database of ours, and the path of another manager's database. */
export function createImportBench() {
  const folder = createTestFolder();
  const path = folder.path('usage.sqlite');
  const from = folder.path(SOURCE_NAME);
  openMigrated(path, { now: () => TEST_NOW_MS }).close();

  function run(flags = '', options: Partial<RunOptions> = {}) {
    const more = flags.split(' ').filter((flag) => flag !== '');
    return runInProcess(['import-database', '--from', from, '--db-path', path, ...more], {
      directory: folder.path('.'),
      now: () => TEST_NOW_MS,
      ...options,
    });
  }

  function withDatabase<Result>(work: (db: Database) => Result): Result {
    const db = openDatabase(path);
    try {
      return work(db);
    } finally {
      db.close();
    }
  }

  return {
    path,
    from,
    run,
    withDatabase,
    dispose: () => folder.dispose(),
    files: () => readdirSync(folder.path('.')),
    /** The report of a successful run. */
    async report(flags?: string) {
      const { code, out, err } = await run(flags);
      expect({ code, err }).toMatchObject({ code: 0 });
      return JSON.parse(out);
    },
    events: () => withDatabase((db) => [...storedEvents(db).values()]),
    expectSound() {
      expect(withDatabase((db) => checkInvariants(db))).toEqual([]);
    },
    /** Content of the source, to prove that nothing was written to it. */
    sourceState: () =>
      readdirSync(folder.path('.'))
        .filter((name) => name.startsWith(SOURCE_NAME) && !name.endsWith('-shm'))
        .map(
          (name) =>
            `${name} ${createHash('sha256')
              .update(readFileSync(folder.path(name)))
              .digest('hex')}`,
        ),
  };
}

export type ImportBench = ReturnType<typeof createImportBench>;

/** Events as a manager of format A stores them. */
export function sampleEvents(count: number): UsageEvent[] {
  const next = sampleRecords({ seed: 9, accounts: 20, models: 4, keys: 5, startMs: TEST_NOW_MS - 3_600_000 });
  return Array.from({ length: count }, () => {
    const outcome = readRecord(next(), { nowMs: TEST_NOW_MS, sha256Hex });
    if (outcome.kind !== 'event') throw new Error('a sample is an event');
    return prepareForInsert(outcome.event).event;
  });
}

export function rowOfA(event: UsageEvent): Cells {
  const { billable_output_tokens, cache_write_1h_tokens, unclassified_tokens, token_quality, failed, ...columns } =
    event;
  return { ...columns, failed: failed ? 1 : 0 };
}
