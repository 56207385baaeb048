import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { escapedBytes, twiceEscapedBytes } from './archive-size.ts';

const someText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom('"', '\\', '\n', '\u0001', '\ud83d', '\ude00', 'é', '語', 'a'), { maxLength: 20 })
    .map((units) => units.join('')),
);

test('the bytes of a JSON string equal those of the runtime', () => {
  fc.assert(
    fc.property(someText, (text) => {
      const wellFormed = text.toWellFormed();
      expect(escapedBytes(wellFormed)).toBe(Buffer.byteLength(JSON.stringify(wellFormed)) - 2);
      expect(twiceEscapedBytes(text)).toBe(Buffer.byteLength(JSON.stringify(JSON.stringify(text))) - 2);
    }),
    { numRuns: 1_000 },
  );
});
