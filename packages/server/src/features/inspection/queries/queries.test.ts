import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { openDatabase } from '../../../sqlite/open.ts';
import {
  createInspectionRig,
  heldWork,
  INSPECTION,
  type InspectionRig,
  NOTHING_DONE,
  resultOf,
  START_MS,
} from '../testing/rig.ts';

const DAY = 86_400_000;

let rig: InspectionRig;
beforeAll(async () => {
  rig = await createInspectionRig();
});
beforeEach(() => rig.reset());
afterAll(() => rig.close());

describe('results that are written again', () => {
  const window = {
    id: 'weekly',
    labelKey: 'codex_quota.weekly',
    resetLabel: '-',
    resetAccuracy: 'unknown',
    modelScope: { kind: 'all', complete: true },
  } as const;

  test('keep their id, and their windows when the new one has none', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    const { run, store } = await held.begun;
    const seen = { quotaInventoryObserved: true, quotaWindows: [window] };
    const [first, other] = await store.saveResults(run.key, [resultOf(id, seen), resultOf(id, { fileName: 'b.json' })]);
    expect(first).toEqual({ ...resultOf(id, seen), id: 1 });
    expect(other?.id).toBe(2);
    const [again] = await store.saveResults(run.key, [
      resultOf(id, { action: 'disable', actionStatus: 'success', executedAction: 'disable', disabled: true }),
    ]);
    expect(again).toMatchObject({ id: 1, ...seen, executedAction: 'disable', disabled: true });
    const [none] = await store.saveResults(run.key, [resultOf(id, { quotaInventoryObserved: true })]);
    expect(none).toMatchObject({ id: 1, quotaInventoryObserved: true });
    expect(none).not.toHaveProperty('quotaWindows');
    held.release();
    expect((await rig.ended(id)).results.map((result) => result.id)).toEqual([1, 2]);
  });

  test('are stored all or none', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    const { run, store } = await held.begun;
    rig.db.run(`
      CREATE TRIGGER refuse BEFORE INSERT ON inspection_results WHEN new.file_name = 'bad.json'
      BEGIN SELECT raise(ABORT, 'trouble'); END`);
    expect(store.saveResults(run.key, [resultOf(id), resultOf(id, { fileName: 'bad.json' })])).rejects.toThrow();
    await Bun.sleep(0);
    expect((await rig.detail(id)).results).toEqual([]);
    rig.db.run('DROP TRIGGER refuse');
    held.release();
    await rig.ended(id);
  });

  test('store when an account was last inspected, across runs', async () => {
    rig.work = async ({ run, store }) => {
      await store.saveResults(run.key, [
        resultOf(run.id, { createdAtMs: rig.clock }),
        ...(rig.clock === START_MS ? [resultOf(run.id, { fileName: 'b.json', createdAtMs: rig.clock })] : []),
      ]);
      return NOTHING_DONE;
    };
    await rig.ended(await rig.started());
    rig.clock += 1_000;
    await rig.ended(await rig.started());
    expect(await rig.inspection.store.accountTurns()).toEqual(
      new Map([
        ['a.json::x1', START_MS + 1_000],
        ['b.json::x1', START_MS],
      ]),
    );
  });
});

describe('old runs', () => {
  function addRun(
    n: number,
    startedAtMs: number,
    columns: { readonly status?: string; readonly trigger?: string } = {},
  ) {
    const { status = 'failed', trigger = 'manual' } = columns;
    rig.db
      .query(
        `INSERT INTO inspection_runs
           (id, trigger_type, trigger_key, status, started_at_ms, settings, created_at_ms, updated_at_ms)
         VALUES (?1, ?2, ?1, ?3, ?4, '{}', ?4, ?4)`,
      )
      .run(n.toString(16).padStart(32, '0'), trigger, status, startedAtMs);
  }
  const count = (table: string) => rig.db.query<{ n: number }, []>(`SELECT count(*) AS n FROM ${table}`).get()?.n;
  const left = () =>
    rig.db
      .query<{ id: string }, []>('SELECT id FROM inspection_runs ORDER BY started_at_ms')
      .all()
      .map(({ id }) => Number.parseInt(id.slice(0, 32), 16));

  test('are deleted after a run, with their data, beyond the newest 200 and 90 days', async () => {
    const old = START_MS - 91 * DAY;
    for (let n = 1; n <= 10; n += 1) addRun(n, old + n);
    rig.db.run(`
      INSERT INTO inspection_logs (run_number, level, message, created_at_ms) SELECT number, 'info', 'm', 1 FROM inspection_runs`);
    rig.db.run(`INSERT INTO inspection_account_turns VALUES ('gone', ${old}), ('here', ${START_MS})`);
    for (let n = 11; n <= 205; n += 1) addRun(n, START_MS - n);
    await rig.ended(await rig.started());
    // 205 and the new one; the oldest 6 are beyond the newest 200.
    while (count('inspection_runs') !== 200 || count('inspection_account_turns') !== 1) await Bun.sleep(1);
    expect(left().slice(0, 4)).toEqual([7, 8, 9, 10]);
    expect(count("inspection_logs WHERE message = 'm'")).toBe(4);
  });

  test('stay within 90 days, however many', async () => {
    for (let n = 1; n <= 230; n += 1) addRun(n, START_MS - 89 * DAY + n);
    await rig.ended(await rig.started());
    await rig.ended(await rig.started());
    expect(count('inspection_runs')).toBe(232);
  });

  test('stay when they are the newest completed or the newest scheduled one', async () => {
    const old = START_MS - 200 * DAY;
    addRun(1, old + 1, { status: 'completed' });
    addRun(2, old + 2, { status: 'completed' });
    addRun(3, old + 3, { trigger: 'scheduled' });
    addRun(4, old + 4, { trigger: 'scheduled' });
    addRun(5, old + 5);
    for (let n = 6; n <= 210; n += 1) addRun(n, START_MS - n);
    rig.work = () => Promise.reject(new Error('not completed'));
    await rig.ended(await rig.started());
    while (count('inspection_runs') !== 208) await Bun.sleep(1);
    expect(left().slice(0, 2)).toEqual([2, 4]);
  });
});

test('no query reads all runs or results', async () => {
  await rig.call('GET', `${INSPECTION}/runs`);
  const db = openDatabase(rig.db.filename, { readonly: true });
  const plan = (sql: string) =>
    db
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ');
  expect(plan('SELECT * FROM inspection_runs ORDER BY started_at_ms DESC, number DESC LIMIT 20')).toBe(
    'SCAN inspection_runs USING INDEX inspection_runs_started; USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
  );
  expect(
    plan("SELECT id FROM inspection_runs WHERE trigger_type = 'scheduled' ORDER BY started_at_ms DESC LIMIT 1"),
  ).toContain('USING INDEX inspection_runs_scheduled_started');
  expect(plan("SELECT id FROM inspection_runs WHERE status IN ('running', 'cancelling')")).toContain(
    'USING INDEX inspection_runs_active',
  );
  expect(plan('SELECT * FROM inspection_results WHERE run_number = 1')).toContain('SEARCH');
  expect(plan('SELECT * FROM inspection_logs WHERE run_number = 1')).toContain('inspection_logs_run');
  db.close();
});
