import { describe, expect, test } from 'bun:test';
import vectors from '../fixtures/cooldown-vectors.json';
import { eventOfVector } from '../testing/events.ts';
import { absoluteResetMs, relativeResetMs } from './reset-values.ts';
import { cooldownSignal } from './signals.ts';

test('the fixture has vectors of signals and of reset values', () => {
  expect(vectors.signals.length).toBeGreaterThan(0);
  expect(vectors.resetValues.length).toBeGreaterThan(0);
});

describe('reset values', () => {
  for (const { name, value, relative, baseMs, expectMs } of vectors.resetValues) {
    test(name, () => {
      expect(relative ? relativeResetMs(value, baseMs) : absoluteResetMs(value)).toBe(expectMs);
    });
  }
});

describe('signals', () => {
  for (const { name, event, nowMs, expect: expected } of vectors.signals) {
    for (const evidence of [true, false]) {
      test(`${name}${evidence ? '' : ', evidence not stored'}`, () => {
        const candidate = cooldownSignal(eventOfVector(event, evidence), nowMs);
        if (expected === null || candidate === null) {
          expect<unknown>(candidate).toBe(expected);
          return;
        }
        const { provider, owner, reasonCode, windowKind, recoverAtMs, estimated, evidence: shown } = candidate;
        const found = { provider, owner, reasonCode, windowKind, recoverAtMs, estimated };
        expect<unknown>(shown === null ? found : { ...found, evidence: shown }).toEqual(expected);
        expect(candidate).toMatchObject({ file: event.auth_file_snapshot, authIndex: event.auth_index });
      });
    }
  }

  test('ignores headers in a record that is longer than the search limit', () => {
    const raw = JSON.stringify({
      padding: 'x'.repeat(70_000),
      response_headers: { inner: { reset_at: 1_700_007_200 } },
    });
    const event = eventOfVector(
      {
        fail_status_code: 402,
        provider: 'xai',
        auth_file_snapshot: 'xai-a.json',
        timestamp_ms: 1_700_000_000_000,
        fail_body: '{"code":"subscription:free-usage-exhausted"}',
        raw_json: raw,
      },
      true,
    );
    expect(cooldownSignal(event, 1_700_000_000_000)?.recoverAtMs).toBe(1_700_086_400_000);
  });
});
