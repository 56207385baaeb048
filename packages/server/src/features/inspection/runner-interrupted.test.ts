import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { InspectionRunDetail } from '@manager/core/contract/inspection/runs';
import { until } from '@manager/core/testing/until';
import type { InspectionStore } from './ports.ts';
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

const cancel = (id: number) => rig.call('POST', `${INSPECTION}/runs/${id}/cancel`);
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

describe('stopping the manager', () => {
  test('interrupts the run, which keeps its results', async () => {
    rig.work = async ({ run, signal, store }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      await store.saveResults(run.key, [resultOf(run.id)]);
      throw signal.reason;
    };
    const id = await rig.started();
    await rig.inspection.stop();
    const detail = await rig.detail(id);
    expect(detail.run).toMatchObject({ status: 'interrupted', keepCount: 1, active: false });
    expect(lastLog(detail)).toMatchObject({ level: 'warning', message: 'interrupted' });
    expect(await cancel(id)).toMatchObject({ status: 409 });
  });

  test('keeps the state of a run that completed in time', async () => {
    rig.work = async ({ signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return NOTHING_DONE;
    };
    const id = await rig.started();
    await rig.inspection.stop();
    expect(statusOf(id)).toBe('completed');
  });

  test('waits no longer than its limit; later work has no effect', async () => {
    const released = Promise.withResolvers<void>();
    const late = Promise.withResolvers<Promise<unknown>>();
    let kept: InspectionStore | null = null;
    rig.work = async ({ run, store }) => {
      kept = store;
      await released.promise;
      late.resolve(store.saveResults(run.key, [resultOf(run.id)]));
      return NOTHING_DONE;
    };
    const id = await rig.started();
    await until(() => kept !== null);
    rig.impatient = true;
    await rig.inspection.stop();
    expect(statusOf(id)).toBe('interrupted');
    released.resolve();
    expect(await late.promise.then((saving) => saving).catch((error: unknown) => error)).toMatchObject({ status: 409 });
    await Bun.sleep(5);
    expect((await rig.detail(id)).run).toMatchObject({ status: 'interrupted', keepCount: 0 });
  });

  test('interrupts a run that was about to start', async () => {
    let began = false;
    rig.work = async () => {
      began = true;
      return NOTHING_DONE;
    };
    let starting: ReturnType<InspectionRig['call']> | null = null;
    let stopped: Promise<void> | null = null;
    await whileLocked(async () => {
      starting = rig.call('POST', `${INSPECTION}/run`);
      await until(() => rig.runKeys.length === 1);
      stopped = rig.inspection.stop();
    });
    await stopped;
    expect(await (starting as Promise<unknown> | null)).toMatchObject({ status: 409, code: 'request_failed' });
    const row = rig.db
      .query<{ number: number; status: string }, []>('SELECT number, status FROM inspection_runs')
      .get();
    expect(row?.status).toBe('interrupted');
    expect(lastLog(await rig.detail(row?.number ?? 0))).toMatchObject({ message: 'shutdown_before_start' });
    expect(began).toBe(false);
  });

  test('aborts manual actions and waits for them', async () => {
    rig.work = async ({ run, store }) => {
      await store.saveResults(run.key, [resultOf(run.id, { action: 'disable' })]);
      return NOTHING_DONE;
    };
    const id = await rig.started();
    const { results } = await rig.ended(id);
    const begun = Promise.withResolvers<void>();
    rig.execute = async ({ signal, results: all }) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return all.map((result) => ({ result, action: result.action, status: 'failed', error: 'ended' }));
    };
    const acting = rig.call('POST', `${INSPECTION}/runs/${id}/actions`, { resultIds: [results[0]?.id] });
    await begun.promise;
    await rig.inspection.stop();
    expect(rig.db.query('SELECT action_status FROM inspection_results').get()).toEqual({ action_status: 'failed' });
    expect((await acting).status).toBe(200);
  });
});

describe('database failures', () => {
  const refuse = (what: string) =>
    rig.db.run(`CREATE TRIGGER refuse BEFORE ${what} BEGIN SELECT raise(ABORT, 'trouble'); END`);
  const permit = () => rig.db.run('DROP TRIGGER refuse');

  test('a last line of the log that cannot be written does not leave the run active', async () => {
    refuse("INSERT ON inspection_logs WHEN new.message LIKE '%_completed'");
    const detail = await rig.ended(await rig.started());
    permit();
    expect(detail.run.status).toBe('completed');
    expect(lastLog(detail).message).toBe('run_started');
  });

  test('writing the last state is retried', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    refuse("UPDATE ON inspection_runs WHEN new.status = 'completed'");
    let pauses = 0;
    rig.onPause = () => {
      if (++pauses === 1) permit();
    };
    held.release();
    expect((await rig.ended(id)).run.status).toBe('completed');
  });

  test('a last state that can never be written is left to the next recovery', async () => {
    rig.impatient = true;
    refuse("UPDATE ON inspection_runs WHEN new.status = 'completed'");
    const id = await rig.started();
    const { run } = await rig.ended(id);
    permit();
    expect(run).toMatchObject({ status: 'running', active: false, cancellable: false });
    expect(rig.log.lines).toMatchObject([
      { level: 'error', message: 'the end of an inspection cannot be stored', runId: id },
    ]);
    expect(await rig.call('POST', `${INSPECTION}/run`)).toMatchObject({ status: 409 });
    await rig.tick();
    expect(lastLog(await rig.detail(id))).toMatchObject({ message: 'recovered_interrupted' });
    expect((await rig.call('POST', `${INSPECTION}/run`)).status).toBe(200);
  });
});

describe('after a manager that was killed', () => {
  test.each([false, true])('a run is interrupted, also without a schedule (cancelling: %p)', async (cancelling) => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    const { run, store } = await held.begun;
    await store.saveResults(run.key, [resultOf(id, { action: 'reauth' })]);
    // The process dies between the two, so the work is not notified.
    if (cancelling) rig.db.query("UPDATE inspection_runs SET status = 'cancelling', cancel_requested = 1").run();
    await rig.restart({ killed: true });
    expect((await rig.detail(id)).run).toMatchObject({ active: false });
    rig.clock += 60_000;
    await rig.tick();
    const detail = await rig.detail(id);
    expect(detail.run).toMatchObject({
      status: 'interrupted',
      finishedAtMs: rig.clock,
      reauthCount: 1,
      active: false,
      cancellable: false,
    });
    expect(detail.results).toHaveLength(1);
    expect(lastLog(detail)).toMatchObject({ level: 'warning', message: 'recovered_interrupted' });
    rig.work = async () => NOTHING_DONE;
    expect((await rig.ended(await rig.started())).run.status).toBe('completed');
  });

  test('a run of this process is not recovered', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    await rig.tick();
    await rig.tick();
    expect(statusOf(id)).toBe('running');
    held.release();
    expect((await rig.ended(id)).run.status).toBe('completed');
  });
});
