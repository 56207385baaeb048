import { expect, test } from 'bun:test';
import { createPollPause } from './wait.ts';

const sum = (list: readonly number[]) => list.reduce((total, ms) => total + ms, 0);

test('the pause of a poll reaches 5 s within a minute of silence, and starts anew at an event', () => {
  const pauses = createPollPause(500, () => 5_000);
  const taken = Array.from({ length: 14 }, () => pauses.next());
  expect(taken[0]).toBe(500);
  expect(taken).toEqual(taken.toSorted((a, b) => a - b));
  expect(sum(taken)).toBeLessThan(60_000);
  expect(pauses.next()).toBe(5_000);
  expect(pauses.next()).toBe(5_000);
  pauses.reset();
  expect(pauses.next()).toBe(500);
});

test('the limit may change; a configured pause above it stays', () => {
  let limit = 5_000;
  const pauses = createPollPause(500, () => limit);
  for (let polls = 0; polls < 20; polls += 1) pauses.next();
  limit = 250 * 4;
  expect(pauses.next()).toBe(1_000);
  const slow = createPollPause(20_000, () => limit);
  expect([slow.next(), slow.next()]).toEqual([20_000, 20_000]);
});
