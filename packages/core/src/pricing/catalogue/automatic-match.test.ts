import { describe, expect, test } from 'bun:test';
import { createFinder } from './automatic-match.ts';
import type { Catalogue } from './catalogue.ts';
import { canonicalName, tailName } from './names.ts';

function catalogue(ids: readonly string[], canonicalIds: readonly string[] | null = null): Catalogue {
  const aliased = canonicalIds !== null || ids.some((id) => id.startsWith('dev:'));
  const entries = ids.map((text) => {
    const id = text.replace(/^dev:/, '');
    const alias = aliased ? id.slice(id.indexOf('/') + 1) : '';
    return { id, alias, price: { prompt: 1, completion: 1, cache: 0 } };
  });
  return { source: aliased ? 'models.dev' : 'litellm', entries, skipped: 0, canonicalIds };
}

/** The id of the match, the ids of several equal matches, or null. */
function find(source: Catalogue, model: string): string | readonly string[] {
  const finding = createFinder(source)(model);
  if (finding.kind === 'match') return finding.entry.id;
  return finding.kind === 'several' ? finding.entries.map(({ id }) => id) : [];
}

test.each([
  ['GPT-5.4', 'gpt54', 'gpt54'],
  ['models/gemini-3', 'gemini3', 'gemini3'],
  ['acme/Chat_2/models', 'acmechat2', 'chat2'],
  ['acme/chat/', 'acmechat', 'chat'],
  ['a/models/b', 'ab', 'b'],
  ['---', '', ''],
])('%s is %s, and its last part %s', (text, canonical, tail) => {
  expect([canonicalName(text), tailName(text)]).toEqual([canonical, tail]);
});

describe('automatic match', () => {
  test.each([
    // 1: the exact id
    ['m-1', ['m-1', 'M-1', 'p/m-1'], 'm-1'],
    // 2: ignoring case
    ['m-1', ['M-1', 'p/m-1'], 'M-1'],
    ['m-x', ['M-X', 'm-X'], ['M-X', 'm-X']],
    // 3: without the provider
    ['m-1', ['dev:p/m-1', 'dev:p/M-1'], 'p/m-1'],
    ['m-1', ['dev:p/m-1', 'dev:q/m-1'], ['p/m-1', 'q/m-1']],
    ['q/m-1', ['dev:p/q/m-1', 'dev:r/m-1'], 'p/q/m-1'],
    // 4: without the provider, ignoring case
    ['m-a', ['dev:p/M-A', 'dev:p/q/m-a'], 'p/M-A'],
    // 5: last part, ignoring spelling
    ['x/m-1', ['p/m_1', 'p/m-12'], 'p/m_1'],
    ['m-1', ['p/m.1', 'q/m-1'], ['p/m.1', 'q/m-1']],
    ['models/m-1', ['p/m1'], 'p/m1'],
    // 6: the whole id, ignoring spelling
    ['acme chat/2', ['acme/chat-2x', 'acme-chat 2'], 'acme-chat 2'],
    // similar is not equal
    ['m-1', ['m-12', 'm-2'], []],
    ['---', ['+++'], []],
  ])('of %s in %j is %j', (model, ids, expected) => {
    expect(find(catalogue(ids), model)).toEqual(expected);
  });

  const IDS = ['acme/chat', 'shop/chat', 'shop/acme/chat', 'shop/other', 'maker/two', 'shop/two', 'shop/Case'];
  const CANONICAL = ['acme/chat', 'maker/two', 'rival/two', 'lab/solo', 'acme/deep/er', 'ACME/Loud'];
  test.each([
    ['acme/chat', 'acme/chat'],
    ['ACME/Chat', 'acme/chat'],
    ['chat', 'acme/chat'],
    ['Chat', 'acme/chat'],
    // the last part of two canonical ids
    ['two', []],
    ['maker/two', 'maker/two'],
    // canonical, but unpriced
    ['solo', []],
    ['lab/solo', []],
    // with its provider, exactly
    ['shop/other', 'shop/other'],
    ['Shop/Other', 'shop/other'],
    ['shop/case', 'shop/Case'],
    // resellers do not count otherwise
    ['other', []],
    ['x/chat', []],
    ['acme-chat', []],
    ['loud', 'acme/loud'],
  ])('where canonical ids are known, of %s is %j', (model, expected) => {
    expect(find(catalogue([...IDS, 'acme/loud'], CANONICAL), model)).toEqual(expected);
  });

  test('a canonical id with two prices that differ only in case is no match, unless it is named exactly', () => {
    const source = catalogue(['acme/chat', 'Acme/chat'], ['acme/chat']);
    expect(find(source, 'chat')).toEqual(['acme/chat', 'Acme/chat']);
    expect(find(source, 'Acme/chat')).toBe('Acme/chat');
    expect(find(source, 'ACME/chat')).toEqual(['acme/chat', 'Acme/chat']);
  });
});
