import { expect, test } from 'bun:test';
import { createIdleTimer } from './idle-timer.ts';

test('after the last work it is idle, once, and again after more work', async () => {
  let idle = Promise.withResolvers<void>();
  let calls = 0;
  const timer = createIdleTimer({
    afterMs: 1,
    onIdle: () => {
      calls++;
      idle.resolve();
    },
  });
  for (const expected of [1, 2]) {
    idle = Promise.withResolvers();
    timer.touch();
    timer.touch();
    await idle.promise;
    expect(calls).toBe(expected);
  }
});
