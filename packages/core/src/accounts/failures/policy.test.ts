import { describe, expect, test } from 'bun:test';
import vectors from '../fixtures/cooldown-vectors.json';
import { storedMetadata } from '../stored-texts.ts';
import { eventOfVector } from '../testing/events.ts';
import { failureCodes } from './codes.ts';
import { failureDecision } from './policy.ts';

test('the fixture has vectors of the policy and of failure codes', () => {
  expect(vectors.policy.length).toBeGreaterThan(0);
  expect(vectors.failureCodes.length).toBeGreaterThan(0);
});

describe('policy', () => {
  for (const { name, row, input, expect: expected } of vectors.policy) {
    test(`${row} ${name}`, () => {
      const decision = failureDecision(input);
      if (expected === null || decision === null) expect<unknown>(decision).toBe(expected);
      else expect<object>(decision).toMatchObject(expected);
    });
  }
});

describe('failure codes', () => {
  for (const { name, event, expect: expected } of vectors.failureCodes) {
    test(name, () => {
      const stored = eventOfVector(event, false);
      expect(failureCodes(stored, storedMetadata(stored))).toEqual(expected);
    });
  }

  test('only the failure of an original record is searched', () => {
    const raw_json = JSON.stringify({ type: 'openai', code: 'not-of-the-error', fail: { body: { code: 'x' } } });
    const event = eventOfVector({ raw_json }, false);
    expect(failureCodes(event, {})).toEqual({ code: 'x', type: '' });
  });

  test('an answer that only asks to wait does not hide the code in its body', () => {
    const event = eventOfVector(
      { fail_body: '{"code":"permission-denied"}', response_headers: { 'Retry-After': ['5'] }, fail_status_code: 403 },
      false,
    );
    expect(failureCodes(event, storedMetadata(event))).toEqual({ code: 'permission-denied', type: '' });
  });
});
