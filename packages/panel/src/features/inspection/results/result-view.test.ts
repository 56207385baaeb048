import { describe, expect, test } from 'bun:test';
import { result, run } from '../../../platform/testing/inspection-results.ts';
import { runWord } from '../../../ui/inspection/words.ts';
import { batchOf, countOutcomes, requestOf } from '../batch.ts';
import { progressOf, runDuration, withRun } from '../runs/run-view.ts';
import { filterResults, isActionable, providersOf } from './result-view.ts';

const NO_FILTERS = { action: '', provider: '', state: '', search: '' };

describe('results', () => {
  const results = [
    result(1, { action: 'delete', actionStatus: 'pending', statusCode: 402 }),
    result(2, { action: 'reauth', provider: 'xai' }),
    result(3, { action: 'disable', actionStatus: 'failed' }),
    result(4),
  ];
  const ids = (filters: Partial<typeof NO_FILTERS>) =>
    filterResults(results, { ...NO_FILTERS, ...filters }).map(({ id }) => id);

  test('are filtered by suggestion, provider, state and part of a text', () => {
    expect(ids({})).toEqual([1, 2, 3, 4]);
    expect(ids({ action: 'delete' })).toEqual([1]);
    expect(ids({ provider: 'xai' })).toEqual([2]);
    expect(ids({ state: 'failed' })).toEqual([3]);
    expect(ids({ search: 'ACCOUNT-3@' })).toEqual([3]);
    expect(ids({ search: '402' })).toEqual([1]);
  });

  test('of a provider that has none can still be chosen', () => {
    expect(providersOf(results, 'gone')).toEqual(['codex', 'gone', 'xai']);
  });

  test('what was decided or asks for nothing cannot be acted on', () => {
    expect(results.map(isActionable)).toEqual([true, true, true, false]);
    expect(isActionable(result(1, { action: 'delete', actionStatus: 'success' }))).toBe(false);
    expect(isActionable(result(1, { action: 'delete', actionStatus: 'needs_review' }))).toBe(false);
  });
});

describe('a batch', () => {
  const all = [
    result(1, { action: 'delete', actionStatus: 'pending', fileName: 'shared.json' }),
    result(2, { action: 'keep', fileName: 'shared.json' }),
    result(3, { action: 'reauth' }),
    result(4, { action: 'disable', actionStatus: 'pending' }),
  ];

  test('of one command takes only what asks for it', () => {
    expect(batchOf(all, all, 'disable').results.map(({ id }) => id)).toEqual([4]);
    expect(batchOf(all, all, 'enable').results).toEqual([]);
    expect(requestOf(batchOf(all, all, 'disable'))).toEqual({ resultIds: [4] });
  });

  test('of deletions names every file, its other accounts, and sign-in suggestions', () => {
    const batch = batchOf(all, all, 'delete');
    expect(batch.files.map(({ fileName, others }) => [fileName, others])).toEqual([
      ['shared.json', 1],
      ['3.json', 0],
    ]);
    expect(batch.overrides).toBe(1);
    expect(requestOf(batch)).toEqual({ resultIds: [1, 3], actionOverrides: [{ resultId: 3, action: 'delete' }] });
  });

  test('outcomes are counted by what came of them', () => {
    expect(countOutcomes([{ status: 'success' }, { status: 'success' }, { status: 'needs_review' }])).toEqual({
      success: 2,
      failed: 0,
      skipped: 0,
      needs_review: 1,
    });
  });
});

describe('a run', () => {
  test('has no total until the accounts are listed', () => {
    const active = run({ status: 'running', active: true, totalFiles: 0, sampledCount: 0 });
    expect(progressOf({ ...active, keepCount: 0 })).toEqual({ done: 0, total: null });
    expect(progressOf(run({ status: 'running', active: true, keepCount: 1, reauthCount: 1 }))).toEqual({
      done: 2,
      total: 3,
    });
  });

  test('that nobody executes is interrupted, whatever is stored', () => {
    expect(runWord({ status: 'running', active: true })?.label).toBe('inspectionRun.running');
    expect(runWord({ status: 'running', active: false })?.label).toBe('inspectionRun.interrupted');
    expect(runWord({ status: 'paused', active: true })).toBeNull();
  });

  test('lasts until its end, or until now while it runs', () => {
    expect(runDuration(run(), 99_000)).toBe(4_000);
    const { finishedAtMs: _, ...open } = run();
    expect(runDuration({ ...open, active: true }, 99_000)).toBe(98_000);
    expect(runDuration(open, 99_000)).toBeNull();
  });

  test('takes its place in the list, a new one the first', () => {
    const older = run({ id: 1 });
    expect(withRun({ items: [older] }, run({ id: 2 }))?.items.map(({ id }) => id)).toEqual([2, 1]);
    expect(withRun({ items: [older] }, run({ id: 1, status: 'failed' }))?.items[0]?.status).toBe('failed');
    expect(withRun(undefined, older)).toBeUndefined();
  });
});
