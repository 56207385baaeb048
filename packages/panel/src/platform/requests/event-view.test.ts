import { expect, test } from 'bun:test';
import { runningOf } from '../../features/monitoring/list/running.ts';
import { eventTone } from './event-view.ts';
import { testEvent } from './testing/events.ts';

test.each([
  ['a success', {}, 'okQuiet'],
  ['a failure of the provider', { failed: true, fail_status_code: 503 }, 'bad'],
  ['a failure without a status', { failed: true }, 'bad'],
  ['a client that went away', { failed: true, fail_status_code: 499 }, 'off'],
  ['one that is told by its text alone', { failed: true, fail_summary: 'Post "…": context canceled' }, 'off'],
] as const)('the tone of %s', (_, change, tone) => {
  expect(eventTone(testEvent(1, change))).toBe(tone);
});

test('a client that went away does not stand up in the pattern of its account, but counts', () => {
  const rows = [testEvent(2, { failed: true, fail_status_code: 499 }), testEvent(1, { failed: true })];
  expect(runningOf(rows).get('h2')).toEqual({ recent: [true, false], calls: 2, failed: 2 });
});
