import { describe, expect, test } from 'bun:test';
import { type Edit, editText } from './edit-text.ts';
import { readPlain } from './plain-yaml.ts';
import { readText, readWhole } from './yaml-text.ts';

/** As programs write it. */
const WRITTEN = `# a person's
host: ""
port: 8317
remote-management:
    # indented by four
    secret-key: "$2a$10$hash"
    allow-remote: true # yes
api-keys:
- one
- 'it''s two'
-   "a \\"third\\""   # with a note

tls: {}
openai-compatibility:
  - name: northwind
    base-url: https://llm.test/v1#part
    headers: {}
    models:
      - name: a b
        alias: "x: y"
      -
        name: c
  # none of these
  - name: 2h
    priority: -3
    disabled: False
    weight: 1.50
    note: ~
    empty:
debug: false`;

const text = (lines: readonly string[]) => lines.join('\n');

/** Each at the end of a part, inside of one and alone. */
const SCALARS =
  `1|-0|+1|01|1.|.5|0x1f|0o17|1e3|.inf|-.INF|.nan|Null|~|TRUE|yes|a#b|a #b|a: b|a:b|a:|"q"|"q" # c|"q"#c|'it''s'|"a\\nb"|"\\u0041"|"open|'open
[]|{}|[1, 2]|[1,|{a: 1|\\||>-|\\|2|&x 1|&x|*x|!!str 1|<<|- a|- - a|? a|...|---|%d|@x|~/.a|-a|--|1.2.3.4|2h|2024-01-01|ü|通义|😀|a\tb|a\t|\tx|(a)|"a" b|a, b|a]|constructor|\u00a0x|a\u2028b: 1|__proto__|\\`
    .split(/(?<!\\)[|\n]/)
    .map((scalar) => scalar.replaceAll('\\|', '|'));
const KEYS = [
  '"b c"',
  "'b'",
  'b c',
  '<<',
  '? b',
  '1',
  'true',
  'null',
  '__proto__',
  'toString',
  'b/c',
  '*',
  '&x b',
  '"<<"',
];
const ODD = [
  ...SCALARS.flatMap((scalar) => [`a: ${scalar}\nb: 2\n`, `a:\n  - b: ${scalar}\n    c: x\n`, `a:\n  - ${scalar}\n`]),
  ...KEYS.flatMap((key) => [`a: 1\n${key}: 2\nc: 3\n`, `a:\n  ${key}: x\n  c: 1\n`, `a:\n- ${key}: x\n`]),
  ...['a: 1\na: 2\n', 'a:\n  b: 1\n  "b": 2\n', 'a: 1\n"a": 2\n', 'a: x\nb: &x 1\nc: *x\n', 'a: &x 1\n\nb: *x\n'],
  ...['a: &x {k: 1}\nb:\n  <<: *x\n', 'a: &x\n  k: *x\n', '<<: {a: 1}\na: 2\n', 'a: 1\n<<: {b: 1}\nb: 2\n'],
  ...[
    'a: 1\n---\nb: 2\n',
    'a: 1\n...\nb: 2\n',
    '---\na: 1\n',
    '%YAML 1.2\n---\na: 1\n',
    '\ufeffa: 1\n',
    '{a: 1}\n',
    '- a\n',
    'x\n',
  ],
  ...[
    '',
    '\n',
    '# x',
    '  # x\n',
    ' \n\na: 1\n',
    '\ta: 1\n',
    'a:\n\t\nb: 1\n',
    'a:\n\tb: 1\n',
    '  a: 1\nb: 2\n',
    '  a: 1\n  b: 2\n',
  ],
  ...[
    'a:\n    b: 1\n  c: 2\n',
    'a:\n  b: 1\n c: 2\n',
    'a:\n  - b\n c: 1\n',
    'a:\n- b\nc: 1\n',
    'a:\n- b:\n  - c\n  d: 1\n- e\n',
  ],
  ...[
    'a: x\n  y\nb: 1\n',
    'a: x\n  # c\n  y\nb: 1\n',
    'a:\n  x\n  y\n',
    'a: "x\n  y"\nb: 1\n',
    'a: "x\nb: y"\nc: 1\n',
    "a: 'x\n\n  y'\n",
  ],
  ...[
    'a: [\nb: 1\n]\n',
    'a: [1,\n  2]\nb: 1\n',
    'a: {b: 1,\nc: 2}\n',
    'a: |\n  x\nb: 1\n',
    'a: |+\n  x\n\n\nb: 1\n',
    'a: >\n\n  x\n y\nb: 1\n',
  ],
  ...[
    'a: |\n x\n# c\nb: 1\n',
    'a: 1\r\nb:\r\n  - "x"\r\n',
    'a: 1\rb: 2\n',
    'a: |\r\n  x\r\nb: 1\r\n',
    '? a\n: b\nc: 1\n',
    'a: 1\n? b\nc: 1\n',
    'a: 1\nx\nb: 2\n',
  ],
  ...[
    `${'k'.repeat(1_030)}: 1\nb: 2\n`,
    'a:\n-\n- \n- # c\n  b: 1\n',
    'a:\n -\n  - b\n',
    'a: !t\nb: 1\n',
    'a: - b\n',
    'a : 1\nb: 2\n',
    'a:1\nb: 2\n',
  ],
];

