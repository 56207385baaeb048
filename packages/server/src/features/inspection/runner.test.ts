import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { AppError } from '@manager/core/contract/errors';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import { GatewayError } from '../../gateway/errors.ts';
import type { WorkReport } from './ports.ts';
import {
  createInspectionRig,
  heldWork,
  INSPECTION,
  type InspectionRig,
  NOTHING_DONE,
  resultOf,
} from './testing/rig.ts';

let rig: InspectionRig;
beforeAll(async () => {
  rig = await createInspectionRig();
});
beforeEach(() => rig.reset());
afterAll(() => rig.close());

const cancel = (id: number | string) => rig.call('POST', `${INSPECTION}/runs/${id}/cancel`);
const statusOf = (id: number) =>
  rig.db.query<{ status: string }, [number]>('SELECT status FROM inspection_runs WHERE number = ?').get(id)?.status;
const lastLog = ({ logs }: InspectionRunDetail) => {
  const last = logs.at(-1);
  return { level: last?.level, message: last?.message.replace(/^.*log_message_/, ''), detail: last?.detail };
};

/** Blocks every write of the manager. */
async function whileLocked(work: () => Promise<void>): Promise<void> {
  rig.db.run('BEGIN IMMEDIATE');
  try {
    await work();
  } finally {
    rig.db.run('ROLLBACK');
  }
}

describe('a run that ends on its own', () => {
  test('shows its progress and its results while it is active', async () => {
    const next = Promise.withResolvers<void>();
    const stored = Promise.withResolvers<void>();
    rig.work = async ({ run, store }) => {
      const counts = { totalFiles: 9, probeSetCount: 5, sampledCount: 2, disabledCount: 1, enabledCount: 1 };
      await store.writeProgress(run.key, counts);
      await store.saveResults(run.key, [resultOf(run.id, { action: 'delete', disabled: false })]);
      stored.resolve();
      await next.promise;
      await store.saveResults(run.key, [resultOf(run.id, { fileName: 'b.json', action: 'enable', disabled: false })]);
      return NOTHING_DONE;
    };
    const id = await rig.started();
    await stored.promise;
    const amid = await rig.detail(id);
    expect(amid.run).toMatchObject({
      totalFiles: 9,
      probeSetCount: 5,
      sampledCount: 2,
      deleteCount: 1,
      enableCount: 0,
    });
    // One result is missing, so the states are still those of the selected accounts.
    expect(amid.run).toMatchObject({ disabledCount: 1, enabledCount: 1, active: true });
    expect(amid.results).toHaveLength(1);
    rig.clock += 5_000;
    next.resolve();
    const { run } = await rig.ended(id);
    expect(run).toMatchObject({ status: 'completed', finishedAtMs: rig.clock, deleteCount: 1, enableCount: 1 });
    expect(run).toMatchObject({ disabledCount: 0, enabledCount: 2, updatedAtMs: rig.clock });
    expect(run).not.toHaveProperty('error');
  });

  test.each<[WorkReport, string, string | undefined]>([
    [NOTHING_DONE, 'success', undefined],
    [{ actions: { ...NOTHING_DONE.actions, success: 3, skipped: 1 }, resultWriteFailedCount: 0 }, 'success', undefined],
    [{ actions: { ...NOTHING_DONE.actions, needs_review: 1 }, resultWriteFailedCount: 0 }, 'warning', undefined],
    [{ actions: { ...NOTHING_DONE.actions, failed: 2 }, resultWriteFailedCount: 0 }, 'warning', '2 actions failed'],
    [
      { actions: { ...NOTHING_DONE.actions, failed: 1 }, resultWriteFailedCount: 3 },
      'warning',
      '1 action failed, 3 results could not be stored',
    ],
  ])('says what came of it', async (report, level, error) => {
    rig.work = async () => report;
    const detail = await rig.ended(await rig.started());
    expect(detail.run.status).toBe('completed');
    expect(detail.run.error).toBe(error);
    expect(lastLog(detail)).toMatchObject({
      level,
      message: 'completed',
      detail: {
        sampledCount: 0,
        keepCount: 0,
        actionFailedCount: report.actions.failed,
        actionNeedsReviewCount: report.actions.needs_review,
        resultWriteFailedCount: report.resultWriteFailedCount,
      },
    });
  });

  test.each([
    [new GatewayError('timeout', 'the gateway did not respond in time'), 'the gateway did not respond in time'],
    [new AppError('usage_service_not_configured'), 'no gateway is connected yet; finish the setup first'],
    [new Error('secret of the machine'), 'unexpected failure; see the manager log'],
  ])('failed when its work fails: %s', async (failure, error) => {
    rig.work = () => Promise.reject(failure);
    const detail = await rig.ended(await rig.started());
    expect(detail.run).toMatchObject({ status: 'failed', error });
    expect(lastLog(detail)).toMatchObject({
      level: 'error',
      message: 'lifecycle_finalized',
      detail: { status: 'failed', error },
    });
    expect(rig.log.lines.filter(({ level }) => level === 'error')).toHaveLength(failure.name === 'Error' ? 1 : 0);
  });

  test('lets the next one start', async () => {
    const first = await rig.started();
    await rig.ended(first);
    const second = await rig.started();
    expect((await rig.ended(second)).run.status).toBe('completed');
    expect([first, second]).toEqual([1, 2]);
  });

  test('accepts no more results and log lines afterwards', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    const { run, store, journal } = await held.begun;
    held.release();
    await rig.ended(id);
    expect(store.saveResults(run.key, [resultOf(id)])).rejects.toMatchObject({ status: 409 });
    await store.writeProgress(run.key, {
      totalFiles: 9,
      probeSetCount: 9,
      sampledCount: 9,
      disabledCount: 9,
      enabledCount: 9,
    });
    journal.log('info', 'probe_completed');
    await Bun.sleep(5);
    const detail = await rig.detail(id);
    expect(detail).toMatchObject({ run: { totalFiles: 0 }, results: [] });
    expect(lastLog(detail).message).toBe('completed');
  });

  test('keeps the state that another path wrote', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    rig.db.query("UPDATE inspection_runs SET status = 'interrupted', finished_at_ms = 7 WHERE number = ?").run(id);
    held.release();
    const { run } = await rig.ended(id);
    expect(run).toMatchObject({ status: 'interrupted', finishedAtMs: 7 });
  });
});

