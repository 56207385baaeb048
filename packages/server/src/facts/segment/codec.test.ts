import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { foldColumn, foldText, isFolded } from '../case-folding.ts';
import { packColumn, SegmentDamaged, unpackColumn } from './blob.ts';
import { decodeDerived, encodeDerived, isDerived } from './derived.ts';
import { createHashEncoding, decodeHashes, encodeHashes, type HashValue } from './hashes.ts';
import { decodeIntegers, encodeIntegers, type IntegerLayout, type NumberColumn } from './integers.ts';
import {
  type CodeLayout,
  decodeCodes,
  decodeFollower,
  decodeSets,
  encodeSets,
  encodeSymbolColumns,
  leaderOf,
  type SymbolColumn,
} from './symbol-codes.ts';
import { createTextEncoding, decodeTexts, encodeTexts, textAt } from './texts.ts';

function numbersOf({ base, values }: NumberColumn, rows: number): number[] {
  return Array.from({ length: rows }, (_, row) => base + (values?.[row] ?? 0));
}

describe('integer columns', () => {
  const CASES: readonly (readonly [string, readonly number[], boolean, IntegerLayout])[] = [
    ['one value', [7, 7, 7], false, 'constant'],
    ['ids without a gap', [41, 42, 43], true, 'sequence'],
    ['a narrow span far from zero', [1e12, 1e12 + 255], false, 'offset8'],
    ['a wider span', [-1, 65_534], false, 'offset16'],
    ['32 bits', [0, 4_294_967_295], false, 'offset32'],
    ['beyond 32 bits', [0, 4_294_967_296], false, 'offset64'],
    ['times', [5e12, 5e12 + 100, 5e12 + 90, 5e12 + 190], true, 'delta8'],
    ['times with a step of a minute', [1, 60_001, 120_001, 120_000], true, 'delta32'],
    ['a time of another age', [8.64e15, -8.64e15], true, 'offset64'],
  ];
  for (const [title, values, orderly, layout] of CASES) {
    test(`${title}: ${layout}`, () => {
      const encoded = encodeIntegers(Float64Array.from(values), orderly);
      expect(encoded.layout).toBe(layout);
      const decoded = decodeIntegers(encoded.layout, encoded.min, encoded.payload, values.length);
      expect(numbersOf(decoded, values.length)).toEqual([...values]);
      expect([encoded.min, encoded.max]).toEqual([Math.min(...values), Math.max(...values)]);
    });
  }

  test('any integers are restored', () => {
    const values = fc.array(
      fc.oneof(
        fc.integer(),
        fc.maxSafeInteger().map((n) => Math.floor(n / 4)),
      ),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(values, fc.boolean(), (list, orderly) => {
        const { layout, min, payload } = encodeIntegers(Float64Array.from(list), orderly);
        expect(numbersOf(decodeIntegers(layout, min, payload, list.length), list.length)).toEqual(
          list.map((n) => n + 0),
        );
      }),
    );
  });

  test('a sum is stored as its difference', () => {
    const row = fc.tuple(fc.nat(), fc.nat(300_000), fc.constantFrom(0, 0, 0, 9));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const [left, right] = [0, 1].map((index) => Float64Array.from(rows, (values) => values[index] ?? 0));
        const sums = Float64Array.from(rows, ([a, b, rest]) => a + b + rest);
        const summands = [left ?? new Float64Array(0), right ?? new Float64Array(0)];
        const { layout, min, max, payload } = encodeDerived(sums, summands);
        const columns = summands.map((values): NumberColumn => ({ base: 0, values }));
        const decoded = isDerived(layout)
          ? decodeDerived(layout, { min, max }, payload, rows.length, columns)
          : decodeIntegers(layout as IntegerLayout, min, payload, rows.length);
        expect(numbersOf(decoded, rows.length)).toEqual([...sums]);
      }),
    );
    const exact = encodeDerived(Float64Array.of(10, 700, 1e9), [Float64Array.of(10, 700, 1e9)]);
    expect(exact.layout).toBe('rest:constant');
  });
});

