import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { until } from '@manager/core/testing/until';
import { checkInvariants } from '../../events/invariants/invariants.ts';
import { ARCHIVES, type ArchiveRig, CUTOFF, createArchiveRig } from './testing/rig.ts';

let rig: ArchiveRig;
beforeEach(async () => {
  rig = await createArchiveRig({ events: 20 });
});
afterEach(() => rig.close());

const act = (id: string, action: string, query = '') => rig.call('POST', `${ARCHIVES}/${id}/${action}${query}`);

/** Several rounds of the runner; its pauses end at once. */
async function rounds(count = 4): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    rig.tick();
    await Bun.sleep(20);
  }
}

const locks = () => rig.site.db.query('SELECT operation FROM usage_maintenance_locks').values().flat();

describe('cancelling', () => {
  test('notifies the callers that wait for the run', async () => {
    const id = await rig.created();
    const held = Promise.withResolvers<void>();
    let begun = false;
    rig.hooks.prepare = () => {
      begun = true;
      return held.promise;
    };
    const waiting = act(id, 'resume');
    await until(() => begun);
    expect((await act(id, 'cancel')).status).toBe(200);
    expect(await waiting).toMatchObject({ status: 409, code: 'usage_archive_invalid_state' });
    held.resolve();
    await rounds();
    expect(rig.site.runRow(id)).toMatchObject({ status: 'cancelled', requested_stage: null });
    expect(locks()).toEqual([]);
  });

  test('frees the events of the run in batches, and counting waits for it', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    rig.site.db.run("UPDATE usage_archive_runs SET status = 'failed', resume_status = 'verifying'");
    const references = () =>
      rig.site.db.query<{ rows: number }, []>('SELECT count(*) AS rows FROM usage_archive_event_refs').get()?.rows;
    const { writer } = rig.site.store;
    await writer.run('cancelArchiveRun', { runId: id, references: 20, stored: 20 });
    expect([rig.status(id), references()]).toEqual(['cancelled', 20]);
    const left: (number | undefined)[] = [];
    while (await writer.run('releaseArchiveReferences', { atMost: 8 })) left.push(references());
    expect(left).toEqual([12, 4, 0]);
    expect(checkInvariants(rig.site.db)).toEqual([]);
  });

  test('that was interrupted before its events were free is finished by the next count or start', async () => {
    const left = () => rig.site.db.query('SELECT 1 FROM usage_archive_event_refs').all().length;
    const interrupted = async () => {
      const id = await rig.created();
      await act(id, 'resume');
      rig.site.db.run(
        "UPDATE usage_archive_runs SET status = 'failed', resume_status = 'verifying' WHERE status = 'archived'",
      );
      await rig.site.store.writer.run('cancelArchiveRun', { runId: id, references: 20, stored: 20 });
      expect(left()).toBe(20);
    };
    await interrupted();
    const preview = await rig.call('POST', `${ARCHIVES}/preview`, CUTOFF);
    expect(preview.body).toMatchObject({ event_count: 20 });
    // A created run takes all of them.
    await interrupted();
    await interrupted();
    await rig.restart();
    await until(() => left() === 0);
  });

  test('is refused when the events of the run are not the archived ones', async () => {
    const id = await rig.created();
    await act(id, 'resume');
    rig.site.db.run("UPDATE usage_archive_runs SET status = 'failed', resume_status = 'verifying'");
    rig.site.db.run('UPDATE usage_archive_runs SET archived_event_count = 19');
    expect(await act(id, 'cancel')).toMatchObject({ status: 409, code: 'usage_archive_coverage_incomplete' });
    rig.site.db.run('UPDATE usage_archive_runs SET archived_event_count = 20');
    rig.site.db.run('DELETE FROM usage_events WHERE id = 3');
    expect(await act(id, 'cancel')).toMatchObject({ status: 409, code: 'usage_archive_coverage_incomplete' });
    expect(rig.status(id)).toBe('failed');
  });
});
