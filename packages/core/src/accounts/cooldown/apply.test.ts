import { describe, expect, test } from 'bun:test';
import vectors from '../fixtures/cooldown-vectors.json';
import { resolveStatusTarget } from '../status-scope.ts';
import { candidateOf, rowOf, targetOf } from '../testing/cooldowns.ts';
import { readAccounts } from '../testing/listed-accounts.ts';
import { applyDecision } from './apply.ts';
import { cooldownIdentity } from './row.ts';

test('the fixture has vectors of applied cooldowns', () => {
  expect(vectors.apply.length).toBeGreaterThan(0);
});

describe('applying a cooldown', () => {
  for (const { name, nowMs, candidate: given, live, activeRows, expect: expected } of vectors.apply) {
    test(name, () => {
      const candidate = candidateOf(given);
      const question = {
        selector: candidate.file,
        authIndex: candidate.authIndex,
        identity: cooldownIdentity(candidate),
      };
      const target = targetOf(resolveStatusTarget(readAccounts(live), question));
      const rows = activeRows.map((row, index) => rowOf({ ...row, id: index + 1 }));
      const decision = applyDecision(candidate, target, rows, nowMs);
      if (expected.result === 'skip' || decision.kind === 'skip') {
        expect(decision.kind).toBe('skip');
        expect(expected.result).toBe('skip');
        return;
      }
      const result = decision.kind === 'disable' ? 'disabled' : 'extended';
      const patches = decision.kind === 'disable' ? 1 : 0;
      expect<unknown>({ result, patches }).toEqual({ result: expected.result, patches: expected.patches });
      expect<object>(decision.row).toMatchObject(expected.row ?? {});
      expect(decision.row.preDisabledState).toBe(false);
    });
  }

  const T0 = 1_700_000_000_000;
  const candidate = candidateOf({
    file: 'xai-a.json',
    authIndex: 'ix-9',
    provider: 'xai',
    accountSnapshot: 'x@example.test',
    owner: 'manager_xai_free_usage',
    reasonCode: 'xai_free_usage_exhausted',
    windowKind: 'rolling_24h',
    recoverAtMs: T0 + 21_600_000,
    eventHash: 'e2',
  });
  const live = (disabled: boolean) => {
    const [account] = readAccounts([
      {
        id: 'xai-a.json',
        name: 'xai-a.json',
        auth_index: 'ix-9',
        provider: 'xai',
        account: 'x@example.test',
        disabled,
      },
    ]);
    if (account === undefined) throw new Error('an entry expected');
    return { state: disabled ? ('disabled' as const) : ('enabled' as const), listed: account };
  };

  test('the worked example: an earlier end does not shorten the cooldown', () => {
    const day = T0 + 86_400_000;
    const evidence = { provider: 'xai', code: 'subscription:free-usage-exhausted' };
    const first = rowOf({
      ...candidate,
      id: 4,
      recoverAtMs: day,
      evidence: { ...evidence, actual: 2_033_137, limit: 2_000_000, recover_at_ms: day, recover_at_estimated: true },
      disabledAtMs: T0,
    });
    const second = { ...candidate, evidence: { ...evidence, recover_at_ms: candidate.recoverAtMs } };
    expect(applyDecision(second, live(true), [first], T0 + 7_200_000)).toMatchObject({
      kind: 'extend',
      id: 4,
      row: {
        recoverAtMs: day,
        disabledAtMs: T0,
        evidence: { actual: 2_033_137, recover_at_ms: day, recover_at_estimated: true },
      },
    });
  });

  test('an account that was enabled meanwhile is disabled again until the later of both ends', () => {
    const row = rowOf({ ...candidate, id: 7, recoverAtMs: T0 + 1_000, disabledAtMs: T0 - 5_000 });
    expect(applyDecision(candidate, live(false), [row], T0)).toMatchObject({
      kind: 'disable',
      row: { disabledAtMs: T0, recoverAtMs: candidate.recoverAtMs },
    });
  });

  test('two rows that claim the account are a conflict', () => {
    const rows = [rowOf({ ...candidate, id: 1 }), rowOf({ ...candidate, id: 2, authIndex: '' })];
    expect(applyDecision(candidate, live(true), rows, T0)).toEqual({ kind: 'skip', reason: 'conflict' });
  });
});
