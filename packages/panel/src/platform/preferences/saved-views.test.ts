import { describe, expect, test } from 'bun:test';
import { parseViews, withoutView, withView } from './saved-views.ts';

describe('saved views', () => {
  test('belong to a page; the same name replaces', () => {
    const one = withView({}, '/a', { name: ' First ', query: '?x=1' });
    expect(one).toEqual({ '/a': [{ name: 'First', query: '?x=1' }] });
    const two = withView(withView(one, '/a', { name: 'First', query: '?x=2' }), '/b', { name: 'Other', query: '' });
    expect(two['/a']).toEqual([{ name: 'First', query: '?x=2' }]);
    expect(withoutView(two, '/a', 'First')['/a']).toEqual([]);
    expect(two['/b']?.length).toBe(1);
  });

  test('a view without a name is not saved; the oldest of too many is dropped', () => {
    expect(withView({}, '/a', { name: '  ', query: '' })).toEqual({});
    let views = {};
    for (let index = 0; index < 35; index++) views = withView(views, '/a', { name: `view ${index}`, query: '' });
    expect(
      Object.values<readonly { name: string }[]>(views)[0]
        ?.map(({ name }) => name)
        .slice(0, 2),
    ).toEqual(['view 5', 'view 6']);
  });

  test.each([[null], ['text'], [{ '/a': 'text' }], [{ '/a': [{ name: 1, query: '' }, { name: 'x' }, null] }]])(
    'what is stored and no view is dropped: %p',
    (stored) => {
      expect(Object.values(parseViews(stored)).flat()).toEqual([]);
    },
  );
});
