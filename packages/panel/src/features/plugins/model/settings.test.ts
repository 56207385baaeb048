import { describe, expect, test } from 'bun:test';
import type { PluginField } from './plugin.ts';
import { draftOf, isSecretSetting, textOf, typeInto } from './settings.ts';

const field = (type: PluginField['type'], name = 'x'): PluginField => ({ name, type, choices: [], description: '' });

describe('typing into a setting', () => {
  test.each([
    ['string', ' a ', ' a '],
    ['enum', 'fast', 'fast'],
    ['number', '-1.5', -1.5],
    ['integer', '3', 3],
    ['boolean', 'false', false],
    ['array', '[1, "a"]', [1, 'a']],
    ['object', '{"a": {"b": null}}', { a: { b: null } }],
  ] as const)('%s: %p is %p', (type, typed, value) => {
    const draft = typeInto(draftOf({ other: 1 }), field(type), typed);
    expect(draft).toEqual({ settings: { other: 1, x: value }, unfinished: {} });
    expect(typeInto(draft, field(type), textOf(draft, field(type)))).toEqual(draft);
  });

  test.each([
    ['number', '1x'],
    ['integer', '1.5'],
    ['integer', '9007199254740993'],
    ['array', '{}'],
    ['object', '[1]'],
    ['object', '{"a"'],
  ] as const)('%s: %p is unfinished, and the stored value stays', (type, typed) => {
    const draft = typeInto(draftOf({ x: 'kept' }), field(type), typed);
    expect(draft).toEqual({ settings: { x: 'kept' }, unfinished: { x: typed } });
    expect(textOf(draft, field(type))).toBe(typed);
  });

  test('nothing removes the setting, and what was unfinished', () => {
    const unfinished = typeInto(draftOf({ x: 1, y: 2 }), field('integer'), '1.');
    expect(typeInto(typeInto(unfinished, field('integer'), 'z'), field('integer'), ' ')).toEqual(draftOf({ y: 2 }));
  });
});

test('secrets inside JSON are placeholders, and come back with what is typed around them', () => {
  const tokens = field('array', 'tokens');
  const draft = draftOf({ tokens: ['tok-0123456789abcdef', 'tok-9876543210fedcba'], servers: {} });
  const text = textOf(draft, tokens);
  expect(text).toBe('["<tok…ef>","<tok…ba>"]');
  expect(typeInto(draft, tokens, text)).toEqual(draft);
  expect(typeInto(draft, tokens, '["<tok…ba>", "new"]').settings.tokens).toEqual(['tok-9876543210fedcba', 'new']);
  // While it is no JSON, the stored value keeps the placeholders' secrets.
  const broken = typeInto(draft, tokens, '["<tok…ef>"');
  expect(typeInto(broken, tokens, '["<tok…ef>"]').settings.tokens).toEqual(['tok-0123456789abcdef']);
  const servers = field('object', 'servers');
  const nested = draftOf({ servers: { a: { api_key: 'key-0123456789abcdef', url: 'https://a.test' } } });
  expect(textOf(nested, servers)).toBe('{"a":{"api_key":"<key…ef>","url":"https://a.test"}}');
  expect(typeInto(nested, servers, textOf(nested, servers))).toEqual(nested);
});

test('the switch is no setting', () => {
  expect(draftOf({ enabled: true, mode: 'safe' }).settings).toEqual({ mode: 'safe' });
});

test.each([
  ['api_token', '', true],
  ['X-Any', 'headers', true],
  ['value', 'credentials', true],
  ['mode', '', false],
])('the setting %s of %p is a secret: %p', (name, parent, secret) => {
  expect(isSecretSetting(name, parent)).toBe(secret);
});
