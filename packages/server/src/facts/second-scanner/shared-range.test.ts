import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { fillRange, MOST_SEGMENTS, sharedRange } from './shared-range.ts';

test('every place is taken once, from both ends', () => {
  fc.assert(
    fc.property(fc.oneof(fc.nat(40), fc.constant(MOST_SEGMENTS)), fc.infiniteStream(fc.boolean()), (count, turns) => {
      const memory = new Int32Array(2);
      fillRange(memory, 1, count);
      const range = sharedRange(memory, 1);
      const [first, last]: [number[], number[]] = [[], []];
      for (const isFirst of turns) {
        expect(range.isEmpty()).toBe(first.length + last.length === count);
        const place = isFirst ? range.takeFirst() : range.takeLast();
        if (place < 0) break;
        (isFirst ? first : last).push(place);
      }
      expect([...first, ...last.reverse()]).toEqual(Array.from({ length: count }, (_, place) => place));
      expect(memory[0]).toBe(0);
    }),
    { numRuns: 20 },
  );
});
