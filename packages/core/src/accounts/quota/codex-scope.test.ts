import { describe, expect, test } from 'bun:test';
import { classWithoutLength, durationText, genericWindowId, windowClass } from '../../contract/quotas/window.ts';
import {
  canonicalCodexWindowId,
  codexRequestScope,
  codexScopeOfLimit,
  codexScopeOfWindowId,
  storedCodexScope,
} from './codex-scope.ts';

describe('windows are named by their length', () => {
  test('five hours, a week, a month of 28 to 31 days', () => {
    expect([18_000, 17_999.6, 604_800, 2_419_200, 2_678_400].map(windowClass)).toEqual([
      'five-hour',
      'five-hour',
      'weekly',
      'monthly',
      'monthly',
    ]);
    expect([null, 10_800, 2_419_199, 2_678_401].map(windowClass)).toEqual([null, null, null, null]);
  });

  test('without a length by their slot, monthly for teams', () => {
    expect([classWithoutLength(0, 'team'), classWithoutLength(1, ' Team '), classWithoutLength(1, 'plus')]).toEqual([
      'five-hour',
      'monthly',
      'weekly',
    ]);
  });

  test('any other length by days, hours or seconds', () => {
    expect([172_800, 10_800, 900, 0, null].map(durationText)).toEqual(['2d', '3h', '900s', 'unknown', 'unknown']);
    expect(genericWindowId(172_800, 1, 'packs-0')).toBe('packs-0-window-2d-1');
  });
});

describe('the id of a Codex window', () => {
  for (const [id, kind, canonical] of [
    ['primary', '', 'five-hour'],
    ['secondary', 'weekly', 'weekly'],
    ['secondary', 'monthly', 'monthly'],
    ['gpt-5-3-codex-spark-weekly-0', '', 'spark-weekly-0'],
    ['codex-spark-five-hour-0', '', 'spark-five-hour-0'],
    ['fast-coding-weekly', '', 'spark-weekly'],
    ['sparkling-weekly-0', '', 'sparkling-weekly-0'],
    ['code-review-weekly', '', 'code-review-weekly'],
  ] as const) {
    test(`${id} ${kind} is ${canonical}`, () => {
      expect(canonicalCodexWindowId(id, kind)).toBe(canonical);
    });
  }

  test('gives its scope', () => {
    for (const id of ['five-hour', 'weekly', 'monthly', 'primary', 'secondary', 'window-2d-0']) {
      expect(codexScopeOfWindowId(id).key).toBe('codex_main');
    }
    expect(codexScopeOfWindowId('fast-coding-weekly').models).toEqual(['gpt-5.3-codex-spark']);
    expect(codexScopeOfWindowId('code-review-window-2d-0').key).toBe('code_review');
    expect(codexScopeOfWindowId('request-scope-unknown-weekly-0').key).toBe('request_scope_unknown');
    expect(codexScopeOfWindowId('other-thing-weekly-0').key).toBe('other_thing');
    expect(codexScopeOfWindowId('packs--alpha-use-five-hour-0').key).toBe('alpha_use');
    expect(codexScopeOfWindowId('packs-1-window-2d-0').key).toBe('packs');
  });

  test('keeps an old scope `all` from widening', () => {
    const all = { kind: 'all', complete: true } as const;
    expect(storedCodexScope('spark-weekly-0', all).kind).toBe('models');
    expect(storedCodexScope('weekly', all).key).toBe('codex_main');
  });
});

describe('an additional limit', () => {
  test('is Spark by name or by feature', () => {
    expect(codexScopeOfLimit('Quick lane', 'codex_spark', 'spark').kind).toBe('models');
    expect(codexScopeOfLimit('GPT-5.3-Codex-Spark', 'codex_other', 'spark').kind).toBe('models');
  });
  test('is its feature, else its name', () => {
    expect(codexScopeOfLimit('Packs', 'Alpha-Use', 'packs')).toEqual({
      kind: 'feature',
      key: 'alpha_use',
      complete: false,
    });
    expect(codexScopeOfLimit('Packs', '', 'packs').key).toBe('packs');
    expect(codexScopeOfLimit('', '', 'limit-5h-7d').key).toBe('limit_5h_7d');
  });
});

test('the headers of a request describe the windows of its model', () => {
  const models = { resolvedModel: '', analyticsModel: '', requestedModel: '', model: '' };
  expect(codexRequestScope(models).prefix).toBe('request-scope-unknown');
  expect(codexRequestScope({ ...models, model: 'gpt-5.4' }).scope.key).toBe('codex_main');
  expect(codexRequestScope({ ...models, requestedModel: 'gpt-5.3-codex-spark' }).prefix).toBe('spark');
  expect(codexRequestScope({ ...models, resolvedModel: 'gpt-5.4', requestedModel: 'gpt-5.3-codex-spark' }).prefix).toBe(
    '',
  );
});
