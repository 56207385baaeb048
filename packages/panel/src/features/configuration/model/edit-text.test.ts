import { describe, expect, test } from 'bun:test';
import { type Edit, editText } from './edit-text.ts';
import { FIELDS, type Field, fieldId, readField } from './fields.ts';
import { type ConfigObject, type ConfigValue, type Path, sameValue, valueAt, withValue } from './values.ts';
import { readText } from './yaml-text.ts';

const ORDINARY = `# a comment of a person
host: ""   # every address
port: 8317
unknown-setting: {kept: [1, "1"]} # of a later version
remote-management:
  # the manager is elsewhere
  allow-remote: true
  secret-key: "$2a$10$hash"
tls: # off for now
  enable: false

auth-dir: "~/.auths"
api-keys:
  - "one" # first
  - two
debug: &flag false
request-retry: 3
routing:
  strategy: "round-robin" # or fill-first
payload:
  default:
  # before the rule
  - models:
      - name: "gpt-*"   # wildcard
        protocol: codex
    params:
      "reasoning.effort": high
      count: "1"
streaming: {keepalive-seconds: 15}
quota-exceeded:
    switch-project: true
    # the end of it
plugins: {}
proxy-url:
# last words`;

const TEXTS: readonly (readonly [string, string])[] = [
  ['an ordinary text', ORDINARY],
  ['one with line breaks of Windows', ORDINARY.replaceAll('\n', '\r\n')],
  ['one that ends with a line break', `${ORDINARY}\n`],
  ['an empty text', ''],
  ['comments alone', '# nothing yet\n'],
  ['a document with its marks', `---\n${ORDINARY}\n...\n`],
  ['a flow mapping', '{host: "", port: 1, tls: {enable: false}} # all of it\n'],
];

