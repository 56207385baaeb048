import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { checkInvariants } from '../../events/invariants/invariants.ts';
import { createOnlineCompaction } from './compact/online/online-compaction.ts';
import { ARCHIVES, type ArchiveRig, CUTOFF, coverage, createArchiveRig, idOf } from './testing/rig.ts';

const EVENTS = 30;

let rig: ArchiveRig;
beforeEach(async () => {
  rig = await createArchiveRig({ events: EVENTS });
});
afterEach(() => rig.close());

const act = (id: string, action: string) => rig.call('POST', `${ARCHIVES}/${id}/${action}`);
const create = (more: Readonly<Record<string, unknown>> = {}) =>
  rig.call('POST', ARCHIVES, { ...CUTOFF, delete_rows: true, expected_event_count: EVENTS, ...more });
const rawRows = () => rig.site.db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM usage_events').get()?.rows;
const stagesDone = () => {
  const stages: string[] = [];
  rig.hooks.run = (stage) => void stages.push(stage);
  return stages;
};

describe('an automatic run', () => {
  test('goes through every stage by itself and blocks others until its rows are deleted, not while it waits for the compaction', async () => {
    const stages = stagesDone();
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body.run).toMatchObject({ automatic: true, requested_stage: 'archiving', event_count: EVENTS });
    const id = idOf(body);
    expect(await create()).toMatchObject({ status: 409, code: 'usage_archive_maintenance_locked' });
    await until(() => rig.status(id) === 'completed' && rig.site.runRow(id).requested_stage === null);
    expect(stages).toEqual(['archiving', 'verifying', 'deleting']);
    expect(rawRows()).toBe(0);
    expect(checkInvariants(rig.site.db)).toEqual([]);
    const shown = async () => (await rig.call('GET', `${ARCHIVES}/${id}`)).body.run;
    expect(await shown()).toMatchObject({ status: 'completed', compaction: 'waiting', deleted_event_count: EVENTS });
    const { reader, writer } = rig.site.store;
    expect(await reader.run('compactingArchiveRun', null)).toMatchObject({ id });
    expect(await reader.run('activeArchiveRun', null)).toBeNull();
    // So few free pages are left to new events.
    const log = { info() {}, warn() {} };
    const compaction = createOnlineCompaction({ reader, writer, elapsed: () => 0, log });
    compaction.start();
    await until(() => rig.site.runRow(id).compaction === 'not_needed');
    await compaction.stop();
    expect(await reader.run('compactingArchiveRun', null)).toBeNull();
    // A later preview knows how large its files will be.
    await rig.site.ingest([
      '{"timestamp":"2026-09-05T00:00:00Z","model":"m","request_id":"late","tokens":{"input_tokens":5}}',
    ]);
    const { body: preview } = await rig.call('POST', `${ARCHIVES}/preview`, CUTOFF);
    expect(Number(preview.estimated_file_bytes)).toBeGreaterThan(0);
    expect(Number(preview.estimated_file_bytes)).toBeLessThan(Number(preview.estimated_bytes));
  });

  test('is not created when other events are that old than were confirmed, or nothing may be deleted', async () => {
    expect(await create({ expected_event_count: EVENTS + 1 })).toMatchObject({
      status: 409,
      code: 'usage_archive_count_changed',
    });
    expect(await create({ delete_rows: 'yes' })).toMatchObject({ status: 400, code: 'usage_archive_invalid_request' });
    await rig.restart({ deleteEnabled: false });
    expect(await create()).toMatchObject({ status: 409, code: 'usage_archive_delete_unavailable' });
    expect((await rig.call('GET', ARCHIVES)).body.total).toBe(0);
  });

  test.each(['archiving', 'verifying'] as const)(
    'that failed while %s continues to its end once it is resumed',
    async (stage) => {
      rig.hooks.run = (current) => {
        if (current === stage) throw new Error('the disk is full');
      };
      const id = idOf((await create()).body);
      await until(() => rig.status(id) === 'failed');
      expect(rig.site.runRow(id)).toMatchObject({ resume_status: stage, requested_stage: null, automatic: 1 });
      expect(rawRows()).toBe(EVENTS);
      delete rig.hooks.run;
      expect((await act(id, 'resume')).status).toBe(200);
      await until(() => rig.status(id) === 'completed');
    },
  );

  test('that is held ends its stage, deletes nothing and then blocks nothing', async () => {
    const held = Promise.withResolvers<void>();
    let begun = false;
    rig.hooks.run = () => {
      begun = true;
      return held.promise;
    };
    const id = idOf((await create()).body);
    await until(() => begun);
    const { status, body } = await act(id, 'hold');
    expect(status).toBe(200);
    expect(body.run).not.toHaveProperty('automatic');
    held.resolve();
    await until(() => rig.status(id) === 'archived' && rig.site.runRow(id).requested_stage === null);
    rig.tick();
    expect(rawRows()).toBe(EVENTS);
    const { reader } = rig.site.store;
    expect(await reader.run('activeArchiveRun', null)).toBeNull();
    expect(await reader.run('waitingArchiveRun', null)).toMatchObject({ id, status: 'archived' });
    // The rest is done step by step.
    delete rig.hooks.run;
    expect((await act(id, 'verify')).status).toBe(200);
    expect(rig.status(id)).toBe('verified');
  });

  test('can be held until the moment its deletion begins, and not after', async () => {
    const held = Promise.withResolvers<void>();
    let begun = false;
    rig.hooks.prepare = (stage) => {
      if (stage !== 'deleting') return;
      begun = true;
      return held.promise;
    };
    const id = idOf((await create()).body);
    await until(() => begun);
    expect((await act(id, 'hold')).status).toBe(200);
    held.resolve();
    // One stage after the other: the deletion was refused when this one ends.
    expect((await act(id, 'verify')).status).toBe(200);
    expect(rig.site.runRow(id)).toMatchObject({
      status: 'verified',
      requested_stage: null,
      delete_started_at_ms: null,
    });
    expect(rawRows()).toBe(EVENTS);
    delete rig.hooks.prepare;
    expect(await act(id, 'hold')).toMatchObject({ status: 409, code: 'usage_archive_invalid_state' });
    await act(id, 'delete');
    expect((await act(id, 'hold')).status).toBe(200);
    rig.site.db.run("UPDATE usage_archive_runs SET status = 'deleting'");
    expect(await act(id, 'hold')).toMatchObject({ status: 409, code: 'usage_archive_cancel_unsafe' });
  });

  test('shows that its next stage cannot start, logs the reason once and goes on when it can', async () => {
    let tries = 0;
    rig.hooks.prepare = (stage) => {
      if (stage !== 'verifying') return;
      tries += 1;
      throw coverage();
    };
    const id = idOf((await create()).body);
    const refused = () => rig.log.filter((text) => text.includes('verifying cannot start'));
    await until(() => rig.site.runRow(id).last_error !== null);
    await until(() => {
      rig.tick();
      return tries > 3;
    });
    expect(refused()).toEqual([`archive ${id}: verifying cannot start: ${coverage().message}; retrying`]);
    const run = (await rig.call('GET', `${ARCHIVES}/${id}`)).body.run;
    expect(run).toMatchObject({ status: 'archived', requested_stage: 'verifying', has_error: true });
    delete rig.hooks.prepare;
    await until(() => {
      rig.tick();
      return rig.status(id) === 'completed';
    });
    expect(rig.site.runRow(id).last_error).toBeNull();
  });

  test('stops before the deletion while the hourly rollup is off, and continues with the next start', async () => {
    rig.hooks.run = () => Promise.reject(new Error('stopped'));
    const id = idOf((await create()).body);
    await until(() => rig.status(id) === 'failed');
    delete rig.hooks.run;
    await rig.restart({ deleteEnabled: false });
    await act(id, 'resume');
    await until(() => rig.status(id) === 'verified' && rig.site.runRow(id).requested_stage === null);
    expect(rawRows()).toBe(EVENTS);
    await rig.restart();
    await until(() => rig.status(id) === 'completed');
  });
});
