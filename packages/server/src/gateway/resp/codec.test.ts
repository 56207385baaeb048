import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createRespParser, encodeCommand, type RespValue } from './codec.ts';

function parse(chunks: readonly Uint8Array[], options?: { maxRecordBytes: number }): RespValue[] {
  const values: RespValue[] = [];
  const parser = createRespParser((value) => values.push(value), options);
  for (const chunk of chunks) parser.push(chunk);
  return values;
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text));
const bulk = (text: string) => ({ kind: 'bulk' as const, text, repaired: false, bytes: Buffer.byteLength(text) });

describe('RESP2 replies', () => {
  const cases: readonly [name: string, wire: string, expected: readonly RespValue[]][] = [
    ['simple string', '+OK\r\n', [{ kind: 'simple', text: 'OK' }]],
    ['error', '-ERR no\r\n', [{ kind: 'error', text: 'ERR no' }]],
    ['integer', ':-3\r\n', [{ kind: 'integer', value: -3 }]],
    ['nil bulk', '$-1\r\n', [{ kind: 'nil' }]],
    ['nil array', '*-1\r\n', [{ kind: 'nil' }]],
    ['null', '_\r\n', [{ kind: 'nil' }]],
    ['empty bulk', '$0\r\n\r\n', [bulk('')]],
    ['empty array', '*0\r\n', [{ kind: 'array', items: [] }]],
    ['pong with a nil', '*2\r\n$4\r\npong\r\n$-1\r\n', [{ kind: 'array', items: [bulk('pong'), { kind: 'nil' }] }]],
    ['line feeds inside of a bulk', '$6\r\na\r\nb\r\n\r\n', [bulk('a\r\nb\r\n')]],
    ['lengths in bytes', '$10\r\nmodèle-é\r\n', [bulk('modèle-é')]],
    [
      'nested arrays and what follows',
      '*2\r\n*1\r\n:1\r\n*0\r\n+next\r\n',
      [
        {
          kind: 'array',
          items: [
            { kind: 'array', items: [{ kind: 'integer', value: 1 }] },
            { kind: 'array', items: [] },
          ],
        },
        { kind: 'simple', text: 'next' },
      ],
    ],
  ];

  test.each(cases)('%s, at once and byte by byte', (_name, wire, expected) => {
    expect(parse([bytes(wire)])).toEqual([...expected]);
    expect(parse(Array.from(bytes(wire), (byte) => Uint8Array.of(byte)))).toEqual([...expected]);
  });

  test('any split into chunks gives the same values, also when the socket reuses its buffer', () => {
    const wire = bytes(cases.map(([, text]) => text).join(''));
    const expected = cases.flatMap(([, , values]) => values);
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        const values: RespValue[] = [];
        const parser = createRespParser((value) => values.push(value));
        for (let at = 0, turn = 0; at < wire.length; turn += 1) {
          const chunk = wire.slice(at, at + (sizes[turn % sizes.length] ?? 1));
          parser.push(chunk);
          at += chunk.length;
          chunk.fill(0x58);
        }
        expect(values).toEqual(expected);
      }),
    );
  });

  test('an HTTP answer is recognized by its first byte', () => {
    expect(() => parse([bytes('H')])).toThrow("unsupported RESP prefix 'H'");
    expect(() => parse([bytes('+OK\r\n\u0001')])).toThrow("unsupported RESP prefix '\\x01'");
  });

  test.each(['$x\r\n', '*1.5\r\n', '$3\r\nabcd\r\n', '+OK\n', '$\r\n'])('%j is refused', (wire) => {
    expect(() => parse([bytes(wire)])).toThrow('the gateway sent');
  });

  test('a record above the limit is skipped and the next one is intact', () => {
    const large = 'x'.repeat(10_000);
    const wire = bytes(`*2\r\n$${large.length}\r\n${large}\r\n$2\r\nok\r\n`);
    const portions = [wire.slice(0, 3_000), wire.slice(3_000, 9_000), wire.slice(9_000)];
    for (const chunks of [[wire], portions]) {
      expect(parse(chunks, { maxRecordBytes: 5_000 })).toEqual([
        { kind: 'array', items: [{ kind: 'oversized', bytes: 10_000, head: 'x'.repeat(4_096) }, bulk('ok')] },
      ]);
    }
  });

  test('a reply of endless records ends the connection, and what arrived whole is kept', () => {
    const record = `$60000\r\n${'x'.repeat(60_000)}\r\n`;
    const parser = createRespParser(() => {});
    parser.push(bytes('*999999999\r\n'));
    const chunk = bytes(record.repeat(10));
    let pushed = 0;
    expect(() => {
      for (; pushed < 10_000; pushed += 10) parser.push(chunk);
    }).toThrow('far more than it was asked for');
    expect(parser.partial().length).toBeGreaterThanOrEqual(pushed);
    expect(pushed * 60_000).toBeLessThan(140_000_000);
  });

  test('invalid UTF-8 is replaced and marked', () => {
    const wire = Buffer.concat([bytes('$3\r\n'), Uint8Array.of(0x61, 0xff, 0x62), bytes('\r\n')]);
    expect(parse([wire])).toEqual([{ kind: 'bulk', text: 'a\ufffdb', repaired: true, bytes: 3 }]);
  });

  test.each([
    ['numbers', '*999999999\r\n', ':1\r\n'],
    ['empty arrays, deep down', '*999999999\r\n'.repeat(7), '*0\r\n'],
    ['arrays of one', '*999999999\r\n', '*1\r\n*1\r\n_\r\n'],
  ])('a reply of endless %s ends the connection before it fills the memory', (_name, start, rest) => {
    const parser = createRespParser(() => {});
    const chunk = bytes(rest.repeat(50_000));
    parser.push(bytes(start));
    expect(() => {
      for (let count = 0; count < 40; count += 1) parser.push(chunk);
    }).toThrow('a reply of too many values');
  });

  test('the complete elements of a broken array can be read', () => {
    const parser = createRespParser(() => {});
    parser.push(bytes('*3\r\n$1\r\na\r\n$1\r\nb\r\n$5\r\nhal'));
    expect(parser.partial()).toEqual([bulk('a'), bulk('b')]);
  });
});

test('commands are arrays of bulk strings with byte lengths', () => {
  expect(Buffer.from(encodeCommand(['AUTH', 'clé'])).toString()).toBe('*2\r\n$4\r\nAUTH\r\n$4\r\nclé\r\n');
});
