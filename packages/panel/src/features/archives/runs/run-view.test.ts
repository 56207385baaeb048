import { describe, expect, test } from 'bun:test';
import { filterStatuses } from '../../../ui/controls/status-menu.tsx';
import { makeRun } from '../testing/make-run.ts';
import type { Run } from '../wire.ts';
import {
  compressedShare,
  phaseWord,
  progressPercent,
  STATUS_WORDS,
  statusExplanation,
  statusWord,
  stepsOf,
  sumSegments,
} from './run-view.ts';

const at = (ms: number) => 1_780_000_000_000 + ms;
const archived = { archived_at_ms: at(1) };
const verified = { ...archived, verified_at_ms: at(2) };

describe('the steps of a run', () => {
  const states = (run: Partial<Run>) => stepsOf(makeRun(run)).map(({ state }) => state);

  test.each<[string, Partial<Run>, string]>([
    ['counted', { status: 'previewed' }, 'done next open open'],
    ['about to be written', { status: 'previewed', requested_stage: 'archiving' }, 'done running open open'],
    ['being written', { status: 'archiving' }, 'done running open open'],
    ['written', { status: 'archived', ...archived }, 'done done next open'],
    ['being read', { status: 'verifying', ...archived }, 'done done running open'],
    ['verified', { status: 'verified', ...verified }, 'done done done next'],
    ['being read again', { status: 'verified', ...verified, requested_stage: 'verifying' }, 'done done running open'],
    ['being deleted', { status: 'deleting', ...verified }, 'done done done running'],
    ['done', { status: 'completed', ...verified, completed_at_ms: at(3) }, 'done done done done'],
    ['failed writing', { status: 'failed', resume_status: 'archiving' }, 'done failed open open'],
    ['failed reading', { status: 'failed', resume_status: 'verifying', ...archived }, 'done done failed open'],
    ['failed deleting', { status: 'failed', resume_status: 'deleting', ...verified }, 'done done done failed'],
    ['cancelled at once', { status: 'cancelled' }, 'done open open open'],
    ['cancelled with files', { status: 'cancelled', ...archived }, 'done done open open'],
    ['in a state of later', { status: 'uploading', ...archived }, 'done done open open'],
    ['failed in a stage of later', { status: 'failed', resume_status: 'uploading' }, 'done open open open'],
    ['automatic', { status: 'archiving', automatic: true }, 'done running open open open'],
    ['compacting', { status: 'completed', automatic: true, compaction: 'running' }, 'done done done done running'],
    ['compacted', { status: 'completed', automatic: true, compaction: 'done' }, 'done done done done done'],
    ['not compacted', { status: 'completed', automatic: true, compaction: 'offline' }, 'done done done done open'],
  ])('%s', (_, run, expected) => {
    expect(states(run).join(' ')).toBe(expected);
  });

  test('carry the time at which they were done', () => {
    const times = stepsOf(makeRun({ status: 'verified', ...verified })).map(({ atMs }) => atMs);
    expect(times).toEqual([at(0), at(1), at(2), null]);
  });
});

describe('words', () => {
  test('a known status has a tone, one of a later version has none', () => {
    expect(statusWord(makeRun({ status: 'failed' }))?.tone).toBe('bad');
    expect(statusWord(makeRun({ status: 'archived', requested_stage: 'verifying' }))?.tone).toBe('wait');
    expect(statusWord(makeRun({ status: 'toString' }))).toBeNull();
    expect(statusExplanation(makeRun({ status: 'uploading' }))).toBeNull();
    expect([phaseWord('deleting_records'), phaseWord('uploading')]).toEqual(['archivePhase.deletingRecords', null]);
  });

  test('a run that lost rows is never said to have failed harmlessly', () => {
    const lost = { status: 'failed', resume_status: 'verifying', deleted_event_count: 1 } as const;
    expect(statusExplanation(makeRun(lost))).toBe('archiveText.failedDeleting');
    expect(statusExplanation(makeRun({ ...lost, deleted_event_count: 0 }))).toBe('archiveText.failedVerifying');
  });

  test('a stage that cannot start is said to, while it is tried again', () => {
    const waiting = { status: 'archived', requested_stage: 'verifying', has_error: true } as const;
    expect(statusExplanation(makeRun(waiting))).toBe('archiveText.refused');
    expect(statusExplanation(makeRun({ ...waiting, has_error: false }))).toBe('archiveText.waiting');
    // A manager that was started again cannot continue it.
    expect(statusExplanation(makeRun({ ...waiting, status: 'verifying' }))).toBe('archiveText.refused');
    const counted = { status: 'previewed', requested_stage: 'archiving', has_error: true } as const;
    expect(statusExplanation(makeRun(counted))).toBe('archiveText.refusedArchiving');
  });

  test('a filter offers what there is, and what is chosen', () => {
    expect(filterStatuses(STATUS_WORDS, { completed: 3, previewed: 1, uploading: 2 }, 'failed')).toEqual([
      'previewed',
      'completed',
      'failed',
    ]);
  });
});

describe('numbers', () => {
  test.each([
    [0, 0, null],
    [0, 10, 0],
    [999, 1_000, 99],
    [10, 10, 100],
    [12, 10, 100],
  ])('%d of %d is %p per cent', (current, total, percent) => {
    expect(progressPercent({ current, total })).toBe(percent);
  });

  test('nothing written has no ratio', () => {
    expect(compressedShare({ archived_compressed_bytes: 0, archived_uncompressed_bytes: 0 })).toBeNull();
    expect(compressedShare({ archived_compressed_bytes: 25, archived_uncompressed_bytes: 100 })).toBe(0.25);
  });

  test('files are summed over ids that need not follow each other', () => {
    const segment = {
      run_id: '',
      sequence: 1,
      status: 'verified',
      first_event_id: 7,
      last_event_id: 12,
      min_timestamp_ms: 500,
      max_timestamp_ms: 900,
      event_count: 2,
      uncompressed_bytes: 10,
      compressed_bytes: 5,
      created_at_ms: 1,
    } as const;
    const second = { ...segment, sequence: 2, status: 'published', first_event_id: 20, last_event_id: 40 } as const;
    expect(sumSegments([segment, { ...second, min_timestamp_ms: 100 }])).toEqual({
      count: 2,
      verified: 1,
      firstEventId: 7,
      lastEventId: 40,
      minTimestampMs: 100,
      maxTimestampMs: 900,
    });
    expect(sumSegments([])).toBeNull();
  });
});
