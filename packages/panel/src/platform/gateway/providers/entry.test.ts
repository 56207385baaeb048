import { describe, expect, test } from 'bun:test';
import { callableEntry, comparableEntry, entryId, isEnabled, keysOf, withEnabled, writtenEntry } from './entry.ts';
import { kindOf } from './kinds.ts';

const claude = kindOf('claude');
const openai = kindOf('openai');

describe('a provider key', () => {
  test('is disabled by an exclusion of everything, and has its own exclusions again once enabled', () => {
    const entry = { 'api-key': 'k', 'excluded-models': ['claude-3-*'], note: 'unknown' };
    const off = withEnabled(claude, entry, false);
    expect(off).toEqual({ ...entry, 'excluded-models': ['claude-3-*', '*'] });
    expect([isEnabled(claude, entry), isEnabled(claude, off)]).toEqual([true, false]);
    expect(withEnabled(claude, off, true)).toEqual(entry);
    expect(withEnabled(claude, withEnabled(claude, { 'api-key': 'k' }, false), true)).toEqual({ 'api-key': 'k' });
  });

  test('of the OpenAI kind is disabled by a member of its own', () => {
    expect(withEnabled(openai, { name: 'a' }, false)).toEqual({ name: 'a', disabled: true });
    expect(isEnabled(openai, { name: 'a', disabled: true })).toBe(false);
  });

  test('is named in addresses by a hash, which differs by key and address', () => {
    const ids = [
      entryId(claude, { 'api-key': 'sk-secret' }),
      entryId(claude, { 'api-key': ' sk-secret ' }),
      entryId(claude, { 'api-key': 'sk-secret', 'base-url': 'https://other.test' }),
    ];
    expect(ids[0]).toMatch(/^claude-[0-9a-f]{16}$/);
    expect(ids[0]).toBe(ids[1] as string);
    expect(ids[2]).not.toBe(ids[0] as string);
  });

  test('has one key, or as many as it lists', () => {
    expect(keysOf(claude, { 'api-key': ' k ', weight: 3, 'auth-index': 'ab' })).toEqual([
      { key: 'k', authIndex: 'ab', weight: 3 },
    ]);
    const entry = { name: 'a', 'api-key-entries': [{ 'api-key': 'x', weight: 2 }, { 'api-key': 'y' }] };
    expect(keysOf(openai, entry).map(({ key, weight }) => [key, weight])).toEqual([
      ['x', 2],
      ['y', null],
    ]);
    expect(keysOf(openai, { name: 'a', 'auth-index': 'cd' })).toEqual([{ key: '', authIndex: 'cd', weight: null }]);
  });

  test('is written with unknown members and without what only the gateway sets', () => {
    const entry = {
      name: 'a',
      later: { x: 1 },
      'auth-index': '1',
      'api-key-entries': [{ 'api-key': 'x', 'auth-index': '2' }],
    };
    expect(writtenEntry(entry)).toEqual({ name: 'a', later: { x: 1 }, 'api-key-entries': [{ 'api-key': 'x' }] });
  });

  test('is called through its account only while key and address are the stored ones', () => {
    const stored = { 'api-key': 'k', 'auth-index': 'a' };
    expect(callableEntry(claude, stored, { 'api-key': 'k', prefix: 'p' })['auth-index']).toBe('a');
    for (const edited of [{ 'api-key': 'new' }, { 'api-key': 'k', 'base-url': 'https://x.test' }]) {
      expect(callableEntry(claude, stored, { 'auth-index': 'a', ...edited })).not.toHaveProperty('auth-index');
    }
    const keys = { name: 'n', 'api-key-entries': [{ 'api-key': 'x', 'auth-index': 'b' }] };
    const more = { name: 'n', 'api-key-entries': [{ 'api-key': 'new' }, { 'api-key': 'x' }] };
    expect(keysOf(openai, callableEntry(openai, keys, more)).map(({ authIndex }) => authIndex)).toEqual(['', 'b']);
    expect(callableEntry(openai, null, more)).toEqual(more);
  });

  test('compares equal where a version lists an empty member', () => {
    const listed = {
      'api-key': 'k',
      'proxy-url': '',
      models: null,
      headers: {},
      websockets: false,
      priority: 0,
      'auth-index': '1',
    };
    expect(comparableEntry(listed)).toEqual({ 'api-key': 'k' });
    // These say something.
    const kept = { 'api-key': 'k', 'disable-cooling': false, 'request-retry': 0, weight: 0 };
    expect(comparableEntry(kept)).toEqual(kept);
  });
});
