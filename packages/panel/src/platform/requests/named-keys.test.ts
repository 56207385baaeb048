import { describe, expect, test } from 'bun:test';
import { namedKeys } from './named-keys.ts';
import { searchQuery } from './request-filters.ts';

describe('a search for a client key', () => {
  const names = new Map([
    ['aa', 'Team Alpha'],
    ['bb', 'The alphabet'],
    ['cc', 'si…2'],
  ]);
  const keys = new Map([
    ['aa', 'sk-simulated-0001'],
    ['cc', 'sim-client-0002'],
  ]);

  test('finds keys by a part of their name, in whatever case', () => {
    expect(namedKeys('Team Alpha', names, keys)).toEqual([{ hash: 'aa', name: 'Team Alpha' }]);
    expect(namedKeys(' alpha ', names, keys).map(({ hash }) => hash)).toEqual(['aa', 'bb']);
    expect(namedKeys('the', names, keys).map(({ hash }) => hash)).toEqual(['bb']);
    expect(namedKeys('si…2', names, keys).map(({ hash }) => hash)).toEqual(['cc']);
  });

  test('finds one with an alias by its masked key too, and shows its alias', () => {
    expect(namedKeys('sk…01', names, keys)).toEqual([{ hash: 'aa', name: 'Team Alpha' }]);
    expect(namedKeys('simulated', names, keys)).toEqual([]);
    expect(namedKeys('…', names, keys).map(({ hash }) => hash)).toEqual(['cc', 'aa']);
  });

  test('those that begin with the text come first, and no more than there is room for', () => {
    const many = new Map(['my key 1', 'my key 2', 'key 3', 'key 4'].map((name, index) => [String(index), name]));
    expect(namedKeys('key', many, new Map()).map(({ name }) => name)).toEqual(['key 3', 'key 4', 'my key 1']);
  });

  test('finds none by nothing, or by what no name holds', () => {
    expect(namedKeys(' ', names, keys)).toEqual([]);
    expect(namedKeys('gpt', names, keys)).toEqual([]);
  });

  test('is requested without the mark before its hash on screen', () => {
    expect(searchQuery('#a509ed3d')).toBe('a509ed3d');
    expect(searchQuery('#A509')).toBe('A509');
    expect(searchQuery('#general')).toBe('#general');
    expect(searchQuery('issue #12')).toBe('issue #12');
    expect(searchQuery('a509ed3d')).toBe('a509ed3d');
  });
});
