import { describe, expect, test } from 'bun:test';
import { NOW, rowOf } from './testing/accounts.ts';

const buckets = (...recent_requests: readonly (readonly [success: number, failed: number])[]) => ({
  recent_requests: recent_requests.map(([success, failed]) => ({ success, failed })),
});
const alone = (entry: Readonly<Record<string, unknown>>) => rowOf({ managed: false }, entry);

describe('an account of a gateway without manager', () => {
  test('works when it answered recently, and is unknown when it was not used', () => {
    expect(alone(buckets([0, 3], [1, 2])).availability).toMatchObject({
      state: 'available',
      by: 'success',
      failures: 0,
    });
    expect(alone(buckets([0, 0], [0, 0])).availability.state).toBe('unconfirmed');
    expect(alone({}).availability.state).toBe('unconfirmed');
  });

  test('fails when nothing but failures came since its last success', () => {
    const { availability, recent } = alone(buckets([5, 1], [0, 2], [0, 3]));
    expect(availability).toMatchObject({ state: 'failing', failures: 5, sinceMs: NOW });
    expect(recent).toMatchObject({ success: 5, failed: 6, minutes: 30 });
  });

  test('has no such counts where a manager knows each request', () => {
    expect(rowOf({}, buckets([5, 1])).recent).toBeNull();
    expect(rowOf({}, buckets([5, 1])).availability.state).toBe('unconfirmed');
  });
});
