import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import {
  inspectionActionsResponseSchema,
  inspectionRunDetailSchema,
  inspectionRunListSchema,
} from '@manager/core/contract/inspection';
import {
  createInspectionRig,
  heldWork,
  INSPECTION,
  type InspectionRig,
  NOTHING_DONE,
  outcomeOf,
  resultOf,
  START_MS,
} from './testing/rig.ts';

const UNKNOWN = '0199a0000000700080000000000000ff';
const OTHER_NAME = '/v0/management/codex-inspection';

let rig: InspectionRig;
beforeAll(async () => {
  rig = await createInspectionRig();
});
beforeEach(() => rig.reset());
afterAll(() => rig.close());

const refused = { code: 'request_failed' };

/** A completed run with the given results; returns its id and theirs. */
async function completed(...changes: Parameters<typeof resultOf>[1][]) {
  rig.work = async ({ run, store }) => {
    await store.writeProgress(run.id, {
      totalFiles: changes.length + 1,
      probeSetCount: changes.length,
      sampledCount: changes.length,
      disabledCount: 0,
      enabledCount: changes.length,
    });
    await store.saveResults(
      run.id,
      changes.map((change) => resultOf(run.id, change)),
    );
    return NOTHING_DONE;
  };
  const id = await rig.started();
  const { results } = await rig.ended(id);
  return { id, results, ids: results.map((result) => result.id) };
}