const valuesOf = (text: string): ConfigObject => {
  const read = readText(text);
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.values;
};
const edited = (text: string, ...edits: Edit[]): string => {
  const result = editText(text, edits);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
};
const comments = (text: string) => text.match(/# [a-z].*/g) ?? [];

/** Values that differ from each other and from what the texts have. */
function samples(field: Field): readonly ConfigValue[] {
  switch (field.kind) {
    case 'boolean':
      return [true, false];
    case 'integer':
      return [field.max, field.min];
    case 'choice':
      return field.choices;
    case 'text':
    case 'secret':
      return ['plain', 'yes', ' 1: # "quoted" \\ \n[x]', ''];
    case 'structure':
      return [
        [{ models: [{ name: 'a*', headers: { 'x-y': '1' } }], params: { 'a.b': 1, c: '1', d: [true, null] } }],
        { a: { b: 'yes', c: [] }, d: {} },
        ['x', 'y: z'],
      ];
  }
}

describe.each(FIELDS.map((field) => [fieldId(field), field] as const))('%s', (_, field) => {
  // Few texts for each field alone: below, all fields are written into every text.
  test.each(TEXTS.slice(0, 2))('is written into and read back from %s', (_name, text) => {
    const before = valuesOf(text);
    for (const sample of samples(field)) {
      const after = edited(text, { path: field.path, value: sample });
      const values = valuesOf(after);
      expect(valueAt(values, field.path)).toEqual(sample as never);
      expect(readField(values, field)).toEqual({ state: 'set', value: sample });
      // Nothing else changed.
      expect(sameValue(values, withValue(before, field.path, sample))).toBe(true);
      if (text.includes('\r\n')) expect(after.replaceAll('\r\n', '')).not.toContain('\n');
      // Comments inside of what is replaced as a whole may go.
      if (field.kind !== 'structure') expect(comments(after)).toEqual(comments(text));
      const old = valueAt(before, field.path);
      if (old === undefined || old === null || field.kind === 'structure') continue;
      // And back to the same bytes.
      expect(edited(after, { path: field.path, value: old })).toBe(text);
    }
  });

  test('is removed again', () => {
    const text = edited('a: 1\n', { path: field.path, value: samples(field)[0] ?? null });
    const removed = valuesOf(edited(text, { path: field.path, value: undefined }));
    expect(valueAt(removed, field.path)).toBeUndefined();
  });
});

test.each(TEXTS)('all fields at once are written into and read back from %s', (_name, text) => {
  const before = valuesOf(text);
  for (const round of [0, 1]) {
    const edits = FIELDS.map((field) => ({ path: field.path, value: samples(field).at(-round) ?? null }));
    const values = valuesOf(edited(text, ...edits));
    const wanted = edits.reduce<ConfigObject>((all, { path, value }) => withValue(all, path, value), before);
    expect(values).toEqual(wanted as never);
  }
});

const one = (path: string): Path => path.split('.');

describe('an edit', () => {
  test('of nothing, or to the same values, gives the same bytes', () => {
    for (const [, text] of TEXTS) {
      expect(edited(text)).toBe(text);
      const values = valuesOf(text);
      expect(edited(text, ...Object.keys(values).map((key) => ({ path: [key], value: values[key] })))).toBe(text);
    }
  });

  test.each<[string, string, Edit[], string]>([
    ['keeps quotes', 'a: "x" # c\n', [{ path: ['a'], value: 'y' }], 'a: "y" # c\n'],
    ['keeps single quotes', "a: 'x'\n", [{ path: ['a'], value: "it's" }], "a: 'it''s'\n"],
    ['never turns a text into a number', 'a: x\n', [{ path: ['a'], value: '017' }], 'a: "017"\n'],
    ['keeps an anchor at its value', 'a: &x 1\nb: 2\n', [{ path: ['a'], value: 3 }], 'a: &x 3\nb: 2\n'],
    ['takes the place of an alias', 'a: &x 1\nb: *x # same\n', [{ path: ['b'], value: 3 }], 'a: &x 1\nb: 3 # same\n'],
    [
      'overrides what a merge key brings',
      'base: &b\n  x: 1\ntls:\n  <<: *b\n',
      [{ path: one('tls.x'), value: 2 }],
      'base: &b\n  x: 1\ntls:\n  <<: *b\n  x: 2\n',
    ],
    [
      'adds below a key with a comment and no value',
      'tls: # later\nport: 1\n',
      [{ path: one('tls.enable'), value: true }],
      'tls: # later\n  enable: true\nport: 1\n',
    ],
    [
      'adds behind the last line of a mapping, before the comment of the next',
      'tls:\n    enable: false # off\n\n# the port\nport: 1\n',
      [{ path: one('tls.cert'), value: '/c' }],
      'tls:\n    enable: false # off\n    cert: /c\n\n# the port\nport: 1\n',
    ],
    ['fills an empty mapping', 'a: {} # none\n', [{ path: one('a.b'), value: 1 }], 'a: # none\n  b: 1\n'],
    ['empties a mapping', 'a:\n  b: 1 # c\nd: 2\n', [{ path: one('a.b'), value: undefined }], 'a: {}\nd: 2\n'],
    ['removes a line', 'a: 1 # c\nb: 2\n', [{ path: ['a'], value: undefined }], 'b: 2\n'],
    [
      'adds to a list without a step to the right',
      'l:\n- a # first\n- b\nz: 1\n',
      [{ path: ['l'], value: ['a', 'b', 'c'] }],
      'l:\n- a # first\n- b\n- c\nz: 1\n',
    ],
    [
      'removes from a list what left it',
      'l:\n  - a # first\n  # about b\n  - b # second\n  - c\n',
      [{ path: ['l'], value: ['a', 'c'] }],
      'l:\n  - a # first\n  # about b\n  - c\n',
    ],
    ['empties a list', 'l:\n  - a\n  - b\nz: 1\n', [{ path: ['l'], value: [] }], 'l: []\nz: 1\n'],
    [
      'changes one member of an entry of a list',
      'l:\n  - name: a # n\n    "k": 1\n  - name: b\n',
      [{ path: ['l'], value: [{ name: 'a', k: 2 }, { name: 'b' }] }],
      'l:\n  - name: a # n\n    "k": 2\n  - name: b\n',
    ],
    ['replaces a block text', 'a: |\n  x\n  y\nb: 1\n', [{ path: ['a'], value: 'z' }], 'a: z\nb: 1\n'],
    ['adds to a file without a last line break', 'a: 1', [{ path: ['b'], value: 2 }], 'a: 1\nb: 2'],
    [
      'of several places is made at once',
      'a: 1\nb:\n  c: 1\n',
      [
        { path: ['a'], value: 2 },
        { path: one('b.d'), value: 2 },
        { path: one('e.f'), value: 3 },
        { path: one('e.g'), value: [1] },
      ],
      'a: 2\nb:\n  c: 1\n  d: 2\ne:\n  f: 3\n  g:\n    - 1\n',
    ],
  ])('%s', (_name, text, edits, expected) => {
    expect(edited(text, ...edits)).toBe(expected);
  });

  test('that would change another setting through a shared anchor is refused', () => {
    expect(editText('a: &x 1\nb: *x\n', [{ path: ['a'], value: 2 }])).toEqual({ ok: false, reason: 'shared' });
    expect(editText('a: &x {k: 1}\nb: *x\n', [{ path: one('a.k'), value: 2 }])).toEqual({
      ok: false,
      reason: 'shared',
    });
  });

  test('keeps the type of values', () => {
    const text = 'payload:\n  override:\n    - params:\n        a: "1"\n        b: 1\n';
    const rules = (a: ConfigValue, b: ConfigValue): Edit => ({
      path: one('payload.override'),
      value: [{ params: { a, b } }],
    });
    expect(edited(text, rules('1', 1))).toBe(text);
    expect(valuesOf(edited(text, rules(1, '1')))).toEqual({ payload: { override: [{ params: { a: 1, b: '1' } }] } });
  });
});

describe('a text that is no configuration', () => {
  test.each([
    ['a: [', 'syntax', 1],
    ['a: 1\nb: 2\na: 3\n', 'duplicate', 3],
    ['a: 1\n---\nb: 2\n', 'documents', 2],
    ['- a\n', 'mapping', 1],
    ['a: *nothing\n', 'syntax', 1],
  ])('%j is refused with its place', (text, kind, line) => {
    const read = readText(text);
    expect(read.ok).toBe(false);
    if (read.ok) return;
    expect(read.problems[0]).toMatchObject({ kind, line });
    expect(editText(text, [{ path: ['x'], value: 1 }])).toMatchObject({ ok: false, reason: 'unreadable' });
  });
});
