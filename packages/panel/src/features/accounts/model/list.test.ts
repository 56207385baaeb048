import { describe, expect, test } from 'bun:test';
import { byName } from '../../../platform/accounts/account.ts';
import { createAccountRows } from '../../../platform/accounts/rows.ts';
import { accountsOf, historyOf, NO_SOURCES, NOW, windowOf } from '../../../platform/accounts/testing/accounts.ts';
import { readAccountsSearch } from '../accounts-search.ts';
import { accountList, groupsByTag } from './list.ts';

const rows = createAccountRows()(
  byName(
    accountsOf(
      { email: 'b@example.test', note: 'team one' },
      { email: 'a@example.test', provider: 'claude', disabled: true },
      { email: 'c@example.test', priority: 5 },
    ),
  ),
  {
    ...NO_SOURCES,
    history: new Map([['index-2', historyOf(401)]]),
    windows: new Map([['index-0', [windowOf({ used_percent: 90, plan_type: 'pro' })]]]),
    tags: new Map([['index-2', ['Night']]]),
  },
  NOW,
);
const found = (url: Readonly<Record<string, string>>) => {
  const search = readAccountsSearch(Object.fromEntries(Object.entries(url).map(([name, value]) => [name, [value]])));
  return accountList(rows, search);
};
const names = (url: Readonly<Record<string, string>>) =>
  found(url)
    .rows.map(({ account }) => account.name.charAt(0))
    .join('');

describe('filters', () => {
  test.each([
    [{}, 'cba'],
    [{ search: 'TEAM' }, 'b'],
    [{ search: 'night' }, 'c'],
    [{ search: 'example claude' }, 'a'],
    [{ provider: 'codex' }, 'cb'],
    [{ status: 'risk' }, 'b'],
    [{ status: 'attention' }, 'c'],
    [{ status: 'disabled' }, 'a'],
    [{ quota: 'lt20' }, 'b'],
    [{ quota: 'spent' }, ''],
    [{ operation: 'reauth' }, 'c'],
    [{ operation: 'automation' }, ''],
    [{ plan: 'pro' }, 'b'],
    [{ tag: 'Night' }, 'c'],
  ] as const)('%p', (url, shown) => {
    expect(names(url)).toBe(shown);
  });

  test('count what they would show, each ignoring itself', () => {
    const { providers, ofAllProviders, statuses, ofAllStatuses } = found({ provider: 'claude', status: 'risk' });
    expect([[...providers], ofAllProviders]).toEqual([[['codex', 1]], 1]);
    expect([[...statuses], ofAllStatuses]).toEqual([[['disabled', 1]], 1]);
    expect([found({}).needSignIn, found({ provider: 'claude' }).needSignIn]).toEqual([1, 0]);
  });
});

describe('order', () => {
  test.each([
    [{ sort: 'name' }, 'abc'],
    [{ sort: 'name', direction: 'desc' }, 'cba'],
    [{ sort: 'priority' }, 'cab'],
    [{ sort: 'recent' }, 'cab'],
    [{ sort: 'quota' }, 'bac'],
  ] as const)('%p', (url, shown) => {
    expect(names(url)).toBe(shown);
  });
});

test.each(['quota', 'reset'] as const)(
  '%s: an account of which only windows of models are observed is not among the unobserved',
  (sort) => {
    const ofModel: Parameters<typeof windowOf>[0] = {
      model_scope_kind: 'models',
      model_ids: ['grok-4'],
      model_scope_key: 'grok-4',
    };
    const observed = createAccountRows()(
      byName(
        accountsOf(
          { email: 'a@example.test' },
          { email: 'b@example.test' },
          { email: 'c@example.test' },
          { email: 'd@example.test' },
        ),
      ),
      {
        ...NO_SOURCES,
        windows: new Map([
          // A limit for all models comes before that of one.
          [
            'index-1',
            [windowOf({ used_percent: 60, cycle_end_ms: NOW + 2 }), windowOf({ ...ofModel, used_percent: 100 })],
          ],
          [
            'index-2',
            [
              windowOf({ ...ofModel, used_percent: 10 }),
              windowOf({ ...ofModel, provider_window_id: 'weekly', used_percent: 100, cycle_end_ms: NOW + 1 }),
            ],
          ],
          ['index-3', [windowOf({ ...ofModel, used_percent: 20, cycle_end_ms: NOW + 3, stale: true })]],
        ]),
      },
      NOW,
    );
    for (const [direction, order] of [
      ['asc', 'cbda'],
      ['desc', 'dbca'],
    ]) {
      const { rows: sorted } = accountList(
        observed,
        readAccountsSearch({ sort: [sort], direction: [direction ?? ''] }),
      );
      expect(sorted.map(({ account }) => account.name.charAt(0)).join('')).toBe(order ?? '');
    }
  },
);

test('groups by tag hold an account under each of its tags, and those without one last', () => {
  const tagged = createAccountRows()(
    byName(accountsOf({ email: 'a@example.test' }, { email: 'b@example.test' }, { email: 'c@example.test' })),
    {
      ...NO_SOURCES,
      tags: new Map([
        ['index-1', ['night', 'team']],
        ['index-2', ['night']],
      ]),
    },
    NOW,
  );
  const groups = groupsByTag(tagged).map(({ tag, rows: members }) => [
    tag,
    members.map(({ account }) => account.name.charAt(0)).join(''),
  ]);
  expect(groups).toEqual([
    ['night', 'bc'],
    ['team', 'b'],
    ['', 'a'],
  ]);
});
