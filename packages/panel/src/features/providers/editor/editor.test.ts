import { describe, expect, test } from 'bun:test';
import { hideSecrets, revealSecrets } from '../../../platform/format/hidden-json.ts';
import { type Entry, isEntrySecret, writtenEntry } from '../../../platform/gateway/providers/entry.ts';
import { KINDS, type KindId, kindOf } from '../../../platform/gateway/providers/kinds.ts';
import type { Field } from '../../../ui/forms/fields.ts';
import { draftOf, entryOf } from './draft.ts';
import { fieldGroups } from './fields.ts';
import { problemsOf } from './problems.ts';

const allFields = (id: KindId): readonly Field[] => fieldGroups(kindOf(id)).flatMap(({ fields }) => fields);

describe('the fields of an entry', () => {
  test('are all documented ones of its list', () => {
    const every = ['base-url', 'headers', 'priority', 'prefix', 'models', 'disable-cooling', 'request-retry'];
    const keyed = [...every, 'api-key', 'proxy-url', 'weight', 'excluded-models'];
    const errors = 'request-scoped-errors';
    const expected: Record<KindId, readonly string[]> = {
      gemini: [...keyed, errors],
      interactions: [...keyed, errors],
      codex: [...keyed, errors, 'websockets', 'alpha-search'],
      xai: [...keyed, errors, 'websockets'],
      claude: [
        ...keyed,
        errors,
        'cloak',
        'fingerprint-profile',
        'rebuild-mid-system-message',
        'experimental-cch-signing',
      ],
      vertex: keyed,
      openai: [...every, errors, 'name', 'api-key-entries', 'support-prompt-cache-key'],
    };
    for (const { id } of KINDS) {
      expect(
        allFields(id)
          .map(({ name }) => name)
          .toSorted(),
      ).toEqual(expected[id].toSorted());
    }
  });

  test('of a model differ by list', () => {
    const models = (id: KindId) =>
      (allFields(id).find(({ name }) => name === 'models')?.fields ?? []).map(({ name }) => name).toSorted();
    const usual = ['alias', 'display-name', 'force-mapping', 'is-compat', 'max-context-length', 'name', 'thinking'];
    expect(models('claude')).toEqual(usual);
    expect(models('vertex')).toEqual(['alias', 'display-name', 'force-mapping', 'name', 'thinking']);
    expect(models('openai')).toEqual([...usual, 'image', 'input-modalities', 'output-modalities'].toSorted());
  });
});

test('the hints of an entry say what the gateway does without the value', () => {
  const hints = (id: KindId) =>
    ['base-url', 'models'].map((member) => allFields(id).find(({ name }) => name === member)?.hint);
  expect(hints('openai')).toEqual(['providers.urlHintNeeded', 'providers.modelsHintNone']);
  expect(hints('codex')).toEqual(['providers.urlHintNeeded', 'providers.modelsHint']);
  expect(hints('claude')).toEqual(['providers.urlHint', 'providers.modelsHint']);
});

describe('a draft', () => {
  test('gives back the entry it was made of, unknown members included', () => {
    const entry = { 'api-key': 'k', headers: { A: '1' }, later: { deep: [1, null] } };
    expect(entryOf(draftOf(entry))).toEqual(entry);
    expect(entryOf(draftOf({ 'api-key': 'k' }))).toEqual({ 'api-key': 'k' });
  });

  test('has no spaces around pasted texts', () => {
    const draft = { entry: { 'api-key': ' k\n', models: [{ name: ' m ' }] }, headers: [[' A ', ' 1 ']] as const };
    expect(entryOf(draft)).toEqual({ 'api-key': 'k', models: [{ name: 'm' }], headers: { A: '1' } });
  });
});

