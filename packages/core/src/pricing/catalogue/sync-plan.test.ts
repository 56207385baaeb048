import { describe, expect, test } from 'bun:test';
import type { Catalogue, CatalogueSource } from './catalogue.ts';
import { type ChosenEntry, createSyncPlanner, preservedModels, type SyncPlan } from './sync-plan.ts';

function catalogue(source: CatalogueSource, prompts: Readonly<Record<string, number>>): Catalogue {
  const entries = Object.entries(prompts).map(([id, prompt]) => ({
    id,
    alias: source === 'models.dev' ? id.slice(id.indexOf('/') + 1) : '',
    price: { prompt, completion: 0, cache: 0, source, sourceModelId: id },
  }));
  return { source, entries, skipped: 0, canonicalIds: null };
}

function plan(models: readonly string[] | null, ...catalogues: readonly Catalogue[]) {
  return planWith([], models, ...catalogues);
}

function planWith(
  chosen: readonly ChosenEntry[],
  models: readonly string[] | null,
  ...catalogues: readonly Catalogue[]
) {
  const planner = createSyncPlanner(chosen);
  for (const one of catalogues) planner.add(one);
  const made = planner.plan(models, () => {});
  return {
    matched: made.matched.map(({ model, price }) => `${model} ${price.source} ${price.prompt}`),
    candidates: made.candidates.map(({ model, candidates }) => [model, ...candidates.map((one) => one.sourceModelId)]),
    unmatched: made.unmatched,
    invalid: made.invalid,
  };
}

