import { expect, test } from 'bun:test';
import { checkMark, checkRequest, isChecked } from './checks.ts';
import { DEFAULT_SETUP } from './setup-form.ts';

const form = { ...DEFAULT_SETUP, adminKey: ' mgr_x ', url: 'gw:8317/management.html', managementKey: ' key ' };

test('each step sends what it is about, and no step the key of a later one', () => {
  expect(checkRequest('adminKey', form)).toEqual({});
  expect(checkRequest('upstream', form)).toEqual({ cpaBaseUrl: 'http://gw:8317', tlsSkipVerify: false });
  expect(checkRequest('managementKey', form)).toMatchObject({ cpaBaseUrl: 'http://gw:8317', cpaManagementKey: 'key' });
  expect(checkRequest('poll', form)).toBeNull();
});

test('a passed check holds for its values only', () => {
  const passed = { upstream: checkMark('upstream', form), managementKey: checkMark('managementKey', form) };
  expect(isChecked('adminKey', form, passed)).toBe(false);
  expect(isChecked('upstream', { ...form, url: ' http://gw:8317/ ' }, passed)).toBe(true);
  expect(isChecked('upstream', { ...form, tlsSkipVerify: true }, passed)).toBe(false);
  for (const change of [{ url: 'gw:8318' }, { managementKey: 'other' }, { adminKey: 'mgr_y' }]) {
    expect(isChecked('managementKey', { ...form, ...change }, passed)).toBe(false);
  }
  expect(isChecked('collection', form, {})).toBe(true);
});
