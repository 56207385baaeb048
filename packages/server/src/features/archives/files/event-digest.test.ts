import { expect, test } from 'bun:test';
import { createEventDigest } from './event-digest.ts';

const FIRST = [7, '11'.repeat(32)] as const;
const SECOND = [12, '22'.repeat(32)] as const;

test.each([
  [[FIRST], 'a41f294323eb2016512d64c871bd14e0e14620fd919608b70cd1a6d3e8ec5907'],
  [[SECOND], '476f86dd76612979f183b13289acddeeb8ccc39bf2d89038b85865b31e6778a5'],
  [[FIRST, SECOND], 'cc1274aaf4a748633854192547f58cfdae525aaa86b6b12f063278f52edf4e33'],
])('the digest of %j is %s', (events, expected) => {
  const digest = createEventDigest();
  for (const [id, hash] of events) digest.add(id, hash);
  expect(digest.hex()).toBe(expected);
});
