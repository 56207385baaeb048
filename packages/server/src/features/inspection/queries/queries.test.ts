import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { openDatabase } from '../../../sqlite/open.ts';
import { type OwnershipRow, type OwnershipScope, ownershipRecord } from '../ownership.ts';
import {
  createInspectionRig,
  heldWork,
  INSPECTION,
  type InspectionRig,
  NOTHING_DONE,
  resultOf,
  START_MS,
} from '../testing/rig.ts';
import { removeOwnershipRows, restoreOwnershipRows } from './ownership-rows.ts';

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

  test('keep their id, and their windows when the new one knows none', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    const { store } = await held.begun;
    const seen = { quotaInventoryObserved: true, quotaWindows: [window] };
    const [first, other] = await store.saveResults(id, [resultOf(id, seen), resultOf(id, { fileName: 'b.json' })]);
    expect(first).toEqual({ ...resultOf(id, seen), id: 1 });
    expect(other?.id).toBe(2);
    const [again] = await store.saveResults(id, [
      resultOf(id, { action: 'disable', actionStatus: 'success', executedAction: 'disable', disabled: true }),
    ]);
    expect(again).toMatchObject({ id: 1, ...seen, executedAction: 'disable', disabled: true });
    const [none] = await store.saveResults(id, [resultOf(id, { quotaInventoryObserved: true })]);
    expect(none).toMatchObject({ id: 1, quotaInventoryObserved: true });
    expect(none).not.toHaveProperty('quotaWindows');
    held.release();
    expect((await rig.ended(id)).results.map((result) => result.id)).toEqual([1, 2]);
  });

  test('are stored all or none', async () => {
    const held = heldWork();
    rig.work = held.run;
    const id = await rig.started();
    const { store } = await held.begun;
    rig.db.run(`
      CREATE TRIGGER refuse BEFORE INSERT ON inspection_results WHEN new.file_name = 'bad.json'
      BEGIN SELECT raise(ABORT, 'trouble'); END`);
    expect(store.saveResults(id, [resultOf(id), resultOf(id, { fileName: 'bad.json' })])).rejects.toThrow();
    await Bun.sleep(0);
    expect((await rig.detail(id)).results).toEqual([]);
    rig.db.run('DROP TRIGGER refuse');
    held.release();
    await rig.ended(id);
  });

  test('tell when an account had its turn, across runs', async () => {
    rig.work = async ({ run, store }) => {
      await store.saveResults(run.id, [
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

  test('go after a run, with what belongs to them, beyond the newest 200 and 90 days', async () => {
    const old = START_MS - 91 * DAY;
    for (let n = 1; n <= 10; n += 1) addRun(n, old + n);
    rig.db.run(`
      INSERT INTO inspection_logs (run_number, level, message, created_at_ms) SELECT number, 'info', 'm', 1 FROM inspection_runs`);
    rig.db.run(`INSERT INTO inspection_account_turns VALUES ('gone', ${old}), ('here', ${START_MS})`);
    for (let n = 11; n <= 205; n += 1) addRun(n, START_MS - n);
    await rig.ended(await rig.started());
    // 205 and the new one, of which the oldest 6 are beyond the newest 200.
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

describe('ownership of disabled credentials', () => {
  const record = (parts: Parameters<typeof ownershipRecord>[0]) =>
    ownershipRecord({ authFileName: 'a.json', provider: 'codex', ...parts });
  const own = () => rig.inspection.store;
  const names = (rows: readonly OwnershipRow[]) =>
    rows.map(({ authFileName, authIndex }) => `${authFileName}/${authIndex}`);

  test('is pending until it is confirmed, and pending again when it is written again', async () => {
    const [first, second] = await own().insertPendingOwnership([
      record({ authIndex: 'x1', accountSnapshot: 'me' }),
      record({ authIndex: 'x2', provider: ' X_AI ', accountSnapshot: 'a.json' }),
    ]);
    expect(first).toEqual({
      id: 1,
      authFileName: 'a.json',
      provider: 'codex',
      authIndex: 'x1',
      accountId: '',
      accountSnapshot: 'me',
      state: 'pending',
      createdAtMs: START_MS,
    });
    expect(second).toMatchObject({ provider: 'xai', accountSnapshot: '' });
    await own().confirmOwnership([1, 2, 99]);
    expect((await own().loadOwnership()).map(({ state }) => state)).toEqual(['owned', 'owned']);
    expect(await own().insertPendingOwnership([record({ authIndex: 'x1', accountSnapshot: 'me' })])).toMatchObject([
      { id: 1, state: 'pending' },
    ]);
    await own().dropOwnership([1]);
    expect(names(await own().loadOwnership())).toEqual(['a.json/x2']);
  });

  test('survives a restart', async () => {
    await own().insertPendingOwnership([record({ authIndex: 'x1' })]);
    await rig.restart({ killed: true });
    expect(names(await own().loadOwnership())).toEqual(['a.json/x1']);
  });

  test.each<[string, OwnershipScope, string[]]>([
    ['everything', { kind: 'all' }, ['a.json/', 'a.json/x1', 'a.json/x2', 'b.json/x1']],
    ['a file', { kind: 'files', fileNames: ['a.json', 'a.json', 'none'] }, ['a.json/', 'a.json/x1', 'a.json/x2']],
    [
      'a credential, with rows that know less',
      { kind: 'credentials', identities: [record({ authIndex: 'x1', accountId: 'id-1' })] },
      ['a.json/', 'a.json/x1'],
    ],
    [
      'a credential whose index is known, whatever else is said of it',
      { kind: 'credentials', identities: [record({ authIndex: 'x1', accountId: 'other' })] },
      ['a.json/x1'],
    ],
    [
      'a credential without index, by its account',
      { kind: 'credentials', identities: [record({ accountId: 'id-2' })] },
      ['a.json/x2'],
    ],
    ['another provider', { kind: 'credentials', identities: [record({ provider: 'xai', authIndex: 'x1' })] }, []],
    ['another file', { kind: 'credentials', identities: [record({ authFileName: 'c.json', authIndex: 'x1' })] }, []],
  ])('of %s is taken away and put back', async (_, scope, expected) => {
    await own().insertPendingOwnership([
      record({ accountId: 'id-1' }),
      record({ authIndex: 'x1', accountId: 'id-1' }),
      record({ authIndex: 'x2', accountId: 'id-2' }),
      record({ authFileName: 'b.json', authIndex: 'x1' }),
    ]);
    await own().confirmOwnership([2]);
    const before = await own().loadOwnership();
    const removed = await own().removeOwnership(scope);
    expect(names(removed).sort()).toEqual(expected);
    expect(await own().loadOwnership()).toHaveLength(4 - expected.length);
    await own().restoreOwnership(removed);
    await own().restoreOwnership(removed);
    expect(await own().loadOwnership()).toEqual(before);
  });

  test('that was written anew meanwhile is not overwritten by what is put back', async () => {
    await own().insertPendingOwnership([record({ authIndex: 'x1' })]);
    await own().confirmOwnership([1]);
    const removed = await own().removeOwnership({ kind: 'all' });
    const [fresh] = await own().insertPendingOwnership([record({ authIndex: 'x1' })]);
    await own().restoreOwnership(removed);
    expect(await own().loadOwnership()).toEqual([fresh as OwnershipRow]);
    expect(fresh?.id).not.toBe(1);
  });

  test('is changed inside a transaction of somebody else', async () => {
    await own().insertPendingOwnership([record({ authIndex: 'x1' })]);
    rig.db.run('BEGIN IMMEDIATE');
    const removed = removeOwnershipRows(rig.db, { kind: 'files', fileNames: ['a.json'] });
    expect(removed).toHaveLength(1);
    rig.db.run('ROLLBACK');
    expect(await own().loadOwnership()).toHaveLength(1);
    rig.db.run('BEGIN IMMEDIATE');
    restoreOwnershipRows(rig.db, removed, rig.clock);
    rig.db.run('COMMIT');
    expect(await own().loadOwnership()).toEqual([...removed]);
  });
});

test('no question reads all runs or results', async () => {
  await rig.call('GET', `${INSPECTION}/runs`);
  const db = openDatabase(rig.db.filename, { readonly: true });
  const plan = (sql: string) =>
    db
      .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join('; ');
  expect(plan('SELECT * FROM inspection_runs ORDER BY started_at_ms DESC, id DESC LIMIT 20')).toBe(
    'SCAN inspection_runs USING INDEX inspection_runs_started',
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
