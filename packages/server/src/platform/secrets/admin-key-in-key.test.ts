import { expect, test } from 'bun:test';
import { holdsAdminKey } from './admin-key-in-key.ts';

const KEY = 'mgr_an-admin-key';

test.each([
  KEY,
  ` ${KEY}\n`,
  `Bearer ${KEY}`,
  `Authorization: Bearer ${KEY}`,
  `"${KEY}"`,
  `bearer '${KEY}'`,
  `${KEY}.`,
  `"${KEY}",`,
])('the admin key is recognized in %p', (text) => {
  expect(holdsAdminKey(text, (key) => key === KEY)).toBe(true);
});

test.each(['', 'Bearer', `${KEY}x`, `x${KEY}`, 'another-key.'])('%p does not hold it', (text) => {
  expect(holdsAdminKey(text, (key) => key === KEY)).toBe(false);
});
