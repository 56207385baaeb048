import { expect, test } from 'bun:test';
import type { Evidence } from '../../../platform/accounts/availability.ts';
import { foldedEvidence } from './evidence.ts';

const failure = (atMs: number, change: Partial<Evidence> = {}): Evidence => ({
  source: 'request',
  atMs,
  says: 'failing',
  status: 503,
  text: `upstream is overloaded (request req_${atMs}a)`,
  ...change,
});

test('equal evidence is shown once, with its number and its newest time', () => {
  const works = failure(7, { says: 'works', status: 0, text: '' });
  const folded = foldedEvidence([
    failure(9),
    failure(8),
    works,
    failure(6),
    failure(5, { status: 401, says: 'signIn' }),
  ]);
  expect(folded.map(({ atMs, says, count }) => [atMs, says, count])).toEqual([
    [9, 'failing', 3],
    [7, 'works', 1],
    [5, 'signIn', 1],
  ]);
});

test('different evidence stays separate', () => {
  expect(foldedEvidence([failure(2, { text: 'overloaded' }), failure(1, { text: 'internal error' })])).toHaveLength(2);
});
