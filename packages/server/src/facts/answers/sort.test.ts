import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { byBytes, sortTexts } from './sort.ts';

test('texts are ordered as their UTF-8 bytes are', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ud7ff', '\ue000', '\uffff', '😀', '𐀀', '') });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
      expect(Math.sign(byBytes(left, right))).toBe(bytes);
    }),
  );
});

test('lists are distinct and without the empty text', () => {
  expect(sortTexts(['b', '', 'a', 'b', '😀', '\uffff'])).toEqual(['a', 'b', '\uffff', '😀']);
});
