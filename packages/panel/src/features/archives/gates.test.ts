import { describe, expect, test } from 'bun:test';
import { archiveBlocker, blockersOf, coveragesOf, laggingFor, readinessRows } from './gates.ts';
import { runActions } from './runs/run-actions.ts';
import { makeMaintenance } from './testing/make-maintenance.ts';
import { makeRun } from './testing/make-run.ts';
import type { Maintenance, Run } from './wire.ts';

const blockers = (run: Run, maintenance: Maintenance) => blockersOf(run, runActions(run), maintenance);
const behind = (done: number) => ({
  hourly_aggregate_coverage: {
    status: 'catching_up',
    watermark_event_id: done,
    target_event_id: 1_500,
    complete: false,
  },
});
const migrating = {
  migration: { ...makeMaintenance().migration, status: 'running', last_event_id: 40, target_event_id: 100 },
  migration_coverage: { status: 'running', watermark_event_id: 40, target_event_id: 100, complete: false },
  readiness: { ...makeMaintenance().readiness, migration_ready: false },
};
const held = {
  active_lock: { run_id: 'f'.repeat(32), operation: 'deleting', acquired_at_ms: 1, updated_at_ms: 2 },
};
const verified = makeRun({ status: 'verified' });
const failedDeletion = makeRun({ status: 'failed', resume_status: 'deleting' });

describe('what holds a button back', () => {
  test('nothing, where all is ready', () => {
    for (const run of [makeRun(), makeRun({ status: 'archived' }), verified, failedDeletion])
      expect(blockers(run, makeMaintenance())).toEqual({ resume: null, verify: null, delete: null });
  });

  test('an upgrade of the database holds back archiving and deleting, with its progress, but not verifying', () => {
    const maintenance = makeMaintenance(migrating);
    const upgrade = { kind: 'migration', done: 40, target: 100, failed: false } as const;
    expect(archiveBlocker(maintenance)).toEqual(upgrade);
    expect(blockers(makeRun(), maintenance).resume).toEqual(upgrade);
    expect(blockers(verified, maintenance)).toMatchObject({ verify: null, delete: { kind: 'coverage' } });
  });

  test('sums that do not reach the last event of the run hold back its deletion', () => {
    const maintenance = makeMaintenance(behind(999));
    expect(blockers(verified, maintenance).delete).toMatchObject({
      kind: 'coverage',
      lagging: [{ name: 'hourly_aggregate', done: 999, target: 1_500 }],
    });
    expect(blockers(failedDeletion, maintenance).resume?.kind).toBe('coverage');
    expect(blockers(makeRun({ status: 'failed', resume_status: 'verifying' }), maintenance).resume).toBeNull();
  });

  test('new events that sums do not cover yet do not', () => {
    expect(blockers(verified, makeMaintenance(behind(1_000))).delete).toBeNull();
  });

  test('a switch that is off holds back deletion alone', () => {
    const { readiness } = makeMaintenance();
    const maintenance = makeMaintenance({ readiness: { ...readiness, archive_delete_enabled: false } });
    expect(blockers(verified, maintenance)).toEqual({ resume: null, verify: null, delete: { kind: 'deleteOff' } });
    expect(blockers(failedDeletion, maintenance).resume).toEqual({ kind: 'deleteOff' });
    expect(blockers(makeRun(), maintenance).resume).toBeNull();
  });

  test('a stage of another run holds back everything, its own lock nothing', () => {
    const locked = { kind: 'locked', runId: 'f'.repeat(32), operation: 'deleting' } as const;
    const maintenance = makeMaintenance(held);
    expect(blockers(verified, maintenance)).toEqual({ resume: null, verify: locked, delete: locked });
    expect(blockers(makeRun(), maintenance).resume).toEqual(locked);
    expect(blockers({ ...verified, id: 'f'.repeat(32) }, maintenance).delete).toBeNull();
  });

  test('so does another run that waits for its turn, but not one that waits for a person', () => {
    const other = makeRun({ id: 'e'.repeat(32), requested_stage: 'archiving' });
    expect(blockers(verified, makeMaintenance({ active_run: other })).verify).toEqual({
      kind: 'locked',
      runId: other.id,
      operation: 'archiving',
    });
    const resting = makeMaintenance({ active_run: makeRun({ id: 'e'.repeat(32) }) });
    expect(blockers(verified, resting).verify).toBeNull();
  });
});

describe('coverages', () => {
  test('of a later server are counted as well', () => {
    const pricing = { status: 'catching_up', watermark_event_id: 5, target_event_id: 1_500, complete: false };
    const maintenance = { ...makeMaintenance(), pricing_coverage: pricing };
    expect(coveragesOf(maintenance).map(({ name }) => name)).toEqual(['migration', 'hourly_aggregate', 'pricing']);
    expect(laggingFor(verified, maintenance).map(({ name }) => name)).toEqual(['pricing']);
    expect(readinessRows(maintenance).find(({ key }) => key === 'pricing')).toMatchObject({
      label: null,
      tone: 'wait',
      progress: { done: 5, target: 1_500 },
    });
  });

  test('are shown with what is disabled', () => {
    const { readiness } = makeMaintenance();
    const rows = readinessRows(
      makeMaintenance({
        hourly_aggregate_coverage: {
          status: 'disabled',
          watermark_event_id: 0,
          target_event_id: 1_500,
          complete: false,
        },
        readiness: { ...readiness, archive_delete_enabled: false },
      }),
    );
    expect(rows.map(({ key, tone }) => [key, tone])).toEqual([
      ['migration', 'ok'],
      ['hourly_aggregate', 'off'],
      ['delete', 'off'],
    ]);
  });
});
