import { expect, test } from 'bun:test';
import { changedSettings } from './changed-settings.ts';

const BASE = `# a comment
port: 8317 # where clients come
api-keys:
  - sk-first-client-key

routing:
  strategy: round-robin
  session-affinity: false
codex-api-key:
- api-key: sk-provider-one
  models:
    - name: one
payload:
  override:
    - params: { a: 1 }
`;
const changed = (from: string, to: string) => changedSettings(BASE, BASE.replace(from, to));

test.each([
  ['nothing', '', '', []],
  ['a comment, an empty line, line breaks', '# a comment\n', '\n# another\n   # one more\n', []],
  ['a value', '8317', '9000', ['port']],
  ['a value that is gone', 'port: 8317 # where clients come\n', '', ['port']],
  ['an added item', 'payload', '- api-key: sk-provider-two\npayload', ['codex-api-key (+1)']],
  ['a removed item', '  - sk-first-client-key\n', '', ['api-keys (−1)']],
  ['an added list', 'port', 'xai-api-key:\n  - api-key: x\n  - api-key: y\nport', ['xai-api-key (+2)']],
  ['a replaced item', 'sk-first', 'sk-other', ['api-keys']],
  ['a member of an item', 'name: one', 'name: two', ['codex-api-key']],
  [
    'members of a mapping',
    'strategy: round-robin\n',
    'strategy: fill-first\n  ttl: 1h\n',
    ['routing.strategy', 'routing.ttl'],
  ],
  ['deeper ones', 'a: 1', 'a: 2', ['payload.override']],
  ['a mapping that is a value now', 'payload:\n  override:\n    - params: { a: 1 }\n', 'payload: {}\n', ['payload']],
  ['a quoted name', 'port: 8317', '"port": 9000', ['port']],
])('%s is told by name: %p → %p', (_, from, to, names) => {
  expect(changed(from, to)).toEqual(names);
});

test('line breaks of Windows, marks of encoding and document, and the order are no change', () => {
  expect(changedSettings(BASE, `\ufeff---\n${BASE}`.replaceAll('\n', '\r\n'))).toEqual([]);
  expect(changedSettings('a: 1\nb: 2\n', 'b: 2\na: 1\n')).toEqual([]);
});

test('keys among the values are never told, also where they are members of a mapping', () => {
  const names = changedSettings('api-keys:\n  sk-one: a\n', 'api-keys:\n  sk-two: a\nport: sk-three\n');
  expect(names).toEqual(['api-keys', 'port']);
});

test('other texts are not compared', () => {
  expect(changedSettings(BASE, '{ port: 1 }\n')).toBeNull();
  expect(changedSettings('no mapping', BASE)).toBeNull();
  expect(changedSettings('# empty\n', 'port: 1\n')).toEqual(['port']);
});

test('the list is short', () => {
  const many = Array.from({ length: 80 }, (_, number) => `a${number}: 1\n`).join('');
  expect(changedSettings('', many)).toHaveLength(50);
});