describe('symbol columns', () => {
  test('a column that follows from another shares its codes', () => {
    const account = Float64Array.from({ length: 4_000 }, (_, row) => 10 + ((row * 7) % 50));
    const provider = account.map((symbol) => 100 + (symbol % 4));
    const key = Float64Array.from({ length: 4_000 }, (_, row) => 200 + ((row * 31) % 37));
    const encoded = encodeSymbolColumns(
      new Map([
        ['provider', provider],
        ['account', account],
        ['key', key],
      ]),
    );
    const byName = new Map(encoded.map((column) => [column.name, column]));
    expect(leaderOf(byName.get('provider')?.layout ?? '')).toBe('account');
    expect(leaderOf(byName.get('account')?.layout ?? '')).toBeNull();
    expect(byName.get('key')?.layout).toBe('codes8');
    expect(byName.get('provider')?.set).toEqual(Uint32Array.of(100, 101, 102, 103));
  });

  test('any symbols are restored', () => {
    const row = fc.tuple(fc.nat(400), fc.nat(3), fc.constantFrom(0, 5_000_000));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 2_000 }), (rows) => {
        const columns = new Map(
          ['a', 'b', 'c'].map((name, index) => [name, Float64Array.from(rows, (values) => values[index] ?? 0)]),
        );
        columns.set(
          'd',
          Float64Array.from(rows, ([a]) => a % 3),
        );
        const encoded = new Map(encodeSymbolColumns(columns).map((column) => [column.name, column]));
        const decode = (name: string): SymbolColumn => {
          const column = encoded.get(name);
          if (column === undefined) throw new Error(name);
          const leader = leaderOf(column.layout);
          if (leader !== null) return decodeFollower(column.payload, decode(leader));
          return { set: column.set, codes: decodeCodes(column.layout as CodeLayout, column.payload) };
        };
        for (const [name, values] of columns) {
          const { set, codes } = decode(name);
          expect(rows.map((_, index) => set[codes?.[index] ?? 0] ?? -1)).toEqual([...values]);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('sets are restored', () => {
    const sets = new Map([
      ['a', Uint32Array.of(0, 5)],
      ['b', new Uint32Array(0)],
    ]);
    expect(decodeSets(encodeSets(sets))).toEqual(sets);
  });
});

describe('text columns', () => {
  const LISTS = [
    ['', '', ''],
    ['a', '', 'req_01'],
    ['A', 'x\0y', 'Zz'],
    ['É', 'École', '超时', 'ΟΔΟΣ', 'İ', '\u{1f600}'],
    ['x'.repeat(300), 'y'.repeat(70_000), ''],
    ['ÿ', 'þ', '\u00ff\u00ff'],
  ];
  for (const texts of LISTS) {
    test(`${JSON.stringify(texts).slice(0, 40)} come back and fold`, () => {
      const { layout, payload } = encodeTexts(texts, isFolded);
      const column = decodeTexts(payload, texts.length);
      expect(texts.map((_, row) => textAt(column, row))).toEqual(texts);
      const folded = foldColumn(layout, column);
      expect(texts.map((_, row) => textAt(folded, row))).toEqual(texts.map(foldText));
    });
  }

  test('in slices they are encoded as at once', () => {
    for (const texts of LISTS) {
      const encoding = createTextEncoding(isFolded);
      encoding.add(texts.slice(0, 1));
      encoding.add(texts.slice(1));
      expect(encoding.finish()).toEqual(encodeTexts(texts, isFolded));
    }
  });

  test('only texts that need it are folded again', () => {
    expect(encodeTexts(['abc', '1'], isFolded).layout).toBe('texts-folded');
    expect(encodeTexts(['aBc', '1'], isFolded).layout).toBe('texts-ascii');
    expect(encodeTexts(['é超'], isFolded).layout).toBe('texts-folded');
    expect(encodeTexts(['É'], isFolded).layout).toBe('texts');
  });
});

test('hashes and opaque identities are restored', () => {
  const hash = new Uint8Array(32).fill(9);
  const plain = encodeHashes([hash, hash]);
  expect(plain.layout).toBe('hashes');
  expect(decodeHashes(plain.layout, plain.payload, 2)).toEqual({ rows: new Uint8Array(64).fill(9), opaque: new Map() });
  const mixed = encodeHashes(['legacy-É', hash]);
  const decoded = decodeHashes(mixed.layout, mixed.payload, 2);
  expect(decoded.opaque).toEqual(new Map([[0, 'legacy-É']]));
  expect(decoded.rows.subarray(32)).toEqual(hash);
  const encoding = createHashEncoding(2);
  const slices: HashValue[][] = [['legacy-É'], [hash]];
  for (const slice of slices) encoding.add(slice);
  expect(encoding.finish()).toEqual(mixed);
});

describe('a stored column', () => {
  const payload = new Uint8Array(10_000).fill(3);

  test('is compressed where that saves space', () => {
    expect(packColumn('offset8', payload).encoding).toBe('offset8+zstd');
    expect(packColumn('hashes', crypto.getRandomValues(new Uint8Array(10_000))).encoding).toBe('hashes');
    expect(unpackColumn(packColumn('offset8', payload), 'test')).toEqual({ layout: 'offset8', payload });
  });

  test('with one changed bit is refused', () => {
    const blob = packColumn('offset8', payload);
    const damaged = Uint8Array.from(blob.data);
    damaged[3] = (damaged[3] ?? 0) ^ 1;
    expect(() => unpackColumn({ ...blob, data: damaged }, 'segment 4, column x')).toThrow(SegmentDamaged);
  });
});
