import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { createPairTable } from './pair-table.ts';

test('equal pairs have equal numbers, in order of appearance, however wide the parts are', () => {
  const part = fc.oneof(fc.nat(3), fc.nat(200), fc.nat(3_000));
  const list = fc.array(fc.tuple(part, part), { maxLength: 300 });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 5 }), fc.nat(4), (lists, clonedAt) => {
      const known = new Map<string, number>();
      let table = createPairTable();
      for (const [round, pairs] of lists.entries()) {
        if (round === clonedAt) {
          const original = table;
          table = original.clone();
          original.number(Uint32Array.of(9_999), 10_000, Uint32Array.of(9_999), 10_000, 1, new Uint32Array(1));
        }
        const left = Uint32Array.from(pairs, ([value]) => value);
        const right = Uint32Array.from(pairs, ([, value]) => value);
        const leftCount = Math.max(0, ...left) + 1;
        table.number(left, leftCount, right, Math.max(0, ...right) + 1, pairs.length, left);
        const expected = pairs.map(([a, b]) => {
          const key = `${a},${b}`;
          const number = known.get(key) ?? known.size;
          known.set(key, number);
          return number;
        });
        expect([...left]).toEqual(expected);
      }
      expect(table.count()).toBe(known.size);
      const parts = Array.from({ length: table.count() }, (_, pair) => `${table.leftOf(pair)},${table.rightOf(pair)}`);
      expect(parts).toEqual([...known.keys()]);
    }),
  );
});
