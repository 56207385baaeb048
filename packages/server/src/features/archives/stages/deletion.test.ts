import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { checkInvariants } from '../../../events/invariants/invariants.ts';
import { requireDeleteGates } from './gates.ts';
import { type ArchiveSite, createArchiveSite, RUN_ID } from './testing/site.ts';

// Each test has its own database and workers.
setDefaultTimeout(180_000);

const EVENTS = 2_300;
const INCOMPLETE = { code: 'usage_archive_coverage_incomplete' };

let verified: ArchiveSite;
let site: ArchiveSite;
beforeAll(async () => {
  verified = await createArchiveSite({ events: EVENTS });
  verified.createRun();
  for (const stage of ['archiving', 'verifying'] as const) await verified.run(stage);
  await verified.close({ keep: true });
});
beforeEach(async () => {
  site = await createArchiveSite({ copyOf: verified });
});
afterEach(() => site.close());
afterAll(() => verified.folder.dispose());

const rawRows = () => site.db.query<{ n: number }, []>('SELECT count(*) AS n FROM usage_events').get()?.n;

function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error,
  );
}

/** Absolute path of the only segment. */
function segmentFile(): string {
  const [name = ''] = readdirSync(site.folder.path(`usage-archives/${RUN_ID}`)).filter((each) =>
    each.startsWith('segm'),
  );
  return site.file(name);
}

