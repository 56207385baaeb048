import type { UsageEvent } from '@manager/core/usage/event';
import fc from 'fast-check';

export const someText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '-', '0', '007', '37', '\0', '\u0000\u0001', '"', '\\', '\\"', '\ufeffmark', 'ünïcödé 語 😀'),
  fc.constantFrom('Tue, 01 Sep 2026 08:00:01 GMT', 'Thu, 32 Foo 2026 08:00:01 GMT', '1788250000', '9007199254740993'),
  fc.constantFrom('a2b3c4d5-e6f7-4a8b-9c0d-1e2f3a4b5c6d', 'req_feaf2fc1472ad67efc7c8950', 'a6648147ce0f11c5-FRA'),
  fc.stringMatching(/^[0-9a-f]{1,70}$/),
);
const someCount = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
  fc.constantFrom(0, 47, 48, 4_143, 4_144, 1_788_250_000, 1_788_250_000_123, Number.MAX_SAFE_INTEGER, -1),
);
export const someJson = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value)),
  fc.constantFrom(
    '',
    '{',
    '{"a":"',
    `{"n":${'7'.repeat(300)}}`,
    '{"a":-0,"b":1.50,"c":1e400,"d":[01]}',
    '"\\\\"',
    '[1,1,1,"1"]',
    'not json at all',
  ),
  someText,
);

/** Any values in the members of an event, also such that no reader makes. */
export function anyEvent(
  template: UsageEvent,
  texts: fc.Arbitrary<string> = someText,
  json = someJson,
): fc.Arbitrary<UsageEvent> {
  return fc
    .record(
      Object.fromEntries(
        Object.entries(template).map(([name, value]): [string, fc.Arbitrary<unknown>] => {
          if (name.endsWith('_json')) return [name, json];
          if (name === 'timestamp_ms' || name === 'created_at_ms') {
            return [name, fc.integer({ min: -8_640_000_000_000_000, max: 8_640_000_000_000_000 })];
          }
          if (name === 'cache_input_mode') return [name, fc.constantFrom('included_in_input', 'separate_from_input')];
          if (name === 'token_quality') return [name, fc.constantFrom('', 'complete', 'inconsistent', 'unclassified')];
          if (name === 'header_quota_used_percent') {
            // Nothing shows the sign of 0.
            const ratio = fc.double({ noNaN: true }).map((value) => value || 0);
            return [name, fc.option(ratio, { nil: null })];
          }
          if (typeof value === 'boolean') return [name, fc.boolean()];
          if (
            value === null ||
            name.startsWith('header_quota_recover') ||
            name === 'latency_ms' ||
            name === 'ttft_ms'
          ) {
            return [name, fc.option(someCount, { nil: null })];
          }
          return [name, typeof value === 'number' ? someCount : texts];
        }),
      ),
    )
    .map((members) => ({ ...template, ...members }) as UsageEvent);
}
