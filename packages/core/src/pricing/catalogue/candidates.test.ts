import { describe, expect, test } from 'bun:test';
import { createCandidateSearch } from './candidates.ts';
import type { Catalogue } from './catalogue.ts';
import { comparedName, compareWith } from './similarity.ts';

const PRICE = { prompt: 1, completion: 1, cache: 0 };

function catalogue(ids: readonly string[], canonicalIds: readonly string[] | null = null): Catalogue {
  const entries = ids.map((id) => ({
    id,
    alias: canonicalIds === null ? '' : id.slice(id.indexOf('/') + 1),
    price: { ...PRICE, sourceModelId: id },
  }));
  return { source: canonicalIds === null ? 'litellm' : 'models.dev', entries, skipped: 0, canonicalIds };
}

describe('the score of two names', () => {
  test.each([
    ['acme/chat', 'acme/chat', 1, 'exact-model-id'],
    ['Acme/Chat', 'acme/chat', 0.98, 'case-insensitive-model-id'],
    ['chat-2', 'acme/chat.2', 0.94, 'same-model-with-provider-prefix'],
    ['chat-2', 'acme/chat-2-turbo', 0.78, 'model-name-contains'],
    ['acme/chat-2-turbo', 'chat-2', 0.78, 'model-name-contains'],
    ['acme/chat', 'acme-chat', 0.78, 'model-name-contains'],
    ['kilo/zulu', 'models/', 0, 'weak-similarity'],
    // words {chat, turbo, pro, x} and {chat, turbo, pro, y}: 3 of 5
    ['chat-turbo-pro-x', 'chat-turbo-pro-y', 0.82 * (1 - 1 / 13), 'shared-model-tokens'],
    // {alpha, beta, gamma} each
    ['alpha-beta-gamma', 'gamma-beta-alpha', 0.86, 'shared-model-tokens'],
    // {alpha, beta, gamma, delta, nu} and the first four with mu: 4 of 6
    ['alpha-beta-gamma-delta-nu', 'mu-delta-gamma-beta-alpha', 0.72, 'shared-model-tokens'],
    // {alpha, beta, gamma, xi} and {gamma, beta, alpha, pi, mu}: 3 of 6
    ['alpha-beta-gamma-xi', 'pi-mu-gamma-beta-alpha', 0.58, 'shared-model-tokens'],
    // one shared family word, J = 1 of 8
    ['qwen-one-two-three', 'vendor-four-five-six-qwen', 0.46, 'same-model-family'],
    ['gemini-one-two-three', 'vendor-four-five-six-gemini', 0.46, 'same-model-family'],
    // a synonym of the same family
    ['mimo-one-two-three', 'vendor-four-five-six-minimax', 0.46, 'same-model-family'],
    ['m25-one-two-three', 'vendor-four-five-six-mimo', 0.46, 'same-model-family'],
    // one of ten letters differs, no common word
    ['abcdefghij', 'abcdefghix', 0.82 * 0.9, 'similar-model-name'],
    // 7 of 10 letters
    ['abcdefghij', 'abcdefgxyz', 0.82 * 0.7, 'similar-model-name'],
    // 6 of 10
    ['abcdefghij', 'abcdefwxyz', 0.82 * 0.6, 'weak-similarity'],
    ['abc', 'xyz', 0, 'weak-similarity'],
  ])('%s and %s: %d, %s', (a, b, score, reason) => {
    const similarity = compareWith(comparedName(a))(comparedName(b));
    expect(similarity.reason).toBe(reason as typeof similarity.reason);
    expect(similarity.score).toBeCloseTo(score, 10);
    const reverse = compareWith(comparedName(b))(comparedName(a));
    expect(reverse.score).toBeCloseTo(score, 10);
  });

  test('the whole names are compared where the last parts differ', () => {
    const compare = (a: string, b: string) => compareWith(comparedName(a))(comparedName(b));
    // A last part without letters is ignored.
    expect(compare('ab/---', 'Ab/+')).toEqual({ score: 0.9, reason: 'normalized-model-name' });
    expect(compare('b/cd', 'a-bc/dz')).toEqual({ score: 0.74, reason: 'normalized-name-contains' });
    expect(compare('a/bcx', 'bc/xy')).toEqual({ score: 0, reason: 'weak-similarity' });
  });

  test.each([
    [['latest', 'preview', 'free', 'models'], []],
    [['gpt4o'], ['gpt4o', 'gpt', '4', 'o']],
    [['mimo'], ['mimo', 'minimax', 'm2', 'm25']],
    [['m25'], ['m25', 'm', '25', 'mimo']],
    [['lite'], ['lite', 'low']],
    [['flashlow'], ['flashlow', 'flashlite']],
  ])('the words %j are %j', (words, expected) => {
    expect([...comparedName(words.join('-')).words].sort()).toEqual([...expected].sort());
  });
});

