import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { inspectionActionsResponseSchema } from '@manager/core/contract/inspection/runs';
import {
  completedRun,
  createInspectionRig,
  heldWork,
  INSPECTION,
  type InspectionRig,
  NOTHING_DONE,
  outcomeOf,
} from './testing/rig.ts';

const UNKNOWN = 404;
const refused = { code: 'request_failed' };

let rig: InspectionRig;
beforeAll(async () => {
  rig = await createInspectionRig();
});
beforeEach(() => rig.reset());
afterAll(() => rig.close());

describe('actions', () => {
  const act = (id: number | string, body: unknown) => rig.call('POST', `${INSPECTION}/runs/${id}/actions`, body);

  test.each<[string, unknown, number]>([
    ['no JSON', '{', 400],
    ['no body', undefined, 400],
    ['no ids', {}, 400],
    ['an empty list', { resultIds: [] }, 400],
    ['texts as ids', { resultIds: ['1'] }, 400],
    ['fractions as ids', { resultIds: [1.5] }, 400],
    ['no positive id', { resultIds: [0, -4] }, 400],
    ['ids of nothing', { resultIds: [999_999] }, 400],
    ['another action', { resultIds: [1], actionOverrides: [{ resultId: 1, action: 'disable' }] }, 400],
    ['an override of another result', { resultIds: [1], actionOverrides: [{ resultId: 2, action: 'delete' }] }, 400],
    [
      'an override of what is no sign-in',
      { resultIds: [1], actionOverrides: [{ resultId: 1, action: 'delete' }] },
      400,
    ],
    ['a body that is too large', { resultIds: [1], more: 'x'.repeat(200_000) }, 413],
  ])('with %s are refused', async (_, body, status) => {
    const { id, ids } = await completedRun(rig, { action: 'disable' });
    expect(ids).toEqual([1]);
    rig.execute = async () => {
      throw new Error('nothing may be executed');
    };
    expect(await act(id, body)).toMatchObject({ status, ...refused });
    // No claim is left.
    expect((await rig.call('POST', `${INSPECTION}/run`)).status).toBe(200);
  });

  test('are checked in this order: busy, ids, gateway, run, state, ids of the run', async () => {
    const { id } = await completedRun(rig, {});
    rig.configured = false;
    expect(await act('abc', { resultIds: [] })).toMatchObject({ status: 400, ...refused });
    expect(await act('abc', { resultIds: [1] })).toMatchObject({ status: 412 });
    rig.configured = true;
    expect(await act('abc', { resultIds: [-1] })).toMatchObject({ status: 400, ...refused });
    expect(await act(UNKNOWN, { resultIds: [-1] })).toMatchObject({ status: 404, ...refused });
    rig.db.query("UPDATE inspection_runs SET status = 'failed' WHERE number = ?").run(id);
    expect(await act(id, { resultIds: [-1] })).toMatchObject({ status: 409, ...refused });
    const held = heldWork();
    rig.work = held.run;
    await rig.started();
    expect(await act('abc', '{')).toMatchObject({ status: 409, ...refused });
    held.release();
  });

  test('are executed with the settings of the run, stored and answered', async () => {
    rig.settings = { ...rig.settings, deleteWorkers: 7 };
    const { id, ids } = await completedRun(
      rig,
      { fileName: 'a.json', action: 'disable', actionStatus: 'pending' },
      { fileName: 'b.json', action: 'reauth' },
      { fileName: 'c.json', action: 'enable', actionStatus: 'pending', disabled: true },
      { fileName: 'd.json', action: 'delete', actionStatus: 'pending' },
    );
    rig.settings = { ...rig.settings, deleteWorkers: 1 };
    rig.execute = async ({ run, settings, results, selected, overrides, journal }) => {
      expect(run).toMatchObject({ id, triggerType: 'manual', triggerKey: 'manual' });
      expect(settings.deleteWorkers).toBe(7);
      expect(results).toHaveLength(4);
      journal.log('info', 'manual_started', { requestedCount: selected.size });
      const chosen = results.filter((result) => selected.has(result));
      return chosen.map((result) =>
        result.action === 'reauth'
          ? outcomeOf(result, { action: overrides.get(result) ?? 'keep', status: 'needs_review', error: 'why' })
          : outcomeOf(result, result.action === 'enable' ? { status: 'failed', error: 'refused' } : {}),
      );
    };
    const answer = await act(id, {
      resultIds: [...ids.slice(0, 3), -1, 12_345],
      actionOverrides: [{ resultId: ids[1], action: 'delete' }],
    });
    expect(answer.status).toBe(200);
    const { outcomes, detail } = inspectionActionsResponseSchema.parse(answer.body);
    expect(outcomes).toEqual([
      {
        resultId: ids[0] ?? 0,
        accountKey: 'a.json::x1',
        fileName: 'a.json',
        displayAccount: 'someone of a.json',
        action: 'disable',
        status: 'success',
        success: true,
      },
      expect.objectContaining({ action: 'delete', status: 'needs_review', success: true, error: 'why' }),
      expect.objectContaining({ action: 'enable', status: 'failed', success: false, error: 'refused' }),
    ]);
    expect(detail.run).toMatchObject({
      status: 'completed',
      error: '1 action failed',
      disabledCount: 2,
      enabledCount: 2,
      disableCount: 1,
      reauthCount: 1,
      active: false,
    });
    const [first, second, third, fourth] = detail.results;
    expect(first).toMatchObject({ disabled: true, actionStatus: 'success', executedAction: 'disable' });
    expect(second).toMatchObject({ disabled: false, actionStatus: 'needs_review', actionError: 'why' });
    expect(second).not.toHaveProperty('executedAction');
    expect(third).toMatchObject({ disabled: true, actionStatus: 'failed', actionError: 'refused' });
    expect(fourth).toMatchObject({ actionStatus: 'pending' });
    expect(detail.logs.at(-1)).toMatchObject({ detail: { requestedCount: 3 } });

    // The next batch replaces the results of this one, and a skip does not undo a success.
    rig.execute = async ({ results, selected }) =>
      results
        .filter((result) => selected.has(result))
        .map((result) => outcomeOf(result, { status: 'skipped', error: 'done before' }));
    const again = inspectionActionsResponseSchema.parse((await act(id, { resultIds: ids })).body);
    expect(again.detail.run).not.toHaveProperty('error');
    expect(again.detail.results[0]).toMatchObject({ actionStatus: 'success', executedAction: 'disable' });
    expect(again.detail.results[2]).toMatchObject({ actionStatus: 'skipped' });
  });

  test('an action that also changed another result updates the state of both', async () => {
    const { id, ids } = await completedRun(
      rig,
      { fileName: 'a.json', authIndex: 'x1', action: 'disable' },
      { fileName: 'a.json', authIndex: 'x2', action: 'disable' },
    );
    rig.execute = async ({ results }) =>
      results.map((result, index) =>
        index === 0
          ? outcomeOf(result)
          : outcomeOf({ ...result, disabled: true }, { status: 'skipped', error: 'another result stands for it' }),
      );
    const { detail } = inspectionActionsResponseSchema.parse((await act(id, { resultIds: ids })).body);
    expect(detail.results.map(({ disabled }) => disabled)).toEqual([true, true]);
    expect(detail.run).toMatchObject({ disabledCount: 2, enabledCount: 0 });
  });

  test('block everything else, and continue when the client disconnects', async () => {
    const { id, ids } = await completedRun(rig, { action: 'disable' });
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    rig.execute = async ({ results }) => {
      begun.resolve();
      await released.promise;
      return results.map((result) => outcomeOf(result));
    };
    const first = act(id, { resultIds: ids });
    await begun.promise;
    expect(await act(id, { resultIds: ids })).toMatchObject({ status: 409, ...refused });
    expect(await rig.call('POST', `${INSPECTION}/run`)).toMatchObject({ status: 409, ...refused });
    released.resolve();
    expect((await first).status).toBe(200);
    rig.work = async () => NOTHING_DONE;
    expect((await rig.call('POST', `${INSPECTION}/run`)).status).toBe(200);
  });

  test('outcomes that cannot be stored are reported, and the next request is not blocked', async () => {
    const { id, ids } = await completedRun(rig, { action: 'disable' });
    rig.impatient = true;
    rig.execute = async ({ results }) => results.map((result) => outcomeOf(result));
    rig.db.run(
      "CREATE TRIGGER refuse BEFORE UPDATE ON inspection_results BEGIN SELECT raise(ABORT, 'disk trouble'); END",
    );
    const answer = await act(id, { resultIds: ids });
    expect(answer).toMatchObject({ status: 500, ...refused });
    expect(answer.text).not.toContain('disk trouble');
    expect((await rig.detail(id)).logs.at(-1)).toMatchObject({
      level: 'error',
      message: 'monitoring.server_codex_inspection_log_message_result_write_failed',
    });
    rig.db.run('DROP TRIGGER refuse');
    expect((await act(id, { resultIds: ids })).status).toBe(200);
  });
});