describe('cancelling', () => {
  test('is stored before the work is notified, keeps partial results, and may be repeated', async () => {
    const released = Promise.withResolvers<void>();
    const told = Promise.withResolvers<string | undefined>();
    let partial: Promise<unknown> | null = null;
    rig.work = async ({ run, signal, store }) => {
      await store.writeProgress(run.key, {
        totalFiles: 2,
        probeSetCount: 2,
        sampledCount: 2,
        disabledCount: 0,
        enabledCount: 2,
      });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      told.resolve(statusOf(run.id));
      partial = store.saveResults(run.key, [resultOf(run.id)]);
      await partial;
      await released.promise;
      throw signal.reason;
    };
    const id = await rig.started();
    const answer = await cancel(id);
    expect(answer).toMatchObject({ status: 200, body: { run: { id, status: 'cancelling' } } });
    expect(await told.promise).toBe('cancelling');
    await until(() => partial !== null);
    await partial;
    for (let again = 0; again < 2; again += 1) {
      const { status, body } = await cancel(id);
      expect({ status, body }).toMatchObject({
        status: 200,
        body: { run: { status: 'cancelling', active: true, cancellable: true } },
      });
    }
    expect(await rig.call('POST', `${INSPECTION}/run`)).toMatchObject({ status: 409 });
    released.resolve();
    const detail = await rig.ended(id);
    expect(detail.run).toMatchObject({ status: 'cancelled', keepCount: 1, active: false, cancellable: false });
    expect(detail.run).not.toHaveProperty('error');
    expect(detail.results).toHaveLength(1);
    expect(lastLog(detail)).toMatchObject({ level: 'warning', message: 'cancelled' });
    expect(await cancel(id)).toMatchObject({ status: 200, body: { run: { status: 'cancelled' } } });
  });

  test.each<[string, () => Promise<WorkReport>]>([
    ['completes', async () => NOTHING_DONE],
    ['fails', () => Promise.reject(new GatewayError('closed', 'gone'))],
  ])('wins over work that %s at the same time', async (_, end) => {
    rig.work = async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return end();
    };
    const id = await rig.started();
    await cancel(id);
    const { run } = await rig.ended(id);
    expect(run.status).toBe('cancelled');
    expect(run).not.toHaveProperty('error');
  });

  test('wins over the stop of the manager', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    await Promise.all([cancel(id), until(() => statusOf(id) !== 'running').then(() => rig.inspection.stop())]);
    expect(statusOf(id)).toBe('cancelled');
  });

  test('comes too late once the last state is being written', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    await held.begun;
    await until(async () => (await rig.detail(id)).logs.length === 1);
    await whileLocked(async () => {
      held.release();
      await until(async () => !(await rig.detail(id)).run.cancellable);
      expect((await rig.detail(id)).run).toMatchObject({ status: 'running', active: true });
      expect(await cancel(id)).toMatchObject({ status: 409, code: 'request_failed' });
    });
    expect((await rig.ended(id)).run.status).toBe('completed');
  });

  test.each(['completed', 'failed', 'interrupted'])('is refused for a run that is %s', async (status) => {
    const id = await rig.started();
    await rig.ended(id);
    rig.db.query('UPDATE inspection_runs SET status = ? WHERE number = ?').run(status, id);
    expect(await cancel(id)).toMatchObject({ status: 409, code: 'request_failed' });
    expect(statusOf(id)).toBe(status);
  });

  test('is refused for invalid ids and missing runs', async () => {
    await rig.ended(await rig.started());
    for (const id of ['abc', '0', '-1', '01', '1.5', rig.runKeys[0] ?? '']) {
      expect(await cancel(id)).toMatchObject({ status: 400, code: 'request_failed' });
    }
    expect(await cancel(404)).toMatchObject({ status: 404, code: 'request_failed' });
  });
});
