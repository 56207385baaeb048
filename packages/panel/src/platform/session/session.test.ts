import { describe, expect, test } from 'bun:test';
import { parseSession } from './session.ts';

const base = 'http://gw.example.com/';
const entry = { key: 'mgr_x', base, mode: 'manager' };

describe('a stored session', () => {
  test('counts for its own address and server', () => {
    expect(parseSession(entry, base, 1)).toEqual({ key: 'mgr_x', base, mode: 'manager' });
    expect(parseSession(entry, 'http://other.example.com/', 1)).toBeNull();
    expect(parseSession({ ...entry, mode: 'other' }, base, 1)).toBeNull();
    expect(parseSession({ ...entry, mode: undefined }, base, 1)).toBeNull();
  });

  test('goes to a chosen address only from the page of a gateway', () => {
    const address = 'http://gateway.example.com/';
    const gateway = { ...entry, mode: 'gateway' };
    expect(parseSession(gateway, base, 1)).toEqual({ key: 'mgr_x', base, mode: 'gateway' });
    expect(parseSession({ ...gateway, address }, base, 1)?.base).toBe(address);
    expect(parseSession({ ...gateway, address: 7 }, base, 1)?.base).toBe(base);
    expect(parseSession({ ...entry, address }, base, 1)?.base).toBe(base);
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