describe('candidates', () => {
  const idsOf = (source: Catalogue, model: string) =>
    createCandidateSearch(source)(model).map(({ sourceModelId, score, reason }) => [sourceModelId, score, reason]);

  test('are sorted by score, then id, without weak ones', () => {
    const source = catalogue(['z/chat-2', 'a/chat-2', 'chat-2-turbo', 'unrelated', 'chet-2']);
    expect(idsOf(source, 'chat-2')).toEqual([
      ['a/chat-2', 0.94, 'same-model-with-provider-prefix'],
      ['z/chat-2', 0.94, 'same-model-with-provider-prefix'],
      ['chat-2-turbo', 0.78, 'model-name-contains'],
      ['chet-2', 0.66, 'similar-model-name'],
    ]);
  });

  test('outside a family need 0.55', () => {
    // 14 and 13 of 20 letters: 0.574 and 0.533.
    const source = catalogue(['abcdefghijklmn######', 'abcdefghijklm#######'].map((id) => id.replaceAll('#', 'z')));
    expect(idsOf(source, 'abcdefghijklmnopqrst').map(([id, score]) => [id, score])).toEqual([
      ['abcdefghijklmnzzzzzz', 0.57],
    ]);
  });

  test('of a family need less', () => {
    const source = catalogue(['vendor-four-five-six-qwen', 'vendor-four-five-six-llama']);
    expect(idsOf(source, 'qwen-one-two-three')).toEqual([['vendor-four-five-six-qwen', 0.46, 'same-model-family']]);
    expect(idsOf(source, 'llama-one-two-three')).toEqual([]);
  });

  test('of makers come before those of resellers', () => {
    const source = catalogue(['shop/chat-2', 'acme/chat-2-turbo'], ['acme/chat-2-turbo']);
    expect(idsOf(source, 'chat-2')).toEqual([
      ['acme/chat-2-turbo', 0.78, 'model-name-contains'],
      ['shop/chat-2', 0.94, 'same-model-with-provider-prefix'],
    ]);
  });

  test('matched without the provider are never certain', () => {
    expect(idsOf(catalogue(['shop/acme/chat'], ['x/y']), 'acme/chat')).toEqual([
      ['shop/acme/chat', 0.94, 'same-model-with-provider-prefix'],
    ]);
    expect(idsOf(catalogue(['shop/-'], ['x/y']), '-')).toEqual([['shop/-', 0.94, 'exact-model-id']]);
  });

  test('are at most eight per source', () => {
    const source = catalogue(Array.from({ length: 20 }, (_, index) => `p${String(index).padStart(2, '0')}/chat`));
    expect(idsOf(source, 'chat').map(([id]) => id)).toEqual(Array.from({ length: 8 }, (_, index) => `p0${index}/chat`));
  });

  test('are never prices that cannot be saved', () => {
    const source: Catalogue = {
      ...catalogue([]),
      entries: [{ id: 'a/chat', alias: '', price: { ...PRICE, prompt: -1_000_000 } }],
    };
    expect(idsOf(source, 'chat')).toEqual([]);
  });

  test('can be limited to some entries', () => {
    const source = catalogue(['a/chat', 'b/chat', 'chat-2']);
    expect(createCandidateSearch(source)('chat', source.entries.slice(1, 2))).toEqual([
      {
        sourceModelId: 'b/chat',
        score: 0.94,
        reason: 'same-model-with-provider-prefix',
        price: { ...PRICE, sourceModelId: 'b/chat' },
      },
    ]);
  });
});
