import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { encodeDerived } from '../segment/derived.ts';
import { encodeIntegers, type NumberColumn } from '../segment/integers.ts';
import { decodeNumbers } from './numbers.ts';
import { gather, type PackedColumn, packed, packedBytes, unpacked, widen } from './packed.ts';
import { release } from './release.ts';

/** Mostly small, so that the large ones are exceptions. */
const COUNTS = fc.array(
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(0) },
    { weight: 10, arbitrary: fc.nat(60_000) },
    { weight: 1, arbitrary: fc.nat(4_000_000_000) },
  ),
  { minLength: 1, maxLength: 200 },
);

function valuesOf(column: PackedColumn, rows: number): number[] {
  const values = new Float64Array(rows + 3);
  widen(column, rows, values);
  return [...values.subarray(0, rows)];
}

function offsetsOf({ base, values }: NumberColumn, rows: number): number[] {
  return Array.from({ length: rows }, (_, row) => base + (values?.[row] ?? 0));
}

describe('a packed column', () => {
  test('has its original values', () => {
    fc.assert(
      fc.property(COUNTS, fc.integer({ min: -5, max: 5 }), fc.boolean(), (list, base, isNarrow) => {
        const narrow = list.map((value) => value % 65_536);
        const values = isNarrow ? Uint16Array.from(narrow) : Uint32Array.from(list);
        const column = packed({ base, values });
        const expected = (isNarrow ? narrow : list).map((value) => value + base);
        expect(valuesOf(column, list.length)).toEqual(expected);
        expect(offsetsOf(unpacked(column, list.length), list.length)).toEqual(expected);
      }),
    );
  });

  test('is half as wide without its few large values', () => {
    const values = Uint32Array.from({ length: 1000 }, (_, row) => (row % 100 === 0 ? 70_000 + row : row));
    const column = packed({ base: 0, values });
    expect(column.values).toBeInstanceOf(Uint16Array);
    expect([...(column.exceptions?.rows ?? [])]).toEqual([0, 100, 200, 300, 400, 500, 600, 700, 800, 900]);
    expect(packedBytes(column)).toBe(2 * 1000 + 6 * 10);
  });

  test('that is nearly always the same keeps the exceptions', () => {
    const values = Uint16Array.from({ length: 1000 }, (_, row) => (row % 100 === 7 ? row : 0));
    const column = packed({ base: 4, values });
    expect(column.values).toBeNull();
    expect(packedBytes(column)).toBe(6 * 10);
  });

  test('gives single rows', () => {
    for (const values of [
      Uint8Array.of(1, 2, 3),
      Uint16Array.of(1, 2, 3),
      Uint32Array.of(1, 2, 3),
      Float64Array.of(1, 2, 3),
    ]) {
      const into = new Float64Array(2);
      gather({ base: 10, values, exceptions: null }, Uint32Array.of(0, 2), 2, into);
      expect([...into]).toEqual([11, 13]);
    }
  });
});

describe('stored numbers', () => {
  test('come back in every layout', () => {
    const times = fc.array(fc.integer({ min: -70_000, max: 70_000 }), { minLength: 1 });
    const lists = fc.oneof(COUNTS, times, fc.array(fc.integer({ min: -1e12, max: 1e12 }), { minLength: 1 }));
    fc.assert(
      fc.property(lists, fc.boolean(), fc.constantFrom<number>(0, 1.7e12), (list, orderly, start) => {
        // Differences between successive times are small.
        let time: number = start;
        const values = Float64Array.from(list, (value) => {
          time = orderly ? time + value : value;
          return time;
        });
        const { layout, min, max, payload } = encodeIntegers(values, orderly);
        const { column, isRest } = decodeNumbers(layout, { min, max }, payload, values.length);
        expect(isRest).toBe(false);
        expect(valuesOf(column, values.length)).toEqual([...values]);
      }),
    );
  });

  test('that are sums of others are stored as the difference', () => {
    const sums = Float64Array.of(10, 700, 1e9);
    const { layout, min, max, payload } = encodeDerived(sums, [Float64Array.of(10, 699, 1e9)]);
    const { column, isRest, bytes } = decodeNumbers(layout, { min, max }, payload, 3);
    expect(isRest).toBe(true);
    expect(valuesOf(column, 3)).toEqual([0, 1, 0]);
    expect(bytes).toBe(packedBytes(column));
  });
});

test('released memory is freed, parts of larger memory stay', () => {
  const whole = new Uint8Array(8);
  release(whole.subarray(2));
  expect(whole.length).toBe(8);
  release(whole);
  expect(whole.length).toBe(0);
});