/** Lines put together by chance. */
function* generated(count: number): Generator<string> {
  let seed = 7;
  const next = (below: number) => {
    seed = (seed * 1_664_525 + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  for (let made = 0; made < count; made++) {
    const stack = [''];
    const lines: string[] = [];
    const isOdd = next(2) === 0;
    for (let line = 2 + next(9); line > 0; line--) {
      const key = isOdd && next(8) === 0 ? pick(KEYS) : `k${next(9)}`;
      const scalar = isOdd && next(5) === 0 ? pick(SCALARS) : pick(['x', '1', '"q"', 'a b', 'true']);
      const indent = stack.at(-1) ?? '';
      const [form, step] = pick([
        [`${indent}${key}: ${scalar}`, ''],
        [`${indent}${key}:`, '  '],
        [`${indent}- ${scalar}`, ''],
        [`${indent}- ${key}: ${scalar}`, '  '],
        [`${indent}# ${scalar}`, ''],
      ] as const);
      lines.push(form);
      if (step !== '') stack.push(indent + step);
      else if (next(3) === 0 && stack.length > 1) stack.pop();
    }
    yield `${text(lines)}\n`;
  }
}

/** Everything but the parts, with the order of keys and the kinds of numbers. */
function read(of: (text: string) => ReturnType<typeof readText>, source: string): string {
  const found = of(source);
  try {
    return JSON.stringify(found.ok ? found.values : found, (_, value) =>
      typeof value === 'number' && (Object.is(value, -0) || !Number.isFinite(value))
        ? `number ${1 / value < 0 ? '-' : ''}${value}`
        : value,
    );
  } catch {
    return 'a value that holds itself';
  }
}

describe('a text that is read by parts', () => {
  test('is read as the library reads the whole', () => {
    const texts = [WRITTEN, WRITTEN.replaceAll('\n', '\r\n'), ...ODD, ...generated(400)];
    const different = texts.filter((source) => read(readText, source) !== read(readWhole, source));
    expect(different).toEqual([]);
    // Not because everything is left to the library, nor because nothing can be read.
    expect(texts.filter((source) => readPlain(source) !== null).length).toBeGreaterThan(100);
    expect(texts.filter((source) => !readWhole(source).ok).length).toBeGreaterThan(100);
  });

  test('is read without the library where programs wrote it', () => {
    expect(readPlain(WRITTEN.slice(WRITTEN.indexOf('host')))).toEqual(JSON.parse(read(readWhole, WRITTEN)));
    expect(readPlain(WRITTEN.replaceAll('\n', '\r\n'))).not.toBeNull();
    expect(readPlain('a: 1\rb: 2')).toBeNull();
  });

  test('is changed as the whole would be', () => {
    // With its mark a document is one part.
    const mark = '---\n';
    const edits: readonly (readonly Edit[])[] = [
      [{ path: ['port'], value: 1 }],
      [{ path: ['port'], value: undefined }],
      [{ path: ['new'], value: { a: [1] } }],
      [
        { path: ['debug'], value: true },
        { path: ['new'], value: 'x' },
        { path: ['host'], value: undefined },
      ],
      [
        { path: ['debug'], value: undefined },
        { path: ['new'], value: 1 },
      ],
      [
        { path: ['remote-management', 'allow-remote'], value: undefined },
        { path: ['tls', 'enable'], value: true },
      ],
      [{ path: ['api-keys'], value: ['one', 'x'] }],
      [...WRITTEN.matchAll(/^[a-z-]+(?=:)/gm)].map(([key]) => ({ path: [key], value: undefined })),
      [...WRITTEN.matchAll(/^[a-z-]+(?=:)/gm)].map(([key]) => ({ path: [key], value: [key] })),
    ];
    for (const source of [WRITTEN, `${WRITTEN}\n# last\n`, 'port: 1\n\n"quoted key": [x]\nz: |\n  a\n\ndebug: &d 1']) {
      for (const edit of edits) {
        const whole = editText(mark + source, edit);
        const wanted = whole.ok ? { ...whole, text: whole.text.slice(mark.length) } : whole;
        expect(editText(source, edit)).toEqual(wanted);
      }
    }
  });
});

test('of a text with very many errors the first are told', () => {
  const read = readText(`a\n# c\n${'b: 1\n'.repeat(400)}`);
  expect(read).toMatchObject({ ok: false, problems: { length: 100, 0: { line: 3, column: 1 } } });
});
