import { describe, expect, test } from 'bun:test';
import { readCredentials } from '../credential.ts';
import vectors from '../fixtures/cooldown-vectors.json';
import { resolveStatusTarget } from '../status-scope.ts';
import { automationTarget, type TargetState } from '../target-state.ts';
import { rowOf } from '../testing/cooldowns.ts';
import { nextAttemptMs, pendingOutcome, type RecoveryProgress, recoveryStep } from './recover.ts';
import { COOLDOWN_STATUSES, type CooldownRow, cooldownIdentity } from './row.ts';

test('the fixture has vectors of recoveries', () => {
  expect(vectors.recover.length).toBeGreaterThan(0);
});

interface Surroundings {
  configured?: boolean;
  lock?: string;
  list?: string;
  patch?: string;
  save?: string;
  live: readonly object[];
}

function targetOf(row: CooldownRow, { lock, list, live }: Surroundings): TargetState {
  if (lock === 'cancelled') return 'lock_refused';
  if (list === 'error') return 'unavailable';
  const question = { selector: row.file, authIndex: row.authIndex, identity: cooldownIdentity(row) };
  return automationTarget(resolveStatusTarget(readCredentials(live), question)).state;
}

/** Takes every step and reports what became of the row. */
function recover(row: CooldownRow, surroundings: Surroundings) {
  let progress: RecoveryProgress = {};
  let patches = 0;
  for (;;) {
    const next = recoveryStep(row, surroundings.configured !== false, progress);
    switch (next.step) {
      case 'resolve':
        progress = { ...progress, target: targetOf(row, surroundings) };
        break;
      case 'enable':
        patches += 1;
        progress = { ...progress, enable: surroundings.patch === 'error' ? 'failed' : 'done' };
        break;
      case 'save':
        progress = { ...progress, save: surroundings.save === 'error' ? 'failed' : 'done' };
        break;
      case 'disable_again':
        patches += 1;
        progress = { ...progress, disableAgain: 'done' };
        break;
      case 'wait':
        return { status: 'active', patches, lastError: false };
      case 'recovered':
        return { status: 'recovered', patches, lastError: false };
      case 'retry':
      case 'skip':
        return { status: next.step === 'skip' ? 'skipped' : 'active', patches, lastError: next.lastError !== '' };
    }
  }
}

describe('ending a cooldown', () => {
  for (const { name, row, cooldown, env, expect: expected } of vectors.recover) {
    test(`${row} ${name}`, () => {
      const status = COOLDOWN_STATUSES.find((known) => known === cooldown.status);
      expect<unknown>(recover(rowOf({ ...cooldown, status: status ?? 'active' }), env)).toEqual(expected);
    });
  }

  test('attempts that fail come later and later, and never too late', () => {
    expect([1, 2, 3, 20].map((failed) => nextAttemptMs(failed, 0))).toEqual([15_000, 30_000, 60_000, 900_000]);
  });
});

test('a row that a crash left pending is settled by what the credential is now', () => {
  const outcomes = (['disabled', 'enabled', 'not_found', 'identity_mismatch', 'unavailable', 'ambiguous'] as const).map(
    pendingOutcome,
  );
  expect(outcomes).toEqual(['activate', 'drop', 'drop', 'drop', 'wait', 'wait']);
});
