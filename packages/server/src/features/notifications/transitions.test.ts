import { describe, expect, test } from 'bun:test';
import type { Condition, SubjectState } from './condition.ts';
import { condition } from './testing.ts';
import { type TransitionRules, transitions } from './transitions.ts';

const RULES: TransitionRules = { first: false, sendRecovered: true, nowMs: 5_000 };

function state(members: Partial<SubjectState> = {}): SubjectState {
  return {
    event: 'account_login',
    condition: condition('a', { sinceMs: 1 }),
    told: 'yes',
    pending: null,
    untilMs: null,
    ...members,
  };
}

const next = (known: readonly SubjectState[], now: readonly Condition[], rules: Partial<TransitionRules> = {}) =>
  transitions(known[0]?.event ?? 'account_login', known, now, { ...RULES, ...rules });

describe('a condition', () => {
  test('that begins is to be told', () => {
    expect(next([], [condition('a')]).put).toMatchObject([{ told: 'no', pending: 'raised', untilMs: null }]);
  });

  test('that held when the target was added is not', () => {
    expect(next([], [condition('a')], { first: true }).put).toMatchObject([{ told: 'silent', pending: null }]);
  });

  test('that goes on changes nothing, however often it is seen', () => {
    expect(next([state()], [condition('a', { sinceMs: 99, facts: { leftPercent: 3 } })])).toEqual({
      put: [],
      remove: [],
    });
  });

  test('is told with its newest facts and its first time', () => {
    const known = state({ told: 'no', pending: 'raised' });
    const { put } = next([known], [condition('a', { sinceMs: 99, facts: { leftPercent: 3 } })]);
    expect(put).toMatchObject([{ condition: { sinceMs: 1, facts: { leftPercent: 3 } }, pending: 'raised' }]);
  });

  test('that was told and ends is told as recovered', () => {
    expect(next([state({ event: 'disk_low' })], []).put).toMatchObject([{ pending: 'recovered', untilMs: 5_000 }]);
  });

  test('that begins again before its end was told is nothing to tell', () => {
    const ended = state({ pending: 'recovered', untilMs: 4_000 });
    expect(next([ended], [condition('a')]).put).toMatchObject([{ told: 'yes', pending: null, untilMs: null }]);
  });

  test('that ends before it was told is told as both', () => {
    const known = state({ event: 'disk_low', told: 'no', pending: 'raised' });
    expect(next([known], []).put).toMatchObject([{ pending: 'passed', untilMs: 5_000 }]);
  });

  test('keeps the time of its end', () => {
    expect(next([state({ pending: 'recovered', untilMs: 4_000 })], [])).toEqual({ put: [], remove: [] });
  });

  test.each([
    ['the target wants no good news', state(), { sendRecovered: false }],
    ['the target never heard of it', state({ told: 'silent' }), {}],
    ['it is an occurrence', state({ event: 'collection_gap' }), {}],
  ])('is forgotten when it ends and %s', (_, known, rules) => {
    expect(next([known], [], rules)).toEqual({ put: [], remove: ['a'] });
  });

  describe('of an account', () => {
    const proof = (sinceMs: number) => condition('a', { sinceMs, over: true });
    const known = state({ condition: condition('a', { sinceMs: 1_000 }) });

    test('that ends is told as recovered where something newer proves it', () => {
      const { put } = next([known], [proof(1_000)]);
      expect(put).toMatchObject([{ pending: 'recovered', untilMs: 5_000 }]);
      // The proof may be removed before the message is sent.
      expect(next(put, [])).toEqual({ put: [], remove: [] });
    });

    test.each([
      ['without a proof', known, []],
      ['with a proof from before', known, [proof(999)]],
      ['with the proof of another one', known, [{ ...proof(2_000), subject: 'b' }]],
      ['untold and without a proof', { ...known, told: 'no', pending: 'raised' } as const, []],
    ])('ends in silence %s', (_, known, conditions) => {
      expect(next([known], conditions)).toEqual({ put: [], remove: ['a'] });
    });

    test('that works and was never told is nothing', () => {
      expect(next([], [proof(1_000)])).toEqual({ put: [], remove: [] });
    });
  });

  describe('that lapsed', () => {
    const budget = (limitUsd: number, lapsed = false) =>
      condition('a', { facts: { limitUsd }, ...(lapsed ? { lapsed: true } : {}) });
    const told = state({ event: 'budget_passed', condition: budget(10) });

    test('and was never told is nothing', () => {
      expect(next([], [budget(10, true)])).toEqual({ put: [], remove: [] });
    });

    test.each([
      ['was told', told],
      ['waits to be told', { ...told, told: 'no', pending: 'raised' } as const],
    ])('and %s stays so', (_, known) => {
      expect(next([known], [budget(10, true)])).toEqual({ put: [], remove: [] });
    });

    test('under a higher limit is over, and may be told again', () => {
      const { put } = next([told], [budget(20, true)]);
      expect(put).toMatchObject([{ pending: 'recovered' }]);
      expect(next(put, [budget(20, true)])).toEqual({ put: [], remove: [] });
    });
  });

  test('that is an occurrence is told although it is old by then', () => {
    const known = state({ event: 'collection_gap', told: 'no', pending: 'raised' });
    expect(next([known], [])).toEqual({ put: [], remove: [] });
  });
});
