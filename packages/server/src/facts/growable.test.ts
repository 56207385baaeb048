import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { growableNumbers, growableSymbols } from './growable.ts';

const anyNumber = fc.oneof(
  { weight: 20, arbitrary: fc.nat(255) },
  fc.nat(65_535),
  fc.nat(0xffff_ffff),
  fc.constantFrom(256, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53 - 1, -1, -8.64e15, 0.5),
);

/** Rows in which the column is the second one. */
function rowsOf(values: readonly number[]): readonly (readonly unknown[])[] {
  return values.map((value) => ['another column', value]);
}

test('numbers of any width are kept, also in views from before they grew', () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyNumber, { minLength: 1, maxLength: 40 }), { minLength: 1 }), (slices) => {
      const growable = growableNumbers(8);
      const added: number[] = [];
      const views = slices.map((slice) => {
        growable.append(rowsOf(slice), 1);
        added.push(...slice);
        return { column: growable.column(), expected: [...added] };
      });
      for (const { column, expected } of views) {
        expect(column.base).toBe(0);
        expect([...(column.values ?? [])]).toEqual(expected);
      }
    }),
  );
});

test('a number takes as many bytes as the largest one needs', () => {
  const growable = growableNumbers();
  const widths = [255, 256, 65_535, 65_536, 0xffff_ffff, 7, 2 ** 32].map((value) => {
    growable.append(rowsOf([value]), 1);
    return growable.column().values?.BYTES_PER_ELEMENT;
  });
  expect(widths).toEqual([1, 2, 2, 4, 4, 4, 8]);
});

test('symbols are kept beyond the codes of one and of two bytes', () => {
  const growable = growableSymbols();
  const symbols = Array.from({ length: 70_000 }, (_, row) => 7 + ((row * 31) % 66_000));
  const widths: number[] = [];
  for (let from = 0; from < symbols.length; from += 250) {
    growable.append(rowsOf(symbols.slice(from, from + 250)), 1);
    const width = growable.column().codes?.BYTES_PER_ELEMENT ?? 0;
    if (widths.at(-1) !== width) widths.push(width);
  }
  expect(widths).toEqual([1, 2, 4]);
  const { set, codes } = growable.column();
  expect(Array.from(codes ?? [], (code) => set[code] ?? -1)).toEqual(symbols);
});
