import { expect, test } from 'bun:test';
import { testEvent } from '../../platform/requests/testing/events.ts';
import { eventTone } from './event-tone.ts';

test.each([
  ['a success', {}, 'okQuiet'],
  ['a failure of the provider', { failed: true, fail_status_code: 503 }, 'bad'],
  ['a failure without a status', { failed: true }, 'bad'],
  ['a client that went away', { failed: true, fail_status_code: 499 }, 'off'],
  ['one that is told by its text alone', { failed: true, fail_summary: 'Post "…": context canceled' }, 'off'],
] as const)('the tone of %s', (_, change, tone) => {
  expect(eventTone(testEvent(1, change))).toBe(tone);
});
