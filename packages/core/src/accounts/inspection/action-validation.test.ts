import { describe, expect, test } from 'bun:test';
import type { ExecutableAction, InspectionAction } from '../../contract/inspection/runs.ts';
import { readAccounts } from '../testing/listed-accounts.ts';
import type { SelectableResult } from './action-selection.ts';
import { validateActions } from './action-validation.ts';

const account = (id: string, changed: object = {}) => ({
  id,
  name: 's.json',
  auth_index: id,
  provider: 'codex',
  ...changed,
});
const result = (authIndex: string, changed: Partial<SelectableResult> = {}): SelectableResult => ({
  accountKey: authIndex,
  fileName: 's.json',
  provider: 'codex',
  action: 'disable',
  authIndex,
  ...changed,
});

function check(
  live: readonly object[],
  asked: readonly [string, ExecutableAction][],
  reference: readonly [string, InspectionAction][] = asked,
) {
  const results = new Map([...asked, ...reference].map(([index]) => [index, result(index)]));
  const find = (index: string) => results.get(index) ?? result(index);
  const items = asked.map(([index, action]) => ({ result: find(index), action }));
  const considered = reference.map(([index, action]) => ({ result: find(index), action }));
  return validateActions(items, considered, readAccounts(live)).map((verdict) =>
    verdict.verdict === 'refuse'
      ? `${verdict.result.accountKey} ${verdict.status}`
      : `${verdict.item.result.accountKey} ${verdict.target} ${verdict.members.length} for ${verdict.covers.length}`,
  );
}

describe('a batch is checked against the live list', () => {
  test('an account that is gone, changed or ambiguous fails', () => {
    expect(check([], [['r1', 'disable']])).toEqual(['r1 failed']);
    expect(check([account('r1', { provider: 'xai' })], [['r1', 'disable']])).toEqual(['r1 failed']);
    expect(check([account('r1'), account('r2', { auth_index: 'r1' })], [['r1', 'disable']])).toEqual(['r1 failed']);
  });

  test('one account of a file is switched alone where possible', () => {
    expect(check([account('r1')], [['r1', 'disable']])).toEqual(['r1 credential 1 for 1']);
    expect(check([account('r1'), account('r2')], [['r1', 'disable']])).toEqual(['r1 credential 1 for 1']);
  });

  test('a source row or a row expanded from it is not switched without the others', () => {
    const live = [account('s.json'), account('r2')];
    expect(check(live, [['s.json', 'disable']])).toEqual(['s.json needs_review']);
    expect(check(live, [['r2', 'disable']])).toEqual(['r2 needs_review']);
  });

  test('a file whose accounts are all switched the same way is switched once, by its source row', () => {
    const live = [account('r2'), account('s.json')];
    const asked: [string, ExecutableAction][] = [
      ['r2', 'disable'],
      ['s.json', 'disable'],
    ];
    expect(check(live, asked)).toEqual(['r2 skipped', 's.json file-plan 2 for 2']);
    expect(
      check(
        [account('r1'), account('r2')],
        [
          ['r1', 'disable'],
          ['r2', 'disable'],
        ],
      ),
    ).toEqual(['r1 file-plan 2 for 2', 'r2 skipped']);
    expect(
      check(live, [
        ['r2', 'disable'],
        ['s.json', 'enable'],
      ]),
    ).toEqual(['r2 needs_review', 's.json needs_review']);
  });

  test('accounts without a runtime id, or with the same one, are not switched', () => {
    expect(check([account('', { auth_index: 'x' })], [['x', 'disable']])).toEqual(['x needs_review']);
    const twins = [account('r1', { auth_index: 'x' }), account('r1', { auth_index: 'y' })];
    expect(
      check(twins, [
        ['x', 'disable'],
        ['y', 'disable'],
      ]),
    ).toEqual(['x needs_review', 'y needs_review']);
  });

  test('an account in the wanted state is skipped, a file only when all its accounts are', () => {
    expect(check([account('r1', { disabled: true })], [['r1', 'disable']])).toEqual(['r1 skipped']);
    expect(check([account('r1')], [['r1', 'enable']])).toEqual(['r1 skipped']);
    const half = [account('r1', { disabled: true }), account('r2')];
    expect(
      check(half, [
        ['r1', 'disable'],
        ['r2', 'disable'],
      ]),
    ).toEqual(['r1 file-plan 2 for 2', 'r2 skipped']);
  });

  test('a deletion needs a deletion for every account of the file', () => {
    const live = [account('r1'), account('r2')];
    const both: [string, InspectionAction][] = [
      ['r1', 'delete'],
      ['r2', 'delete'],
    ];
    expect(check(live, [['r1', 'delete']], both)).toEqual(['r1 file 2 for 1']);
    expect(check(live, [['r1', 'delete']])).toEqual(['r1 needs_review']);
    expect(
      check(
        live,
        [['r1', 'delete']],
        [
          ['r1', 'delete'],
          ['r2', 'keep'],
        ],
      ),
    ).toEqual(['r1 needs_review']);
    expect(check([account('r1')], [['r1', 'delete']], both)).toEqual(['r1 needs_review']);
  });
});