describe('paths', () => {
  test.each([
    ['GET', '/run'],
    ['PUT', '/run'],
    ['POST', '/runs'],
    ['DELETE', `/runs/${UNKNOWN}`],
    ['GET', `/runs/${UNKNOWN}/cancel`],
    ['GET', `/runs/${UNKNOWN}/actions`],
    ['POST', `/runs/${UNKNOWN}/other`],
    ['POST', `/runs/${UNKNOWN}/cancel/more`],
    ['GET', ''],
    ['GET', '/config'],
    ['GET', '/run/x'],
  ])('%s …%s is 405 under both names', async (method, path) => {
    for (const root of [INSPECTION, OTHER_NAME]) {
      expect(await rig.call(method, root + path)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    }
  });

  test('both names show the same runs, a slash at the end is ignored', async () => {
    const id = await rig.started();
    await rig.ended(id);
    for (const root of [INSPECTION, OTHER_NAME]) {
      for (const path of [`/runs/${id}`, `/runs/${id}/`]) {
        expect(await rig.call('GET', root + path)).toMatchObject({ status: 200, body: { run: { id } } });
      }
      expect(await rig.call('GET', `${root}/runs/`)).toMatchObject({ status: 200, body: { items: [{ id }] } });
    }
    expect(await rig.call('POST', `${OTHER_NAME}/run/`)).toMatchObject({ status: 200 });
  });

  test('without the key everything is 401', async () => {
    for (const [method, path] of [
      ['POST', '/run'],
      ['GET', '/runs'],
      ['GET', '/runs/x/y'],
      ['POST', `/runs/${UNKNOWN}/actions`],
    ] as const) {
      const answer = await rig.call(method, INSPECTION + path, undefined, { authorization: 'Bearer other' });
      expect(answer).toMatchObject({ status: 401, code: 'invalid_admin_key' });
    }
  });
});

describe('without an upstream', () => {
  test('everything is 412, also where the request makes no sense', async () => {
    rig.configured = false;
    for (const [method, path, body] of [
      ['POST', '/run', undefined],
      ['GET', '/runs', undefined],
      ['GET', '/runs/abc', undefined],
      ['POST', `/runs/${UNKNOWN}/cancel`, undefined],
      ['POST', '/runs/abc/actions', { resultIds: [1] }],
    ] as const) {
      const answer = await rig.call(method, INSPECTION + path, body);
      expect(answer).toMatchObject({ status: 412, code: 'usage_service_not_configured' });
    }
    expect(rig.db.query('SELECT count(*) AS n FROM inspection_runs').get()).toEqual({ n: 0 });
  });
});

describe('starting a run', () => {
  test('answers at once with a run that goes on, without results and logs', async () => {
    rig.settings = { ...rig.settings, targetTypes: ['codex', 'xai'], retries: 0, sampleSize: 3 };
    const held = heldWork();
    rig.work = held.run;
    const answer = await rig.call('POST', `${INSPECTION}/run`, 'this is no JSON');
    expect(answer.status).toBe(200);
    const detail = inspectionRunDetailSchema.parse(answer.body);
    expect(detail).toMatchObject({
      run: {
        triggerType: 'manual',
        triggerKey: 'manual',
        status: 'running',
        startedAtMs: START_MS,
        totalFiles: 0,
        active: true,
        cancellable: true,
        settings: { targetTypes: ['codex', 'xai'], targetType: 'codex', sampleSize: 3 },
      },
      results: [],
      logs: [],
    });
    expect(detail.run.id).toMatch(/^[0-9a-f]{32}$/);
    for (const absent of ['finishedAtMs', 'error']) expect(detail.run).not.toHaveProperty(absent);
    for (const absent of ['enabled', 'retries', 'xaiInferenceEnabled', 'autoRecoverEnabled']) {
      expect(detail.run.settings).not.toHaveProperty(absent);
    }
    expect((await held.begun).settings).toEqual(rig.settings);
    held.release();
    const { run, logs } = await rig.ended(detail.run.id);
    expect(run).toMatchObject({ status: 'completed', active: false });
    expect(logs).toMatchObject([
      {
        level: 'info',
        message: 'monitoring.server_codex_inspection_log_message_run_started',
        detail: { triggerType: 'manual', triggerKey: 'manual', targetTypes: ['codex', 'xai'] },
      },
      { level: 'success', message: 'monitoring.server_codex_inspection_log_message_completed' },
    ]);
  });

  test('is refused while a run goes on, also by the other name, and two at once begin one', async () => {
    const held = heldWork();
    rig.work = held.run;
    const both = await Promise.all([rig.call('POST', `${INSPECTION}/run`), rig.call('POST', `${OTHER_NAME}/run`)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await rig.call('POST', `${OTHER_NAME}/run`)).toMatchObject({ status: 409, ...refused });
    held.release();
  });

  test('is refused while the manager stops', async () => {
    await rig.inspection.stop();
    expect(await rig.call('POST', `${INSPECTION}/run`)).toMatchObject({ status: 409, ...refused });
    expect(rig.db.query('SELECT count(*) AS n FROM inspection_runs').get()).toEqual({ n: 0 });
  });
});

describe('reading runs', () => {
  test.each([
    ['', 20],
    ['?limit=3', 3],
    ['?limit=0', 20],
    ['?limit=-1', 20],
    ['?limit=many', 20],
    ['?limit=200', 60],
    ['?limit=201', 50],
  ])('the list%s has the newest runs', async (query, count) => {
    const insert = rig.db.query(
      `INSERT INTO inspection_runs
         (id, trigger_type, trigger_key, status, started_at_ms, settings, created_at_ms, updated_at_ms)
       SELECT id, 'manual', 'manual', 'completed', ?2, ?3, ?2, ?2 FROM (SELECT ?1 AS id)`,
    );
    const settings = JSON.stringify(
      inspectionRunDetailSchema.parse((await rig.call('POST', `${INSPECTION}/run`)).body).run.settings,
    );
    for (let n = 1; n < 60; n += 1) insert.run(n.toString(16).padStart(32, '0'), START_MS - n, settings);
    const answer = await rig.call('GET', `${INSPECTION}/runs${query}`);
    const { items } = inspectionRunListSchema.parse(answer.body);
    expect(items).toHaveLength(count);
    expect(items.map(({ startedAtMs }) => startedAtMs)).toEqual(
      Array.from({ length: count }, (_, index) => START_MS - index),
    );
    expect(Object.keys(answer.body)).toEqual(['items']);
  });

  test('runs that began together are ordered by id, an unknown state is shown as it is', async () => {
    const { id } = await completed();
    rig.db.query("UPDATE inspection_runs SET status = 'paused' WHERE id = ?").run(id);
    const second = await rig.started();
    const { items } = inspectionRunListSchema.parse((await rig.call('GET', `${INSPECTION}/runs`)).body);
    expect(items.map((run) => run.id)).toEqual([second, id]);
    expect(items[1]).toMatchObject({ status: 'paused', active: false, cancellable: false });
  });

  test('a row that nobody executes is not active, whatever it says', async () => {
    const { id } = await completed();
    rig.db.query("UPDATE inspection_runs SET status = 'running' WHERE id = ?").run(id);
    expect((await rig.detail(id)).run).toMatchObject({ status: 'running', active: false, cancellable: false });
    expect(await rig.call('POST', `${INSPECTION}/runs/${id}/cancel`)).toMatchObject({ status: 409, ...refused });
  });

  test.each([
    ['/runs/123', 400],
    [`/runs/${UNKNOWN.toUpperCase()}`, 400],
    [`/runs/${UNKNOWN}0`, 400],
    [`/runs/${UNKNOWN}`, 404],
  ])('GET …%s is %i', async (path, status) => {
    expect(await rig.call('GET', INSPECTION + path)).toMatchObject({ status, ...refused });
  });

  test('results are ordered and have exactly the members that are known', async () => {
    const window = {
      id: 'weekly',
      labelKey: 'codex_quota.weekly',
      usedPercent: 0,
      resetLabel: '-',
      resetAccuracy: 'unknown',
      modelScope: { kind: 'family', key: 'codex_main', complete: true },
    } as const;
    const { results } = await completed(
      { fileName: 'b.json', displayAccount: 'zed' },
      {
        fileName: 'b.json',
        authIndex: 'x2',
        displayAccount: 'anna',
        accountSnapshot: 'anna',
        accountId: 'id-1',
        disabled: true,
        status: 'disabled',
        state: 'idle',
        action: 'disable',
        actionReason: 'monitoring.codex_inspection_reason_quota_threshold',
        actionStatus: 'pending',
        statusCode: 200,
        usedPercent: 0,
        isQuota: true,
        quotaInventoryObserved: true,
        quotaWindows: [window],
        error: 'e',
        errorKind: 'http_status',
        errorDetail: 'd',
        planType: 'team',
      },
      { fileName: 'A.json' },
    );
    expect(results.map(({ fileName, displayAccount }) => [fileName, displayAccount])).toEqual([
      ['A.json', 'someone of A.json'],
      ['b.json', 'anna'],
      ['b.json', 'zed'],
    ]);
    expect(results[1]).toEqual({
      id: expect.any(Number),
      runId: expect.any(String),
      accountKey: 'b.json::x2',
      fileName: 'b.json',
      displayAccount: 'anna',
      accountSnapshot: 'anna',
      authIndex: 'x2',
      accountId: 'id-1',
      provider: 'codex',
      disabled: true,
      status: 'disabled',
      state: 'idle',
      action: 'disable',
      actionReason: 'monitoring.codex_inspection_reason_quota_threshold',
      actionStatus: 'pending',
      statusCode: 200,
      usedPercent: 0,
      isQuota: true,
      autoRecoverEligible: false,
      quotaInventoryObserved: true,
      quotaWindows: [window],
      error: 'e',
      errorKind: 'http_status',
      errorDetail: 'd',
      planType: 'team',
      createdAtMs: START_MS,
    });
    expect(Object.keys(results[2] ?? {})).toEqual([
      'id',
      'runId',
      'accountKey',
      'fileName',
      'displayAccount',
      'authIndex',
      'provider',
      'disabled',
      'action',
      'actionReason',
      'actionStatus',
      'isQuota',
      'autoRecoverEligible',
      'quotaInventoryObserved',
      'createdAtMs',
    ]);
  });

  test('secrets in details of the log are taken out', async () => {
    rig.work = async ({ journal }) => {
      journal.log('warning', 'probe_failed', {
        fileName: 'a.json',
        triggerKey: 'manual',
        accessToken: 'secret-1',
        nested: [{ Authorization: 'secret-2', reason: 'r' }],
      });
      journal.log('info', 'monitoring.xai_inspection_log_server_complete');
      return NOTHING_DONE;
    };
    const id = await rig.started();
    await rig.ended(id);
    const { text } = await rig.call('GET', `${INSPECTION}/runs/${id}`);
    expect(text).not.toContain('secret-');
    const { logs } = await rig.detail(id);
    expect(logs[1]?.detail).toEqual({
      fileName: 'a.json',
      triggerKey: 'manual',
      accessToken: '[redacted]',
      nested: [{ Authorization: '[redacted]', reason: 'r' }],
    });
    expect(logs[2]).toEqual({
      id: expect.any(Number),
      runId: id,
      level: 'info',
      message: 'monitoring.xai_inspection_log_server_complete',
      createdAtMs: START_MS,
    });
  });
});

describe('actions', () => {
  const act = (id: string, body: unknown) => rig.call('POST', `${INSPECTION}/runs/${id}/actions`, body);

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
    const { id, ids } = await completed({ action: 'disable' });
    expect(ids).toEqual([1]);
    rig.execute = async () => {
      throw new Error('nothing may be executed');
    };
    expect(await act(id, body)).toMatchObject({ status, ...refused });
    // Nothing stays claimed.
    expect((await rig.call('POST', `${INSPECTION}/run`)).status).toBe(200);
  });

  test('are checked in this order: busy, ids, upstream, run, state, ids of the run', async () => {
    const { id } = await completed({});
    rig.configured = false;
    expect(await act('abc', { resultIds: [] })).toMatchObject({ status: 400, ...refused });
    expect(await act('abc', { resultIds: [1] })).toMatchObject({ status: 412 });
    rig.configured = true;
    expect(await act('abc', { resultIds: [-1] })).toMatchObject({ status: 400, ...refused });
    expect(await act(UNKNOWN, { resultIds: [-1] })).toMatchObject({ status: 404, ...refused });
    rig.db.query("UPDATE inspection_runs SET status = 'failed' WHERE id = ?").run(id);
    expect(await act(id, { resultIds: [-1] })).toMatchObject({ status: 409, ...refused });
    const held = heldWork();
    rig.work = held.run;
    await rig.started();
    expect(await act('abc', '{')).toMatchObject({ status: 409, ...refused });
    held.release();
  });

  test('are carried out with the settings of the run, stored and answered', async () => {
    rig.settings = { ...rig.settings, deleteWorkers: 7 };
    const { id, ids } = await completed(
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

    // The next batch replaces what was said of this one, and skipping takes no success back.
    rig.execute = async ({ results, selected }) =>
      results
        .filter((result) => selected.has(result))
        .map((result) => outcomeOf(result, { status: 'skipped', error: 'done before' }));
    const again = inspectionActionsResponseSchema.parse((await act(id, { resultIds: ids })).body);
    expect(again.detail.run).not.toHaveProperty('error');
    expect(again.detail.results[0]).toMatchObject({ actionStatus: 'success', executedAction: 'disable' });
    expect(again.detail.results[2]).toMatchObject({ actionStatus: 'skipped' });
  });

  test('an action that reached another result as well changes the state of both', async () => {
    const { id, ids } = await completed(
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

  test('keep everything else out, and go on when the client is gone', async () => {
    const { id, ids } = await completed({ action: 'disable' });
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

  test('outcomes that cannot be stored are told, and the next request is not kept out', async () => {
    const { id, ids } = await completed({ action: 'disable' });
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
