import { afterEach, beforeEach, expect, test } from 'bun:test';
import { createTestFolder, type TestFolder } from '../platform/testing/test-folder.ts';
import { openMigrated } from '../schema/open-migrated.ts';
import { getSettings, putSettings, readSetting, writeSettings } from './settings.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.dispose());

test('settings are written together, read by key, replaced and removed', () => {
  const db = openMigrated(folder.path('usage.sqlite'), { now: () => 1 });
  writeSettings(db, [
    { key: 'one', value: '{"a":1}', updatedAtMs: 10 },
    { key: 'two', value: '2', updatedAtMs: 10 },
  ]);
  expect(readSetting(db, 'one')).toEqual({ value: '{"a":1}', updatedAtMs: 10 });
  putSettings({ db, now: () => 20 }, [
    { key: 'one', value: '{"a":2}', updatedAtMs: 20 },
    { key: 'two', value: null, updatedAtMs: 20 },
  ]);
  expect(getSettings({ db }, ['one', 'two', 'three'])).toEqual({ one: { value: '{"a":2}', updatedAtMs: 20 } });
  db.close();
});

test('a failed change rolls back the others', () => {
  const db = openMigrated(folder.path('usage.sqlite'), { now: () => 1 });
  const bad = { key: 'two', value: '2', updatedAtMs: null as unknown as number };
  expect(() => writeSettings(db, [{ key: 'one', value: '1', updatedAtMs: 10 }, bad])).toThrow();
  expect(readSetting(db, 'one')).toBeNull();
  db.close();
});
