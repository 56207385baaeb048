import { describe, expect, test } from 'bun:test';
import { ARCHIVE_STATUSES, type ArchiveStatus } from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import type { RunState } from './run-row.ts';
import type { ArchiveStage } from './stages/stage.ts';
import { isSatisfied, requestedStageOf, requireCancellable, type StageRequest } from './states.ts';

function run(status: ArchiveStatus, more: Partial<RunState> = {}): RunState {
  return {
    status,
    resumeStatus: null,
    requestedStage: null,
    archivedEventCount: 0,
    deletedEventCount: 0,
    updatedAtMs: 10,
    verifiedAtMs: null,
    deleteStartedAtMs: null,
    ...more,
  };
}

/** Every state of a run: the statuses, and failed in each stage. */
const PLACES: Readonly<Record<string, RunState>> = {
  ...Object.fromEntries(ARCHIVE_STATUSES.filter((name) => name !== 'failed').map((name) => [name, run(name)])),
  'failed archiving': run('failed', { resumeStatus: 'archiving' }),
  'failed verifying': run('failed', { resumeStatus: 'verifying' }),
  'failed deleting': run('failed', { resumeStatus: 'deleting' }),
};

type Outcome = ArchiveStage | 'nothing to do' | 'refused';

function outcome(request: StageRequest, state: RunState): Outcome {
  try {
    return requestedStageOf(request, state) ?? 'nothing to do';
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect(error).toHaveProperty('code', 'usage_archive_invalid_state');
    return 'refused';
  }
}

function outcomes(action: StageRequest['action'], expectedStage: ArchiveStage | null = null): Record<string, Outcome> {
  return Object.fromEntries(
    Object.entries(PLACES).map(([place, state]) => [place, outcome({ action, expectedStage }, state)]),
  );
}

describe('an action', () => {
  test('resume continues the stage of a run and never starts the next one', () => {
    expect(outcomes('resume')).toEqual({
      previewed: 'archiving',
      archiving: 'archiving',
      archived: 'nothing to do',
      verifying: 'verifying',
      verified: 'nothing to do',
      deleting: 'deleting',
      completed: 'nothing to do',
      cancelled: 'refused',
      'failed archiving': 'archiving',
      'failed verifying': 'verifying',
      'failed deleting': 'deleting',
    });
  });

  test('resume with an expected stage is refused before that stage, and does nothing after it', () => {
    expect(outcomes('resume', 'verifying')).toEqual({
      previewed: 'refused',
      archiving: 'refused',
      archived: 'refused',
      verifying: 'verifying',
      verified: 'nothing to do',
      deleting: 'nothing to do',
      completed: 'nothing to do',
      cancelled: 'refused',
      'failed archiving': 'refused',
      'failed verifying': 'verifying',
      'failed deleting': 'nothing to do',
    });
    expect(outcomes('resume', 'archiving').archived).toBe('nothing to do');
    expect(outcomes('resume', 'deleting').verified).toBe('refused');
  });

  test('verify reads archived files, and verified ones again', () => {
    expect(outcomes('verify')).toEqual({
      previewed: 'refused',
      archiving: 'refused',
      archived: 'verifying',
      verifying: 'verifying',
      verified: 'verifying',
      deleting: 'nothing to do',
      completed: 'nothing to do',
      cancelled: 'refused',
      'failed archiving': 'refused',
      'failed verifying': 'verifying',
      'failed deleting': 'refused',
    });
  });

  test('delete needs a verified run', () => {
    expect(outcomes('delete')).toEqual({
      previewed: 'refused',
      archiving: 'refused',
      archived: 'refused',
      verifying: 'refused',
      verified: 'deleting',
      deleting: 'deleting',
      completed: 'nothing to do',
      cancelled: 'refused',
      'failed archiving': 'refused',
      'failed verifying': 'refused',
      'failed deleting': 'deleting',
    });
  });
});

test.each<[ArchiveStage, string, boolean]>([
  ['archiving', 'previewed', false],
  ['archiving', 'archiving', false],
  ['archiving', 'failed archiving', false],
  ['archiving', 'archived', true],
  ['archiving', 'failed verifying', true],
  ['verifying', 'archived', false],
  ['verifying', 'deleting', true],
  ['deleting', 'verified', false],
  ['deleting', 'failed deleting', false],
  ['deleting', 'completed', true],
  ['deleting', 'cancelled', true],
])('a request for %s is done on %s: %p', (stage, place, done) => {
  expect(isSatisfied(stage, PLACES[place] ?? run('failed'))).toBe(done);
});

test('a request to verify a verified run again is not satisfied by the earlier proof', () => {
  expect(isSatisfied('verifying', run('verified', { verifiedAtMs: 20, updatedAtMs: 20 }))).toBe(true);
  expect(isSatisfied('verifying', run('verified', { verifiedAtMs: 20, updatedAtMs: 21 }))).toBe(false);
});

describe('cancelling', () => {
  const verdict = (state: RunState) => {
    try {
      return requireCancellable(state);
    } catch (error) {
      return error instanceof AppError ? error.code : 'another error';
    }
  };

  test.each<[string, RunState, string]>([
    ['previewed', run('previewed'), 'may be cancelled'],
    ['failed archiving', run('failed', { resumeStatus: 'archiving' }), 'may be cancelled'],
    [
      'failed archiving with segments',
      run('failed', { resumeStatus: 'archiving', archivedEventCount: 5 }),
      'may be cancelled',
    ],
    [
      'failed verifying',
      run('failed', { resumeStatus: 'verifying', archivedEventCount: 5, verifiedAtMs: 3 }),
      'may be cancelled',
    ],
    ['cancelled', run('cancelled'), 'cancelled already'],
    ['archiving without a segment', run('archiving'), 'usage_archive_invalid_state'],
    ['archiving with a segment', run('archiving', { archivedEventCount: 5 }), 'usage_archive_cancel_published'],
    ['archived', run('archived', { archivedEventCount: 5 }), 'usage_archive_cancel_published'],
    ['verifying', run('verifying', { archivedEventCount: 5 }), 'usage_archive_cancel_published'],
    ['verified', run('verified', { archivedEventCount: 5 }), 'usage_archive_cancel_published'],
    ['deleting', run('deleting', { archivedEventCount: 5 }), 'usage_archive_cancel_unsafe'],
    ['failed deleting', run('failed', { resumeStatus: 'deleting' }), 'usage_archive_cancel_unsafe'],
    ['completed', run('completed', { deleteStartedAtMs: 5, deletedEventCount: 5 }), 'usage_archive_cancel_unsafe'],
    ['cancelled after a deletion', run('cancelled', { deletedEventCount: 1 }), 'usage_archive_cancel_unsafe'],
  ])('%s', (_, state, expected) => {
    expect(verdict(state)).toBe(expected);
  });
});