describe('nothing is deleted', () => {
  const gates: readonly (readonly [string, string, string])[] = [
    [
      'the hourly rollup is behind',
      `UPDATE counters SET value = ${EVENTS - 1} WHERE name = 'hourly_core_event_id'`,
      `UPDATE counters SET value = ${EVENTS} WHERE name = 'hourly_core_event_id'`,
    ],
    [
      'stored events are being corrected',
      "UPDATE usage_data_migrations SET status = 'applying' WHERE name = 'usage_cache_accounting_v2'",
      "UPDATE usage_data_migrations SET status = 'completed'",
    ],
    [
      'response metadata is being read',
      "UPDATE usage_data_migrations SET status = 'running' WHERE name = 'response_metadata_backfill'",
      "UPDATE usage_data_migrations SET status = 'completed'",
    ],
    [
      'counts and sources are being corrected',
      "UPDATE usage_data_migrations SET status = 'running' WHERE name = 'stored_event_rules'",
      "UPDATE usage_data_migrations SET status = 'completed'",
    ],
    [
      'received times are being corrected',
      "INSERT INTO usage_data_migrations VALUES ('received_times', 'pending', 0, 9, 0, 0, 0, 0, 0, 0, '')",
      "UPDATE usage_data_migrations SET status = 'completed'",
    ],
    [
      'the newest response headers are being collected',
      "INSERT INTO counters (name, value) VALUES ('header_snapshots_pending_id', 5) ON CONFLICT (name) DO UPDATE SET value = 5",
      "UPDATE counters SET value = 0 WHERE name = 'header_snapshots_pending_id'",
    ],
    [
      'facts are missing',
      `UPDATE usage_archive_runs SET target_event_id = ${EVENTS + 5}`,
      `UPDATE usage_archive_runs SET target_event_id = ${EVENTS}`,
    ],
  ];
  test.each(gates)('while %s; afterwards the same run continues', async (_name, close, open) => {
    expect(() => requireDeleteGates(site.db, RUN_ID)).not.toThrow();
    site.db.run(close);
    expect(() => requireDeleteGates(site.db, RUN_ID)).toThrow();
    site.db.run("UPDATE usage_archive_runs SET status = 'deleting'");
    const batch = () => site.store.writer.run('deleteArchivedBatch', { runId: RUN_ID });
    expect(await failureOf(batch())).toMatchObject(INCOMPLETE);
    expect(rawRows()).toBe(EVENTS);
    site.db.run(open);
    expect(await batch()).toEqual({ deletedEventCount: 1_000, eventCount: EVENTS, completed: false });
    await site.run('deleting');
    expect(rawRows()).toBe(0);
    expect(checkInvariants(site.db)).toEqual([]);
  });

  test('outside the stage, nor of a run of another format', async () => {
    const batch = () => site.store.writer.run('deleteArchivedBatch', { runId: RUN_ID });
    for (const status of ['verified', 'failed', 'completed']) {
      site.db.query('UPDATE usage_archive_runs SET status = ?').run(status);
      expect(await failureOf(batch())).toMatchObject({ code: 'usage_archive_invalid_state' });
    }
    site.db.run("UPDATE usage_archive_runs SET status = 'deleting', schema_version = 2");
    expect(await failureOf(batch())).toMatchObject({ code: 'usage_archive_invalid_state' });
    expect(rawRows()).toBe(EVENTS);
  });

  test('when a reference differs from the ledger', async () => {
    site.db.run("UPDATE usage_archive_event_refs SET event_hash = 'another' WHERE raw_event_id = 2200");
    expect(await failureOf(site.run('deleting'))).toMatchObject(INCOMPLETE);
    expect(site.runRow().status).toBe('verified');
    site.db.run("UPDATE usage_archive_runs SET status = 'deleting'");
    for (const expected of [1_000, 2_000]) {
      const { deletedEventCount } = await site.store.writer.run('deleteArchivedBatch', { runId: RUN_ID });
      expect(deletedEventCount).toBe(expected);
    }
    expect(await failureOf(site.store.writer.run('deleteArchivedBatch', { runId: RUN_ID }))).toMatchObject(INCOMPLETE);
    expect(rawRows()).toBe(300);
  });

  test('when a reference is missing', async () => {
    site.db.run('DELETE FROM usage_archive_event_refs WHERE raw_event_id = 2200');
    expect(await failureOf(site.run('deleting'))).toMatchObject(INCOMPLETE);
    expect(site.runRow().status).toBe('verified');
    expect(await failureOf(site.run('verifying'))).toMatchObject(INCOMPLETE);
    expect(rawRows()).toBe(EVENTS);
  });

  test('when somebody else has deleted a raw row before or meanwhile', async () => {
    site.db.run('DELETE FROM usage_events WHERE id = 2200');
    expect(await failureOf(site.run('deleting'))).toMatchObject(INCOMPLETE);
    expect(rawRows()).toBe(EVENTS - 1);
    site.db.run('UPDATE usage_events SET id = 2200 WHERE id = 2201');
    expect(await failureOf(site.stages.run('deleting', site.context()))).toMatchObject(INCOMPLETE);
    for (let batches = 0; batches < 2; batches += 1) {
      await site.store.writer.run('deleteArchivedBatch', { runId: RUN_ID });
    }
    expect(await failureOf(site.store.writer.run('deleteArchivedBatch', { runId: RUN_ID }))).toMatchObject(INCOMPLETE);
    expect(rawRows()).toBe(EVENTS - 1 - 2_000);
  });

  const backup = () => site.folder.path('backup');
  const damages: readonly (readonly [string, () => void])[] = [
    ['a segment is gone', () => rmSync(segmentFile())],
    ['the manifest is gone', () => rmSync(site.file('manifest.json'))],
    ['the directory is gone', () => rmSync(site.file('.'), { recursive: true })],
    [
      'a byte of a segment is another one',
      () => {
        const file = readFileSync(segmentFile());
        file[file.length >> 1] = (file[file.length >> 1] ?? 0) ^ 1;
        writeFileSync(segmentFile(), file);
      },
    ],
    [
      'a byte of the manifest is another one',
      () => {
        const file = readFileSync(site.file('manifest.json'), 'utf8');
        writeFileSync(site.file('manifest.json'), file.replace('manual', 'Manual'));
      },
    ],
    ['others may read a segment', () => chmodSync(segmentFile(), 0o644)],
    ['others may read the manifest', () => chmodSync(site.file('manifest.json'), 0o640)],
    [
      'a link leads to the segment',
      () => {
        renameSync(segmentFile(), site.folder.path('elsewhere'));
        symlinkSync(site.folder.path('elsewhere'), `${site.folder.path(`usage-archives/${RUN_ID}`)}/segment-link`);
        renameSync(site.file('segment-link'), site.file(linkName));
      },
    ],
  ];
  let linkName = '';
  test.each(damages)('when %s; with the files of a backup the same run continues', async (_name, damage) => {
    const folder = site.folder.path(`usage-archives/${RUN_ID}`);
    linkName = segmentFile().split('/').at(-1) ?? '';
    mkdirSync(backup());
    for (const name of readdirSync(folder)) writeFileSync(`${backup()}/${name}`, readFileSync(`${folder}/${name}`));
    damage();
    expect(await failureOf(site.run('deleting'))).toBeInstanceOf(Error);
    expect(rawRows()).toBe(EVENTS);
    expect(site.runRow()).toMatchObject({ status: 'deleting', deleted_event_count: 0 });
    rmSync(folder, { recursive: true, force: true });
    const restored = await site.directory.subdirectory(RUN_ID);
    for (const name of readdirSync(backup())) await restored.publish(name, readFileSync(`${backup()}/${name}`));
    await site.stages.run('deleting', site.context());
    expect(rawRows()).toBe(0);
    expect(checkInvariants(site.db)).toEqual([]);
  });

  test('while an export runs', async () => {
    const end = await site.exports.enter();
    const running = site.run('deleting');
    while (site.progress.at(-1)?.phase !== 'deleting_records') await Bun.sleep(5);
    await Bun.sleep(100);
    expect(rawRows()).toBe(EVENTS);
    end();
    await running;
    expect(rawRows()).toBe(0);
  });
});

test('verification finds the same errors as deletion, and differing rows', async () => {
  const path = segmentFile();
  const good = readFileSync(path);
  writeFileSync(path, Buffer.concat([good, good]));
  expect(await failureOf(site.run('verifying'))).toBeInstanceOf(Error);
  writeFileSync(path, good);
  await site.run('verifying');
  const changes = [
    ['usage_archive_runs', 'archived_uncompressed_bytes'],
    ['usage_archive_runs', 'archived_at_ms'],
    ['usage_archive_runs', 'cutoff_timestamp_ms'],
    ['usage_archive_segments', 'event_count'],
    ['usage_archive_segments', 'last_event_id'],
    ['usage_archive_segments', 'compressed_bytes'],
  ] as const;
  for (const [table, column] of changes) {
    site.db.run(`UPDATE ${table} SET ${column} = ${column} + 1`);
    expect(await failureOf(site.run('verifying'))).toBeInstanceOf(Error);
    site.db.run(`UPDATE ${table} SET ${column} = ${column} - 1`);
  }
  site.db.run(`UPDATE usage_archive_runs SET archive_digest = '${'0'.repeat(64)}'`);
  expect(await failureOf(site.run('verifying'))).toBeInstanceOf(Error);
});
