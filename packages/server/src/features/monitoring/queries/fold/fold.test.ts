import { describe, expect, test } from 'bun:test';
import type { Identity } from '../../../../facts/answers/identity-columns.ts';
import { fragment } from '../json/json-writer.ts';
import { distinctValues, type IdentityGroups, newestValues, shownValues, textsOf } from './identities.ts';
import { gather, membersOf, membersOfRows, numberPairs, numberValues } from './numbering.ts';

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

  test('come from the newest event that has one, per field', () => {
    expect(newestValues(groups, rowOf, 2, ['account', 'label', 'file'])).toEqual([
      { account: 'bob', label: 'Alone', file: '' },
      { account: '', label: 'Alone', file: '' },
    ]);
  });

  test('are distinct, sorted, and never empty', () => {
    const textsOfRows = (rows: number, field: 'label' | 'account') => {
      const values = distinctValues(groups, rowOf, rows, field);
      return Array.from({ length: rows }, (_, row) => textsOf(values, row));
    };
    expect(textsOfRows(3, 'label')).toEqual([['Alone', 'New', 'Old'], ['Alone'], []]);
    expect(textsOfRows(2, 'account')).toEqual([['ann', 'bob'], []]);
  });

  test('are serialized once for all rows of one identity', () => {
    // Rows: of several identities, twice of the third alone, of none.
    const rows = Uint32Array.of(0, 0, 1, 2);
    const made: number[] = [];
    const shown = shownValues(groups, rows, 4, ['account', 'label'], (values, row) => {
      made.push(row);
      return fragment(JSON.stringify(values));
    });
    const texts = [0, 1, 2, 3].map((row) => JSON.parse(new TextDecoder().decode(shown(row))));
    expect(texts).toEqual([
      { account: 'bob', label: 'New' },
      { account: '', label: 'Alone' },
      { account: '', label: 'Alone' },
      { account: '', label: '' },
    ]);
    expect(made).toEqual([0, 1, 3]);
  });

  test('from several identities are combined per row', () => {
    const shown = shownValues(groups, rowOf, 2, ['account', 'label'], (values) => fragment(JSON.stringify(values)));
    expect(JSON.parse(new TextDecoder().decode(shown(0)))).toEqual({ account: 'bob', label: 'Alone' });
    expect(JSON.parse(new TextDecoder().decode(shown(1)))).toEqual({ account: '', label: 'Alone' });
  });
});

test('rows are numbered in order of appearance', () => {
  expect(numberValues(['b', 'a', 'b'])).toEqual({ numbers: Uint32Array.of(0, 1, 0), distinct: ['b', 'a'] });
  const pairs = numberPairs(Uint32Array.of(1, 0, 1), Uint32Array.of(7, 7, 7));
  expect(pairs).toEqual({
    numbers: Uint32Array.of(0, 1, 0),
    count: 2,
    left: Uint32Array.of(1, 0),
    right: Uint32Array.of(7, 7),
  });
  expect(gather(Uint32Array.of(5, 6), Uint32Array.of(1, 1, 0))).toEqual(Uint32Array.of(6, 6, 5));
  const members = membersOfRows(Uint32Array.of(1, 0, 1), 3);
  expect([0, 1, 2].map((row) => [...membersOf(members, row)])).toEqual([[1], [0, 2], []]);
});
