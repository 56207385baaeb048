import { expect, test } from 'bun:test';
import { EMPTY_QUOTA_STATE } from '@manager/core/accounts/quota/lifecycle-state';
import { DAY, fiveHour, HOUR, observationAt, recorder, T0, weekly } from '@manager/core/accounts/testing/quota';
import { decodeState, encodeState } from './state-codec.ts';

test('a state is the same after storing it', () => {
  const r = recorder();
  r.see(observationAt(T0, [fiveHour(5, T0 + HOUR), weekly(10, T0 + DAY)]));
  r.see(observationAt(T0 + HOUR + 1, [fiveHour(1, T0 + 6 * HOUR), weekly(null, T0 + DAY)]));
  r.see(observationAt(T0, [weekly(7, T0 + DAY, { provider_window_id: 'x' })], { inventoryScope: 'codex:other' }));
  expect(decodeState(encodeState(r.state()))).toEqual(r.state());
  expect(decodeState(encodeState(EMPTY_QUOTA_STATE))).toEqual(EMPTY_QUOTA_STATE);
});

test('windows of a watermark take nearly no space while they equal the current ones', () => {
  const r = recorder();
  r.see(observationAt(T0, [fiveHour(5, T0 + HOUR), weekly(10, T0 + DAY)]));
  const small = encodeState(r.state()).length;
  r.see(observationAt(T0 + 1, [], { source: 'inspection' }));
  expect(encodeState(r.state()).length).toBeLessThan(small + 20);
});

test('cycles that are not shown are dropped, and the state does not grow with time', () => {
  const r = recorder();
  const end = (index: number) => T0 + index * 5 * HOUR;
  for (let index = 1; index <= 30; index += 1) r.see(observationAt(end(index) - HOUR, [fiveHour(50, end(index))]));
  const kept = decodeState(encodeState(r.state()));
  const cycles = r.window('five-hour').cycles;
  expect(cycles).toHaveLength(30);
  expect(kept.windows[0]?.cycles).toEqual(cycles.slice(-3));
});
