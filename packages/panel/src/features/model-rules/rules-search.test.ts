import { expect, test } from 'bun:test';
import { RULES_ADDRESS } from './rules-search.ts';

test('the address names the model, and never a key or a person', () => {
  const search = RULES_ADDRESS.read({});
  const address = (model: string) => RULES_ADDRESS.write({ ...search, model }, { model: ['before'] });
  expect(address('claude-opus-9')).toEqual({ model: ['claude-opus-9'] });
  for (const text of ['sk-marker-secret', 'one@example.test', 'Xy12'.repeat(8)]) expect(address(text)).toEqual({});
});
