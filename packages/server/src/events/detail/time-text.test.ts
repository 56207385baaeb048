import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { TIME_BYTES, TimeBytes } from './packed/time-bytes.ts';
import { timestampText } from './time-text.ts';

const LAST_MS = 8_640_000_000_000_000;

const times = new TimeBytes();

function bytesText(timestampMs: number, nanos: number): string {
  const bytes = new Uint8Array(TIME_BYTES + 1);
  return Buffer.from(bytes.subarray(1, times.write(bytes, 1, timestampMs, nanos))).toString();
}

/** As the runtime writes it. */
function expectedText(timestampMs: number, nanos: number): string {
  const text = new Date(timestampMs).toISOString();
  const fraction = (text.slice(-4, -1) + String(nanos).padStart(6, '0')).replace(/0+$/, '');
  return fraction === '' ? `${text.slice(0, -5)}Z` : `${text.slice(0, -4)}${fraction}Z`;
}

test.each([
  [0, 0, '1970-01-01T00:00:00Z'],
  [1_783_036_796_935, 427_382, '2026-07-02T23:59:56.935427382Z'],
  [1_783_036_796_930, 0, '2026-07-02T23:59:56.93Z'],
  [1_783_036_800_000, 1, '2026-07-03T00:00:00.000000001Z'],
  [-1, 0, '1969-12-31T23:59:59.999Z'],
  [LAST_MS, 0, '+275760-09-13T00:00:00Z'],
  [-62_167_219_200_001, 0, '-000001-12-31T23:59:59.999Z'],
])('%d ms and %d ns are %s', (timestampMs, nanos, text) => {
  expect(timestampText(timestampMs, nanos)).toBe(text);
  expect(bytesText(timestampMs, nanos)).toBe(text);
});

test('a time outside the range of a date has no text', () => {
  expect(timestampText(LAST_MS + 86_400_000, 0)).toBe('');
  expect(bytesText(LAST_MS + 86_400_000, 0)).toBe('');
});

test('times in any order are written as the runtime writes them', () => {
  const someMs = fc.oneof(fc.integer({ min: -LAST_MS, max: LAST_MS }), fc.integer({ min: -3e8, max: 3e8 }));
  fc.assert(
    fc.property(someMs, fc.integer({ min: 0, max: 999_999 }), (timestampMs, nanos) => {
      const expected = expectedText(timestampMs, nanos);
      expect(timestampText(timestampMs, nanos)).toBe(expected);
      expect(bytesText(timestampMs, nanos)).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
});
