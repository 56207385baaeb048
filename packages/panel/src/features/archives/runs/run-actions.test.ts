import { describe, expect, test } from 'bun:test';
import { makeRun } from '../testing/make-run.ts';
import type { Run } from '../wire.ts';
import { deletionBegun, isFollowed, isServerWorking, type RunActions, runActions } from './run-actions.ts';

const none: RunActions = { resume: null, verify: null, delete: false, cancel: false, hold: false, watch: false };
const begin = { kind: 'start', stage: 'archiving' } as const;
const goOn = (stage: 'archiving' | 'verifying' | 'deleting') => ({ kind: 'continue', stage }) as const;

/** The whole matrix: every status, with and without a requested stage, and an unknown status. */
const MATRIX: readonly (readonly [string, Partial<Run>, Partial<RunActions>])[] = [
  ['counted, nothing written', { status: 'previewed' }, { resume: begin, cancel: true }],
  ['counted, asked to begin', { status: 'previewed', requested_stage: 'archiving' }, { cancel: true, watch: true }],
  ['writing files', { status: 'archiving' }, { watch: true }],
  ['writing, asked for', { status: 'archiving', requested_stage: 'archiving' }, { watch: true }],
  ['files written', { status: 'archived' }, { verify: 'first' }],
  ['files written, asked to verify', { status: 'archived', requested_stage: 'verifying' }, { watch: true }],
  ['reading back', { status: 'verifying' }, { watch: true }],
  ['verified', { status: 'verified' }, { verify: 'again', delete: true }],
  ['verified, asked again', { status: 'verified', requested_stage: 'verifying' }, { watch: true }],
  ['verified, asked to delete', { status: 'verified', requested_stage: 'deleting' }, { watch: true }],
  ['deleting', { status: 'deleting', delete_started_at_ms: 5 }, { watch: true }],
  ['failed writing', { status: 'failed', resume_status: 'archiving' }, { resume: goOn('archiving'), cancel: true }],
  ['failed reading', { status: 'failed', resume_status: 'verifying' }, { resume: goOn('verifying'), cancel: true }],
  [
    'failed reading, tried again by itself',
    { status: 'failed', resume_status: 'verifying', requested_stage: 'verifying' },
    { cancel: true, watch: true },
  ],
  ['failed before the first row', { status: 'failed', resume_status: 'deleting' }, { resume: goOn('deleting') }],
  [
    'failed amid the rows',
    { status: 'failed', resume_status: 'deleting', delete_started_at_ms: 5, deleted_event_count: 3 },
    { resume: goOn('deleting') },
  ],
  [
    'failed amid the rows, tried again by itself',
    { status: 'failed', resume_status: 'deleting', deleted_event_count: 3, requested_stage: 'deleting' },
    { watch: true },
  ],
  [
    'failed reading after rows went',
    { status: 'failed', resume_status: 'verifying', deleted_event_count: 3 },
    { resume: goOn('verifying') },
  ],
  ['failed nobody knows where', { status: 'failed' }, {}],
  ['failed in a stage of later', { status: 'failed', resume_status: 'uploading' }, {}],
  ['done', { status: 'completed', delete_started_at_ms: 5, deleted_event_count: 9 }, {}],
  ['cancelled', { status: 'cancelled' }, {}],
  ['automatic, writing files', { status: 'archiving', automatic: true }, { hold: true, watch: true }],
  [
    'automatic, before deletion',
    { status: 'verified', requested_stage: 'deleting', automatic: true },
    { hold: true, watch: true },
  ],
  [
    'automatic, failed reading',
    { status: 'failed', resume_status: 'verifying', automatic: true },
    { resume: goOn('verifying'), cancel: true, hold: true },
  ],
  ['automatic, deleting', { status: 'deleting', automatic: true, delete_started_at_ms: 5 }, { watch: true }],
  ['automatic, done', { status: 'completed', automatic: true, compaction: 'waiting' }, {}],
  ['automatic, cancelled', { status: 'cancelled', automatic: true }, {}],
  ['a state of later', { status: 'uploading' }, {}],
  ['a state of later that was asked for more', { status: 'uploading', requested_stage: 'deleting' }, {}],
  ['no state at all', { status: '' }, {}],
];

describe('the buttons of a run', () => {
  test.each(MATRIX)('%s', (_, run, actions) => {
    expect(runActions(makeRun(run))).toEqual({ ...none, ...actions });
  });

  test('what can be cancelled can never have lost a row', () => {
    for (const [, run, actions] of MATRIX) {
      if (actions.cancel === true) expect(deletionBegun(makeRun(run))).toBe(false);
    }
  });

  test('a compaction that follows is watched, but blocks no other run', () => {
    for (const [compaction, followed] of [
      ['waiting', true],
      ['running', true],
      ['done', false],
      ['not_needed', false],
      ['offline', false],
      [undefined, false],
    ] as const) {
      const run = makeRun({ status: 'completed', compaction });
      expect([isFollowed(run), isServerWorking(run)]).toEqual([followed, false]);
    }
  });

  test('nothing that starts a stage is offered beside an active stage', () => {
    for (const [, run] of MATRIX) {
      const actions = runActions(makeRun(run));
      if (!isServerWorking(makeRun(run))) continue;
      expect([actions.resume, actions.verify, actions.delete]).toEqual([null, null, false]);
    }
  });
});
