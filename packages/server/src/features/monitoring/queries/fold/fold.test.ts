import { describe, expect, test } from 'bun:test';
import { distinctValues, type Identity, type IdentityGroups, newestValues } from './identities.ts';
import { gather, membersOfRows, numberPairs, numberValues } from './numbering.ts';

const NOBODY: Identity = {
  account: '',
  label: '',
  source: '',
  authIndex: '',
  sourceHash: '',
  provider: '',
  file: '',
  project: '',
};

describe('values of a row', () => {
  // Four groups of events by three identities; the first three groups make row 0.
  const groups: IdentityGroups = {
    identities: [
      { ...NOBODY, account: 'ann', label: 'Old' },
      { ...NOBODY, account: 'bob', label: 'New' },
      { ...NOBODY, label: 'Alone' },
    ],
    identityOf: Uint32Array.of(0, 1, 2, 2),
    newestMs: Float64Array.of(5, 5, 9, 1),
    newestId: Float64Array.of(1, 2, 3, 4),
  };
  const rowOf = Uint32Array.of(0, 0, 0, 1);

  test('are those of the newest event that has one, each field on its own', () => {
    expect(newestValues(groups, rowOf, 2, ['account', 'label', 'file'])).toEqual([
      { account: 'bob', label: 'Alone', file: '' },
      { account: '', label: 'Alone', file: '' },
    ]);
  });

  test('are told apart, sorted, and never empty', () => {
    expect(distinctValues(groups, rowOf, 3, 'label')).toEqual([['Alone', 'New', 'Old'], ['Alone'], []]);
    expect(distinctValues(groups, rowOf, 2, 'account')).toEqual([['ann', 'bob'], []]);
  });
});

test('rows are numbered as they are met', () => {
  expect(numberValues(['b', 'a', 'b'])).toEqual({ numbers: Uint32Array.of(0, 1, 0), distinct: ['b', 'a'] });
  const pairs = numberPairs(Uint32Array.of(1, 0, 1), Uint32Array.of(7, 7, 7));
  expect(pairs).toEqual({
    numbers: Uint32Array.of(0, 1, 0),
    count: 2,
    left: Uint32Array.of(1, 0),
    right: Uint32Array.of(7, 7),
  });
  expect(gather(Uint32Array.of(5, 6), Uint32Array.of(1, 1, 0))).toEqual(Uint32Array.of(6, 6, 5));
  expect(membersOfRows(Uint32Array.of(1, 0, 1), 3)).toEqual([[1], [0, 2], []]);
});
