import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { MEMBER_NAMES, membersOf } from '@manager/core/usage/event-members';
import { eventDecoder } from '../../../events/detail/event-decoder.ts';
import { type ArchiveSite, createArchiveSite, START_MS } from '../stages/testing/site.ts';
import { BOUNDS_SQL, SAMPLE_SQL } from './eligible-events.ts';

const STEP_BY_STEP = { automatic: false, expectedCount: null } as const;

let site: ArchiveSite;
beforeAll(async () => {
  site = await createArchiveSite({ events: 5_000, stepMs: 1_000 });
}, 180_000);
afterAll(() => site.close());

const count = (cutoffMs: number) => site.store.reader.run('eligibleEvents', cutoffMs);

/** Exact bytes of the texts of every event before the cutoff. */
function exactBytes(cutoffMs: number): number {
  const decode = eventDecoder(site.db);
  expect(MEMBER_NAMES.length).toBeGreaterThan(membersOf('text').length);
  return site.db
    .query<{ detail: Uint8Array }, [number]>('SELECT detail FROM usage_events WHERE timestamp_ms < ?')
    .all(cutoffMs)
    .map(({ detail }) => decode(detail))
    .reduce(
      (sum, event) => sum + membersOf('text').reduce((size, name) => size + Buffer.byteLength(event[name]), 512),
      0,
    );
}

describe('the eligible events', () => {
  test('are all events before the cutoff, to the millisecond', async () => {
    const time = site.db
      .query<{ ms: number }, []>('SELECT timestamp_ms AS ms FROM usage_events WHERE id = 101')
      .get()?.ms;
    const before = await count(time ?? 0);
    expect(before).toMatchObject({ count: 100, targetEventId: 100 });
    expect(before.maxTimestampMs).toBeLessThan(time ?? 0);
    expect(await count((time ?? 0) + 1)).toMatchObject({ count: 101, targetEventId: 101 });
    expect(await count(START_MS)).toEqual({
      cutoffMs: START_MS,
      targetEventId: 0,
      count: 0,
      estimatedBytes: 0,
      minTimestampMs: 0,
      maxTimestampMs: 0,
      revision: '0/0/0',
    });
  });

  test('are estimated exactly when they are few, closely when they are many', async () => {
    const little = START_MS + 1_000_000;
    expect((await count(little)).estimatedBytes).toBe(exactBytes(little));
    const much = START_MS + 10_000_000;
    const { estimatedBytes } = await count(much);
    expect(Math.abs(estimatedBytes / exactBytes(much) - 1)).toBeLessThan(0.05);
  });

  test('exclude events of another run', async () => {
    const insert = site.db.query(
      'INSERT INTO usage_archive_event_refs (raw_event_id, run_number, segment_sequence, timestamp_ms) VALUES (?, 1, 1, 0)',
    );
    for (let id = 1; id <= 40; id += 1) insert.run(id * 2);
    const cutoff = START_MS + 100_000;
    expect(await count(cutoff)).toMatchObject({ count: 60, targetEventId: 100 });
    site.db.run('DELETE FROM usage_archive_event_refs');
  });

  test('have a revision that new events keep and everything else changes', async () => {
    const first = (await count(START_MS)).revision;
    await site.ingest(['{"timestamp":"2026-08-01T00:00:00Z","model":"m","tokens":{"input_tokens":5}}']);
    const { revision, count: rows } = await count(START_MS);
    expect({ revision, rows }).toEqual({ revision: first, rows: 1 });
    site.createRun();
    expect((await count(START_MS)).revision).toBe(first);
    site.db.run('UPDATE usage_archive_runs SET archived_event_count = 7');
    const archived = (await count(START_MS)).revision;
    expect(archived).not.toBe(first);
    site.db.run("UPDATE usage_archive_runs SET status = 'cancelled'");
    const cancelled = (await count(START_MS)).revision;
    expect(cancelled).not.toBe(archived);
    site.db.run('DELETE FROM usage_events WHERE id = 5');
    expect((await count(START_MS)).revision).not.toBe(cancelled);
  });

  test('are counted again when they changed before the run was created, in the end by the writer', async () => {
    const cutoffMs = START_MS + 100_000;
    const eligible = await count(cutoffMs);
    const args = { id: '0199a0000000700080000000000000aa', mode: 'manual', cutoffMs, ...STEP_BY_STEP } as const;
    const { writer } = site.store;
    expect(await writer.run('createArchiveRun', { ...args, eligible: { ...eligible, revision: 'older' } })).toBe(false);
    expect(site.runRow(args.id)).toEqual({});
    expect(await writer.run('createArchiveRun', { ...args, eligible: null })).toBe(true);
    expect(site.runRow(args.id)).toMatchObject({
      event_count: eligible.count,
      target_event_id: eligible.targetEventId,
    });
    site.db.run("UPDATE usage_archive_runs SET status = 'cancelled'");
  });

  test('must fit into one manifest', async () => {
    const eligible = { ...(await count(START_MS + 100_000)), count: 80_000_001 };
    const create = site.store.writer.run('createArchiveRun', {
      id: '0199a0000000700080000000000000ab',
      mode: 'manual',
      ...STEP_BY_STEP,
      cutoffMs: eligible.cutoffMs,
      eligible,
    });
    expect(create).rejects.toMatchObject({ code: 'usage_archive_coverage_incomplete' });
  });
});

test.each([
  ['bounds', BOUNDS_SQL],
  ['sample', SAMPLE_SQL],
])('%s read the time index alone, and references by their key', (_, sql) => {
  const plan = site.db
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1')}`)
    .all()
    .map((row) => row.detail);
  expect(plan).toEqual([
    'SEARCH usage_events USING COVERING INDEX usage_events_time (timestamp_ms>? AND timestamp_ms<?)',
    'CORRELATED SCALAR SUBQUERY 1',
    'SEARCH ref USING INTEGER PRIMARY KEY (rowid=?)',
  ]);
});
