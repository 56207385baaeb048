import { describe, expect, test } from 'bun:test';
import vectors from './fixtures/inspection-vectors.json';
import { vectorsOf } from './inspection/testing.ts';
import { isConfirmedMutation } from './mutation-answer.ts';

describe('a change is confirmed', () => {
  for (const { body, expect: expected } of vectorsOf(vectors.actionResponse)) {
    test(`${expected ? 'by' : 'not by'} ${body || 'an empty body'}`, () => {
      expect(isConfirmedMutation(body)).toBe(expected);
    });
  }

  for (const body of [
    '{"ok":true,"failed":1}',
    '{"ok":true,"failed":true}',
    '{"ok":true,"error":{"code":1}}',
    '{"ok":true,"status":"failed"}',
    '{"ok":false,"success":true}',
    '{"status":"done"}',
    'null',
  ]) {
    test(`not by ${body}`, () => {
      expect(isConfirmedMutation(body)).toBe(false);
    });
  }

  test('by members that report no failure', () => {
    expect(isConfirmedMutation('{"status":"success","failed":0,"error":" "}')).toBe(true);
  });

  test('not by more than 4 MiB', () => {
    expect(isConfirmedMutation(`{"ok":true,"text":"${'x'.repeat(4 * 1024 * 1024)}"}`)).toBe(false);
  });
});
