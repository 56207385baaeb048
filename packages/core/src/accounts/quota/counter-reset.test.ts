import { describe, expect, test } from 'bun:test';
import { BOUNDARY_ACCURACIES } from '../../contract/quotas/snapshots.ts';
import vectors from '../fixtures/cooldown-vectors.json';
import { type Boundary, isCounterReset } from './counter-reset.ts';

test('the fixture has vectors of counter resets', () => {
  expect(vectors.counterReset.length).toBeGreaterThan(0);
});

interface BoundaryVector {
  startMs: number;
  endMs: number;
  durationSeconds: number;
  accuracy: string;
}

function boundaryOf(vector: BoundaryVector | null): Boundary | null {
  if (vector === null) return null;
  const accuracy = BOUNDARY_ACCURACIES.find((known) => known === vector.accuracy);
  if (accuracy === undefined) throw new Error(`unknown accuracy ${vector.accuracy}`);
  return { ...vector, accuracy };
}

describe('counter reset', () => {
  for (const {
    name,
    previousPercent,
    currentPercent,
    previousBoundary,
    nextBoundary,
    expect: expected,
  } of vectors.counterReset) {
    test(name, () => {
      const before = boundaryOf(previousBoundary);
      expect(isCounterReset(previousPercent, currentPercent, before, boundaryOf(nextBoundary))).toBe(expected);
    });
  }
});
