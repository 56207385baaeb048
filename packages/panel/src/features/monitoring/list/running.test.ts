import { expect, test } from 'bun:test';
import { testEvent } from '../../../platform/requests/testing/events.ts';
import { runningOf } from './running.ts';

test('a canceled request is no failure in the pattern of its account, but counts', () => {
  const rows = [testEvent(2, { failed: true, fail_status_code: 499 }), testEvent(1, { failed: true })];
  expect(runningOf(rows).get('h2')).toEqual({ recent: [true, false], calls: 2, failed: 2 });
});
