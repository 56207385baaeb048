import { describe, expect, test } from 'bun:test';
import { readAccounts } from '../../../platform/accounts/account.ts';
import { kindOf } from '../../../platform/gateway/providers/kinds.ts';
import { type Reason, resolveModel, type Sources } from './resolve.ts';
import { aliasProblems, excludedBy, matchesPattern, unmatched, withExcluded } from './rules.ts';

describe('exclusions', () => {
  test('match whole names without case, * any text', () => {
    expect(matchesPattern('claude-3*', 'Claude-3-opus')).toBe(true);
    expect(matchesPattern('claude-3', 'claude-3-opus')).toBe(false);
    expect(matchesPattern('*mini*', 'gpt-5-mini-low')).toBe(true);
    // Nothing but * is special.
    expect(matchesPattern('gpt-5.1', 'gpt-5x1')).toBe(false);
    expect(excludedBy(['a', '*'], 'b')).toBe('*');
    expect(excludedBy([], 'b')).toBeNull();
  });

  test('that match no known model are found', () => {
    expect(unmatched(['GPT-5', 'gpt-9', '*mini', 'x*'], ['gpt-5', 'gpt-5-mini'])).toEqual(['gpt-9', 'x*']);
  });

  test('are picked and unpicked by name; patterns and rules of another form stay', () => {
    expect(withExcluded(['gpt-*'], 'o3', true)).toEqual(['gpt-*', 'o3']);
    expect(withExcluded(['gpt-*', 'O3 ', 7], 'o3', false)).toEqual(['gpt-*', 7]);
  });
});

describe('aliases', () => {
  test('need both names, which differ, and an alias stands for one model', () => {
    const rows = [
      { name: 'a', alias: 'x' },
      { name: 'a', alias: 'y' },
      { name: 'b', alias: 'X' },
      { name: 'c', alias: 'C' },
      { alias: 'z' },
      { name: 'd' },
    ];
    expect(aliasProblems(rows)).toEqual([
      { path: '2.alias', text: 'modelRules.aliasTaken' },
      { path: '3.alias', text: 'modelRules.aliasSame' },
      { path: '4.name', text: 'modelRules.nameNeeded' },
      { path: '5.alias', text: 'modelRules.aliasNeeded' },
    ]);
  });
});

describe('who serves a model', () => {
  const accounts = readAccounts({
    files: [
      { name: 'one.json', provider: 'claude', type: 'claude', auth_index: '1', priority: 2 },
      { name: 'two.json', provider: 'claude', type: 'claude', auth_index: '2', disabled: true },
      { name: 'three.json', provider: 'claude', type: 'claude', auth_index: '3', unavailable: true },
      { name: 'four.json', provider: 'codex', type: 'codex', auth_index: '4', priority: 9 },
    ],
  });
  const key = { id: 'key', kind: kindOf('claude'), name: 'sk…', entry: { 'api-key': 'k', priority: 5 } };
  const sources: Sources = {
    accounts,
    nameOf: ({ listed }) => listed.name,
    keys: [key],
    excluded: new Map([['claude', ['claude-2*']]]),
    aliases: new Map([
      [
        'claude',
        [
          { name: 'opus-4', alias: 'big' },
          { name: 'sonnet-4', alias: 'mid', fork: true },
        ],
      ],
    ]),
    known: new Map([
      ['claude', ['opus-4', 'sonnet-4', 'claude-2.1']],
      ['codex', ['gpt-5']],
    ]),
    forcePrefix: false,
  };
  const resolved = (asked: string, more: Partial<Sources> = {}) =>
    resolveModel(asked, { ...sources, ...more }).map(({ id, model, reason }) => [id, model ?? (reason as Reason).kind]);

  test('comes in the order of use, under the name at the provider, and with the reason of the others', () => {
    expect(resolved('BIG')).toEqual([
      ['1', 'opus-4'],
      ['2', 'disabled'],
      ['3', 'unavailable'],
      ['4', 'unlisted'],
      ['key', 'unlisted'],
    ]);
    // Nobody is disabled for a model it does not offer.
    expect(resolved('gpt-5').map(([, what]) => what)).toEqual([
      'gpt-5',
      'unlisted',
      'unlisted',
      'unlisted',
      'unlisted',
    ]);
    expect(resolved('sonnet-4').slice(0, 2)).toEqual([
      ['key', 'sonnet-4'],
      ['1', 'sonnet-4'],
    ]);
    expect(resolved('opus-4').slice(0, 2)).toEqual([
      ['key', 'opus-4'],
      ['1', 'renamed'],
    ]);
    expect(resolved('claude-2.1').slice(0, 2)).toEqual([
      ['key', 'claude-2.1'],
      ['1', 'excluded'],
    ]);
  });

  test('is unknown where the models of a provider could not be read', () => {
    expect(resolved('gpt-5', { known: new Map() }).find(([id]) => id === '4')).toEqual(['4', 'unknown']);
  });

  test('of provider keys follows their own models, exclusions, prefix and switch', () => {
    const of = (entry: Record<string, unknown>, asked: string, forcePrefix = false) => {
      const keys = [{ ...key, entry: { 'api-key': 'k', ...entry } }];
      return resolveModel(asked, { ...sources, accounts: [], keys, forcePrefix }).map(
        ({ model, reason }) => model ?? reason?.kind,
      )[0];
    };
    const models = [{ name: 'up', alias: 'down' }];
    expect(of({ models }, 'down')).toBe('up');
    expect(of({ models }, 'up')).toBe('renamed');
    expect(of({ models }, 'opus-4')).toBe('unlisted');
    expect(of({ models, 'excluded-models': ['do*'] }, 'down')).toBe('excluded');
    expect(of({ models, 'excluded-models': ['*'] }, 'down')).toBe('disabled');
    expect(of({ prefix: 'team' }, 'team/opus-4')).toBe('opus-4');
    expect(of({ prefix: 'team' }, 'opus-4')).toBe('opus-4');
    expect(of({ prefix: 'team' }, 'opus-4', true)).toBe('prefix');
  });
});