describe('problems', () => {
  const paths = (id: KindId, entry: Entry, others: readonly Entry[] = []) =>
    problemsOf(kindOf(id), draftOf(entry), others).map(({ path }) => path);

  test('are what the gateway refuses or drops', () => {
    expect(paths('codex', { 'api-key': 'k' })).toEqual(['base-url']);
    expect(paths('xai', { 'api-key': 'k', 'base-url': 'x.test' })).toEqual(['base-url']);
    expect(paths('gemini', {})).toEqual(['api-key']);
    expect(paths('gemini', { 'base-url': 'https://x.test' })).toEqual([]);
    expect(paths('vertex', { 'base-url': 'https://x.test', models: [{ name: 'm' }] })).toEqual([
      'api-key',
      'models.0.alias',
    ]);
    expect(paths('openai', { 'base-url': 'https://x.test' })).toEqual(['name']);
    const many = { prefix: 'a/b', weight: 1_000_001, 'proxy-url': 'ftp://x', models: [{ alias: 'a' }] };
    expect(paths('claude', { 'api-key': 'k', ...many })).toEqual(['prefix', 'proxy-url', 'weight', 'models.0.name']);
    const rule = { status: 42, action: 'explode', 'match-regexr': ['('] };
    expect(paths('claude', { 'api-key': 'k', 'request-scoped-errors': [rule] })).toEqual([
      'request-scoped-errors.0.status',
      'request-scoped-errors.0.action',
      'request-scoped-errors.0.match-regexr',
    ]);
    expect(paths('claude', { 'api-key': 'k', prefix: '/team/', 'proxy-url': 'direct', weight: 0 })).toEqual([]);
  });

  test('are identities of others, whatever else differs', () => {
    const entry = { 'api-key': ' k ', prefix: 'mine' };
    expect(paths('gemini', entry, [{ 'api-key': 'k', prefix: 'theirs' }])).toEqual(['api-key']);
    expect(paths('gemini', entry, [{ 'api-key': 'k', 'base-url': 'https://x.test' }])).toEqual([]);
    const named = { name: 'North', 'base-url': 'https://x.test' };
    expect(paths('openai', named, [{ name: 'north' }])).toEqual(['name']);
    const twice = { ...named, 'api-key-entries': [{ 'api-key': 'k' }, { 'api-key': 'k' }, {}] };
    expect(paths('openai', twice)).toEqual(['api-key-entries.1.api-key', 'api-key-entries.2.api-key']);
  });

  test('are headers without a valid name, or with the same one', () => {
    const draft = {
      entry: { 'api-key': 'k' },
      headers: [
        ['', 'x'],
        ['A b', ''],
        ['Ok', ''],
        ['ok', ''],
      ] as const,
    };
    expect(problemsOf(kindOf('claude'), draft, []).map(({ path }) => path)).toEqual([
      'headers.0',
      'headers.1',
      'headers.3',
    ]);
  });
});

describe('the JSON view', () => {
  const entry = {
    'api-key': 'sk-secret-0123456789',
    'proxy-url': 'http://me:pass@proxy.test',
    'base-url': 'https://me:pass@llm.test/v1',
    headers: { Authorization: 'Bearer secret-abcdef' },
    'api-key-entries': [
      { 'api-key': 'sk-secret-0000006789', 'auth-index': 'ab' },
      { 'api-key': 'sk-secret-0123456789' },
    ],
    later: { keep: true },
  };

  test('shows no secret, and gives each back', () => {
    const { text, secrets } = hideSecrets(writtenEntry(entry), isEntrySecret);
    expect(text).not.toMatch(/secret|pass/);
    expect(text).not.toContain('auth-index');
    const { 'api-key-entries': keys, ...others } = entry;
    expect(revealSecrets(text, secrets)).toEqual({
      ...others,
      'api-key-entries': keys.map(({ 'api-key': key }) => ({ 'api-key': key })),
    });
  });

  test('takes new values, and no text that is not an object', () => {
    const { text, secrets } = hideSecrets({ 'api-key': 'sk-secret-0123456789' }, isEntrySecret);
    expect(revealSecrets(text.replace(/<.*>/, 'sk-new'), secrets)).toEqual({ 'api-key': 'sk-new' });
    for (const broken of ['', '{', '[]', '1']) expect(revealSecrets(broken, secrets)).toBeNull();
  });
});
