import { expect, test } from 'bun:test';
import { reviewChange } from './review.ts';

const BEFORE = `api-keys: [sk-client-key-one-0001, sk-client-key-two-0002]
openai-compatibility:
  - name: acme
    base-url: https://acme.test
  - name: other
    base-url: https://other.test
claude-api-key:
  - api-key: sk-ant-provider-aaaa
oauth-excluded-models:
  codex: [gpt-9]
plugins:
  configs: {one: {enabled: true}}
`;
const AFTER = `api-keys: [sk-client-key-one-0001, sk-client-key-six-0006]
openai-compatibility:
  - name: other
    base-url: https://elsewhere.test
claude-api-key:
  - api-key: sk-ant-provider-bbbb
oauth-excluded-models:
  codex: [gpt-9, gpt-8]
plugins:
  configs: {one: {enabled: false}}
`;

test('what a text does to client keys, provider entries, model rules and plugins is named, keys masked', () => {
  expect(reviewChange(BEFORE, AFTER, null).effects).toEqual([
    { kind: 'keysStop', names: ['sk-…02'] },
    { kind: 'keysStart', names: ['sk-…06'] },
    { kind: 'entriesRemoved', names: ['sk-…aa (Claude)', 'acme (OpenAI-compatible)'] },
    { kind: 'entriesAdded', names: ['sk-…bb (Claude)'] },
    { kind: 'entriesChanged', names: ['other (OpenAI-compatible)'] },
    { kind: 'rules', names: ['codex'] },
    { kind: 'plugins', names: ['one'] },
  ]);
});

test('another order, comments and settings of this page have no such effect', () => {
  const other = `port: 1\n# words\n${BEFORE.replace('[sk-client-key-one-0001, sk-client-key-two-0002]', '[sk-client-key-two-0002, sk-client-key-one-0001]')}`;
  expect(reviewChange(BEFORE, other, null).effects).toEqual([]);
});
