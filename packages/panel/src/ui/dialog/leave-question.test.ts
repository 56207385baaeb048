import { describe, expect, test } from 'bun:test';
import { keepsForm } from './leave-question.tsx';

describe('where a form is still there', () => {
  const now = { pathname: '/model-prices', search: { model: ['a'], filter: ['saved'] } };

  test('on its own page, whatever else changes in the address', () => {
    expect(keepsForm(now, { pathname: '/model-prices', search: { model: ['a'], filter: ['all'] } }, ['model'])).toBe(
      true,
    );
    expect(keepsForm(now, { pathname: '/model-prices', search: {} }, [])).toBe(true);
  });

  test('not about something else, and not on another page', () => {
    expect(keepsForm(now, { pathname: '/model-prices', search: { model: ['b'] } }, ['model'])).toBe(false);
    expect(keepsForm(now, { pathname: '/model-prices', search: {} }, ['model'])).toBe(false);
    expect(keepsForm(now, { pathname: '/settings', search: now.search }, ['model'])).toBe(false);
  });
});
