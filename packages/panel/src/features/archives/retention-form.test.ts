import { expect, test } from 'bun:test';
import { deletesMore, editableRetention, retentionChange } from './retention-form.ts';

const STORED = {
  enabled: false,
  days: 30,
  enabled_locked: false,
  days_locked: false,
  least_days: 1,
  most_days: 106_751,
};

test('an older server has no retention to edit', () => {
  expect(editableRetention(undefined)).toBeNull();
  expect(editableRetention({ enabled: true, days: 3 })).toBeNull();
  expect(editableRetention({ ...STORED, updated_at_ms: 3 })).toEqual(STORED);
});

test('only what was changed and may be changed is sent', () => {
  expect(retentionChange(STORED, STORED)).toBeNull();
  expect(retentionChange(STORED, { enabled: true, days: 30 })).toEqual({ enabled: true });
  expect(retentionChange(STORED, { enabled: true, days: 60 })).toEqual({ enabled: true, days: 60 });
  expect(retentionChange({ ...STORED, enabled_locked: true }, { enabled: true, days: 60 })).toEqual({ days: 60 });
  expect(retentionChange({ ...STORED, days_locked: true }, { enabled: false, days: 60 })).toBeNull();
});

test.each([
  [{ enabled: false, days: 30 }, { enabled: true, days: 30 }, true],
  [{ enabled: true, days: 30 }, { enabled: true, days: 29 }, true],
  [{ enabled: true, days: 30 }, { enabled: true, days: 31 }, false],
  [{ enabled: true, days: 30 }, { enabled: false, days: 1 }, false],
  [{ enabled: false, days: 30 }, { enabled: false, days: 1 }, false],
])('from %j to %j more is deleted: %p', (stored, form, expected) => {
  expect(deletesMore(stored, form)).toBe(expected);
});
