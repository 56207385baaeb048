import { describe, expect, test } from 'bun:test';
import {
  conditionsOf,
  isIncomplete,
  modelsOf,
  newRule,
  paramsKind,
  paramsOf,
  readRules,
  withConditions,
  withEntry,
  withMember,
  withParams,
} from './payload-rules.ts';

const RULE = {
  models: [{ name: 'gpt-*', protocol: 'codex', headers: { 'x-a': '1' } }],
  params: { 'a.b': 1, c: '1' },
  later: true,
};

describe('payload rules', () => {
  test.each([
    ['payload.default', 'values'],
    ['payload.override-raw', 'raw'],
    ['payload.filter', 'paths'],
    ['plugins.configs', null],
  ] as const)('%s holds %s', (id, kind) => expect(paramsKind(id)).toBe(kind));

  test.each([
    [undefined, 'values', []],
    [[RULE], 'values', [RULE]],
    [[{ ...RULE, params: ['a'] }], 'values', null],
    [[{ ...RULE, params: ['a'] }], 'paths', [{ ...RULE, params: ['a'] }]],
    [[{ ...RULE, params: { a: 1 } }], 'raw', null],
    [['text'], 'values', null],
    [{ models: [] }, 'values', null],
    [[{ models: 'x' }], 'values', null],
  ] as const)('%j as %s is %j', (value, kind, rules) => {
    expect(readRules(value as never, kind)).toEqual(rules as never);
  });

  test('keep what they do not show, and the types of values', () => {
    const changed = withParams(RULE, [...paramsOf(RULE), { path: 'd', value: [true, null] }], 'values');
    expect(changed).toEqual({ ...RULE, params: { 'a.b': 1, c: '1', d: [true, null] } });
    const [model] = modelsOf(RULE);
    expect(withMember(model ?? {}, 'protocol', '')).toEqual({ name: 'gpt-*', headers: { 'x-a': '1' } });
    expect(conditionsOf(model ?? {})).toEqual({ headers: { 'x-a': '1' } });
    expect(withConditions(model ?? {}, { exist: ['a'] })).toEqual({ name: 'gpt-*', protocol: 'codex', exist: ['a'] });
    expect(withParams(newRule('paths'), [{ path: 'a', value: null }], 'paths')).toMatchObject({ params: ['a'] });
  });

  test('are incomplete without a model or a path', () => {
    expect(isIncomplete([RULE])).toBe(false);
    expect(isIncomplete([RULE, newRule('values')])).toBe(true);
    expect(isIncomplete([withParams(RULE, [], 'values')])).toBe(true);
    expect(isIncomplete([{ ...RULE, models: [] }])).toBe(true);
  });

  test('lists change one entry', () => {
    expect(withEntry(['a', 'b', 'c'], 1, 'B')).toEqual(['a', 'B', 'c']);
    expect(withEntry(['a', 'b', 'c'], 1, undefined)).toEqual(['a', 'c']);
  });
});
