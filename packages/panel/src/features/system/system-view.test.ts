import { expect, test } from 'bun:test';
import { migrationLabel, migrationTone, modelsByOwner } from './system-view.ts';

const MODELS = [
  { id: 'gpt-5.4', owner: 'openai' },
  { id: 'claude-opus-4-6', owner: 'anthropic' },
  { id: 'gpt-5.3-codex', owner: 'openai' },
  { id: 'gpt-5.4', owner: 'openai' },
  { id: 'local', owner: '' },
];

test('models are listed by owner, each once, those without one last', () => {
  expect(modelsByOwner(MODELS, '')).toEqual([
    { owner: 'anthropic', ids: ['claude-opus-4-6'] },
    { owner: 'openai', ids: ['gpt-5.3-codex', 'gpt-5.4'] },
    { owner: '', ids: ['local'] },
  ]);
});

test('the search covers model and owner, all words', () => {
  expect(modelsByOwner(MODELS, 'OPENAI codex')).toEqual([{ owner: 'openai', ids: ['gpt-5.3-codex'] }]);
  expect(modelsByOwner(MODELS, 'nothing')).toEqual([]);
});

test('a migration status of a later version is no label', () => {
  expect(migrationLabel('applying')).toBe('migration.running');
  expect(migrationLabel('rebalancing')).toBeNull();
  expect(migrationLabel('constructor')).toBeNull();
  expect(['completed', 'failed', 'rebalancing'].map(migrationTone)).toEqual(['okQuiet', 'bad', 'wait']);
});
