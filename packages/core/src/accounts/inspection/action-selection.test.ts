import { describe, expect, test } from 'bun:test';
import type { AutoActionMode } from '../../contract/inspection/config.ts';
import type { ActionStatus, InspectionAction } from '../../contract/inspection/runs.ts';
import vectors from '../fixtures/inspection-vectors.json';
import { type SelectableResult, selectAutomaticActions, selectManualActions } from './action-selection.ts';
import { vectorsOf } from './testing.ts';

interface AutomaticVector {
  readonly name: string;
  readonly autoActionMode: AutoActionMode;
  readonly autoRecoverEnabled: boolean;
  readonly results: readonly SelectableResult[];
  readonly expect: {
    readonly run: readonly { readonly key: string; readonly action: string }[];
    readonly outcomes: readonly { readonly key: string; readonly status: string }[];
  };
}

describe('automatic actions', () => {
  for (const vector of vectorsOf(vectors.actionSelection as readonly AutomaticVector[])) {
    test(vector.name, () => {
      const selection = selectAutomaticActions(vector.results, vector);
      const run = selection.execute.map(({ result, action }) => ({ key: result.accountKey, action }));
      const outcomes = selection.outcomes.map(({ result, status }) => ({ key: result.accountKey, status }));
      expect({ run, outcomes }).toEqual(vector.expect as { run: typeof run; outcomes: typeof outcomes });
    });
  }
});

const result = (
  accountKey: string,
  action: InspectionAction,
  changed: Partial<SelectableResult> = {},
): SelectableResult => ({
  accountKey,
  action,
  fileName: `${accountKey}.json`,
  provider: 'codex',
  authIndex: accountKey,
  actionStatus: 'pending',
  ...changed,
});

const manual = (
  results: readonly SelectableResult[],
  selected = results,
  overridden: readonly SelectableResult[] = [],
) => {
  const overrides = new Map(overridden.map((one) => [one, 'delete'] as const));
  const selection = selectManualActions(results, new Set(selected), overrides);
  return [
    ...selection.execute.map(({ result: { accountKey }, action }) => `${accountKey} ${action}`),
    ...selection.outcomes.map(({ result: { accountKey }, status }) => `${accountKey} ${status}`),
  ];
};

describe('actions on selected results', () => {
  test('suggestions that change nothing are skipped, the others are executed', () => {
    const results = [result('a', 'disable'), result('b', 'keep'), result('c', 'reauth'), result('d', 'enable')];
    expect(manual(results)).toEqual(['a disable', 'd enable', 'b skipped', 'c skipped']);
  });

  for (const [status, outcome] of [
    ['success', 'a skipped'],
    ['skipped', 'a skipped'],
    ['needs_review', 'a needs_review'],
    ['failed', 'a disable'],
    ['none', 'a disable'],
  ] as const satisfies readonly (readonly [ActionStatus, string])[]) {
    test(`one that was ${status} before: ${outcome}`, () => {
      expect(manual([result('a', 'disable', { actionStatus: status })])).toEqual([outcome]);
    });
  }

  test('one without a file fails, one with only a displayed name goes to review', () => {
    expect(manual([result('a', 'disable', { fileName: ' ' })])).toEqual(['a failed']);
    expect(manual([result('a', 'disable', { authIndex: '', accountSnapshot: 'a.json' })])).toEqual(['a needs_review']);
  });

  test('accounts that were not selected still count for a deletion of their file', () => {
    const deleted = result('a', 'delete', { fileName: 's.json' });
    const kept = result('b', 'keep', { fileName: 's.json' });
    expect(manual([deleted, kept], [deleted])).toEqual(['a needs_review']);
  });

  test('a deletion may take the place of a suggested sign-in', () => {
    const refused = result('a', 'reauth');
    expect(manual([refused], [refused], [refused])).toEqual(['a delete']);
  });

  test('an account that is selected twice is changed once', () => {
    const twice = { fileName: 's.json', authIndex: 'x' };
    expect(manual([result('a', 'disable', twice), result('b', 'disable', twice)])).toEqual(['a disable', 'b skipped']);
    expect(manual([result('a', 'disable', twice), result('b', 'enable', twice)])).toEqual([
      'a needs_review',
      'b needs_review',
    ]);
  });
});
