import { describe, expect, test } from 'bun:test';
import vectors from '../fixtures/cooldown-vectors.json';
import { mergedEvidence, shownEvidence } from './evidence.ts';

test('the fixture has vectors of merged and of shown evidence', () => {
  expect(vectors.evidenceMerge.length).toBeGreaterThan(0);
  expect(vectors.list.length).toBeGreaterThan(0);
});

describe('merged evidence', () => {
  for (const { name, winner, other, recoverAtMs, expect: expected } of vectors.evidenceMerge) {
    test(name, () => {
      expect<unknown>(mergedEvidence(winner, other, recoverAtMs)).toEqual(expected);
    });
  }

  test('an estimated time stays an estimate', () => {
    const other = { provider: 'xai', recover_at_ms: 1_700_072_000_000, recover_at_estimated: true };
    expect(mergedEvidence({ provider: 'xai' }, other, 1_700_072_000_000).recover_at_estimated).toBe(true);
  });
});

describe('shown evidence', () => {
  for (const vector of vectors.list) {
    test(vector.name, () => {
      const text = vector.storedText ?? JSON.stringify(vector.storedEvidence);
      expect<unknown>(shownEvidence(text, vector.recoverAtMs)).toEqual(vector.expect);
    });
  }
});
