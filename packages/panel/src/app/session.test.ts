import { describe, expect, test } from 'bun:test';
import { parseSession } from './session.ts';

const base = 'http://gw.example.com/';
const entry = { key: 'mgr_x', base, mode: 'manager' };

describe('a stored session', () => {
  test('counts for its own address and server', () => {
    expect(parseSession(entry, base, 1)).toEqual({ key: 'mgr_x', base });
    expect(parseSession(entry, 'http://other.example.com/', 1)).toBeNull();
    expect(parseSession({ ...entry, mode: 'gateway' }, base, 1)).toBeNull();
  });

  test('ends with its time', () => {
    expect(parseSession({ ...entry, expiresAtMs: 100 }, base, 99)).not.toBeNull();
    expect(parseSession({ ...entry, expiresAtMs: 100 }, base, 100)).toBeNull();
    expect(parseSession({ ...entry, expiresAtMs: 'never' }, base, 1)).toBeNull();
  });

  test('is dropped when it is damaged', () => {
    for (const damaged of [null, undefined, 'mgr_x', [], {}, { ...entry, key: '' }, { ...entry, key: 7 }]) {
      expect(parseSession(damaged, base, 1)).toBeNull();
    }
  });
});