describe('the plan of a sync', () => {
  test('takes the first source that has a model', () => {
    const made = plan(
      ['a', 'b', 'c'],
      catalogue('models.dev', { 'p/a': 1 }),
      catalogue('litellm', { a: 2, b: 3 }),
      catalogue('openrouter', { 'p/b': 4, 'p/c': 5 }),
    );
    expect(made.matched).toEqual(['a models.dev 1', 'b litellm 3', 'c openrouter 5']);
    expect(made).toMatchObject({ candidates: [], unmatched: [], invalid: 0 });
  });

  test('continues with the next source where one has several matches', () => {
    const made = plan(
      ['chat'],
      catalogue('models.dev', { 'p/chat': 1, 'q/chat': 2 }),
      catalogue('litellm', { chat: 3 }),
    );
    expect(made.matched).toEqual(['chat litellm 3']);
  });

  test('offers candidates of several sources, in their order, and reports unknown models', () => {
    const made = plan(
      ['chat', 'zzzzzz'],
      catalogue('models.dev', { 'p/chat': 1, 'q/chat': 2, 'p/chat-turbo': 9 }),
      catalogue('litellm', { 'chat-pro': 3 }),
    );
    expect(made).toEqual({
      matched: [],
      // With equally good entries, merely similar ones are no candidates.
      candidates: [['chat', 'p/chat', 'q/chat', 'chat-pro']],
      unmatched: ['zzzzzz'],
      invalid: 0,
    });
  });

  test('skips a price that cannot be stored', () => {
    const varies = catalogue('models.dev', { 'p/a': -1, 'p/b': -1 });
    const made = plan(['a', 'b'], varies, catalogue('litellm', { a: 2 }));
    expect(made).toEqual({ matched: ['a litellm 2'], candidates: [], unmatched: ['b'], invalid: 2 });
  });

  test('without a list takes every id, and offers no candidates', () => {
    const made = plan(
      null,
      catalogue('models.dev', { 'p/a': 1, 'q/a': 2, 'p/only': 3 }),
      catalogue('litellm', { a: 4, 'azure/a': 5, own: 6 }),
    );
    expect(made).toEqual({
      matched: ['a litellm 4', 'only models.dev 3', 'azure/a litellm 5', 'own litellm 6'],
      candidates: [],
      unmatched: [],
      invalid: 0,
    });
  });

  test('is complete once every model has a price', () => {
    const planner = createSyncPlanner();
    expect(planner.isComplete(['a'])).toBe(false);
    planner.add(catalogue('models.dev', { 'p/a': 1, 'p/bad': -1 }));
    expect([planner.isComplete(['a']), planner.isComplete(['a', 'b']), planner.isComplete(['bad'])]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('takes the entry that a person chose, and no other', () => {
    const chosen = (source: string, id: string) => [{ model: 'a', source, id }];
    const catalogues = [catalogue('models.dev', { 'p/a': 1, 'q/b': 2 }), catalogue('litellm', { a: 3, 'x/a': 4 })];
    expect(planWith(chosen('litellm', 'x/a'), ['a', 'b'], ...catalogues).matched).toEqual([
      'a litellm 4',
      'b models.dev 2',
    ]);
    expect(planWith(chosen('models.dev', 'q/b'), null, ...catalogues).matched).toContain('a models.dev 2');
    // The entry is gone, or its price varies.
    const none = { matched: [], candidates: [], unmatched: [], invalid: 0 };
    expect(planWith(chosen('litellm', 'y/a'), ['a'], ...catalogues)).toEqual(none);
    expect(planWith(chosen('litellm', 'x/a'), ['a'], catalogue('litellm', { a: 3, 'x/a': -1 }))).toEqual({
      ...none,
      invalid: 1,
    });
  });

  test('is complete only with the chosen entries', () => {
    const planner = createSyncPlanner([{ model: 'a', source: 'litellm', id: 'x/a' }]);
    planner.add(catalogue('models.dev', { 'p/a': 1 }));
    expect(planner.isComplete(['a'])).toBe(false);
    planner.add(catalogue('litellm', { 'x/a': 2 }));
    expect(planner.isComplete(['a'])).toBe(true);
  });

  test('stops when nobody waits for it', () => {
    const stop = () => {
      throw new Error('stopped');
    };
    expect(() => createSyncPlanner().plan(['a'], stop)).toThrow('stopped');
  });
});

describe('a stored price', () => {
  const chosen = (
    source: string | undefined,
    models: readonly string[] | null = null,
  ): Pick<SyncPlan, 'models' | 'matched'> => ({
    models,
    matched: source === undefined ? [] : [{ model: 'm', price: { prompt: 1, completion: 1, cache: 0, source } }],
  });

  test.each([
    ['models.dev', 'models.dev', ['litellm'], false],
    ['models.dev', 'litellm', ['models.dev'], true],
    ['models.dev', 'openrouter', ['models.dev', 'litellm'], true],
    ['models.dev', undefined, ['models.dev'], true],
    // it answered without the model
    ['models.dev', 'litellm', [], false],
    ['models.dev', 'litellm', ['openrouter'], false],
    ['litellm', 'models.dev', ['litellm'], false],
    ['litellm', 'openrouter', ['litellm'], true],
    ['openrouter', 'litellm', ['openrouter'], false],
    ['openrouter', 'a source of its own', ['openrouter'], true],
    ['built-in', 'openrouter', ['models.dev', 'litellm'], false],
    ['sync', 'openrouter', ['models.dev'], false],
    ['', 'openrouter', ['models.dev'], false],
    ['manual', 'models.dev', [], true],
    ['manual', 'openrouter', ['models.dev'], true],
    // nothing would have replaced it
    ['manual', undefined, ['models.dev'], false],
  ])('of %j with a match of %j while %j fail: preserved %p', (source, match, failed, preserved) => {
    expect(preservedModels([{ model: 'm', source, chosenId: '' }], chosen(match), failed)).toEqual(
      preserved ? ['m'] : [],
    );
  });

  test.each([
    ['the chosen entry', 'litellm', 'x/m', false],
    ['another entry', 'litellm', 'm', true],
    ['an entry of a better source', 'models.dev', 'x/m', true],
    ['nothing', undefined, '', true],
  ])('of a chosen entry with a match of %s', (_what, source, sourceModelId, preserved) => {
    const matched =
      source === undefined
        ? []
        : [{ model: 'm', price: { prompt: 1, completion: 1, cache: 0, source, sourceModelId } }];
    const stored = [{ model: 'm', source: 'litellm', chosenId: 'x/m' }];
    expect(preservedModels(stored, { models: ['m'], matched }, [])).toEqual(preserved ? ['m'] : []);
    expect(preservedModels(stored, { models: ['other'], matched: [] }, [])).toEqual([]);
  });

  test('that was not requested is not reported', () => {
    const stored = ['z', 'm', 'a'].map((model) => ({ model, source: 'models.dev', chosenId: '' }));
    expect(preservedModels(stored, chosen(undefined, ['m', 'a']), ['models.dev'])).toEqual(['a', 'm']);
    expect(preservedModels(stored, chosen(undefined), ['models.dev'])).toEqual(['a', 'm', 'z']);
  });
});
