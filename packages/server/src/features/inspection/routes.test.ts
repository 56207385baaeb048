import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { inspectionRunDetailSchema, inspectionRunListSchema } from '@manager/core/contract/inspection/runs';
import {
  completedRun,
  createInspectionRig,
  heldWork,
  INSPECTION,
  type InspectionRig,
  NOTHING_DONE,
  START_MS,
} from './testing/rig.ts';

const UNKNOWN = 404;
const OTHER_NAME = '/v0/management/codex-inspection';

let rig: InspectionRig;
beforeAll(async () => {
  rig = await createInspectionRig();
});
beforeEach(() => rig.reset());
afterAll(() => rig.close());

const refused = { code: 'request_failed' };

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

  test('both names show the same runs, a trailing slash is ignored', async () => {
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

describe('without a gateway', () => {
  test('everything is 412, also an invalid request', async () => {
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
  test('answers at once with an active run, without results and logs', async () => {
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
    expect(detail.run.id).toBe(1);
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

  test('is refused while a run is active, also by the other name; two at once start one', async () => {
    const held = heldWork();
    rig.work = held.run;
    const both = await Promise.all([rig.call('POST', `${INSPECTION}/run`), rig.call('POST', `${OTHER_NAME}/run`)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await rig.call('POST', `${OTHER_NAME}/run`)).toMatchObject({ status: 409, ...refused });
    held.release();
  });

  test('is refused while the manager is stopping', async () => {
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

  test('runs with the same start are ordered by id, an unknown state is passed on', async () => {
    const { id } = await completedRun(rig);
    // The name inside says nothing about the order.
    rig.db.query("UPDATE inspection_runs SET id = 'zz' WHERE number = ?").run(id);
    rig.db.query("UPDATE inspection_runs SET status = 'paused' WHERE number = ?").run(id);
    const second = await rig.started();
    const { items } = inspectionRunListSchema.parse((await rig.call('GET', `${INSPECTION}/runs`)).body);
    expect(items.map((run) => run.id)).toEqual([second, id]);
    expect(items[1]).toMatchObject({ status: 'paused', active: false, cancellable: false });
  });

  test('a row without a running task is not active, whatever its status', async () => {
    const { id } = await completedRun(rig);
    rig.db.query("UPDATE inspection_runs SET status = 'running' WHERE number = ?").run(id);
    expect((await rig.detail(id)).run).toMatchObject({ status: 'running', active: false, cancellable: false });
    expect(await rig.call('POST', `${INSPECTION}/runs/${id}/cancel`)).toMatchObject({ status: 409, ...refused });
  });

  test.each([
    ['0', 400],
    ['-1', 400],
    ['01', 400],
    ['+1', 400],
    ['1.0', 400],
    ['1e0', 400],
    ['0x1', 400],
    ['1%20', 400],
    ['abc', 400],
    ['9007199254740993', 400],
    ['0199a0000000700080000000000000ff', 400],
    ['2', 404],
    ['999999999999999', 404],
  ])('run %s is %i', async (id, status) => {
    await completedRun(rig, { action: 'disable' });
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '/cancel', undefined],
      ['POST', '/actions', { resultIds: [1] }],
    ] as const) {
      const answer = await rig.call(method, `${INSPECTION}/runs/${id}${path}`, body);
      expect(answer).toMatchObject({ status, ...refused });
    }
  });

  test('a run is not found by the name that the manager uses inside', async () => {
    await completedRun(rig);
    const key = rig.runKeys[0] ?? '';
    expect(key).toMatch(/^[0-9a-f]{32}$/);
    expect(await rig.call('GET', `${INSPECTION}/runs/${key}`)).toMatchObject({ status: 400, ...refused });
    expect((await rig.call('GET', `${INSPECTION}/runs`)).text).not.toContain(key);
    expect((await rig.call('GET', `${INSPECTION}/runs/1`)).text).not.toContain(key);
  });

  test('results are ordered and have exactly the known members', async () => {
    const window = {
      id: 'weekly',
      labelKey: 'codex_quota.weekly',
      usedPercent: 0,
      resetLabel: '-',
      resetAccuracy: 'unknown',
      modelScope: { kind: 'family', key: 'codex_main', complete: true },
    } as const;
    const { results } = await completedRun(
      rig,
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
      runId: 1,
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

  test('secrets in details of the log are replaced', async () => {
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
