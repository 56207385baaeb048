import { expect, test } from 'bun:test';
import { createZone } from '@manager/core/time/zones';
import { isQuiet } from './quiet-hours.ts';

const NIGHT = { from: '22:00', to: '07:00' };
const BERLIN = createZone('Europe/Berlin');

const quietAt = (text: string, hours: { from: string; to: string } | null = NIGHT, zone = BERLIN) =>
  isQuiet(hours, zone, Date.parse(text));

test('no quiet hours are never quiet', () => {
  expect(quietAt('2026-01-10T02:00:00Z', null)).toBe(false);
  expect(quietAt('2026-01-10T02:00:00Z', { from: '05:00', to: '05:00' })).toBe(false);
});

test('they begin and end at local times, over midnight', () => {
  expect(quietAt('2026-01-10T20:59:59Z')).toBe(false);
  expect(quietAt('2026-01-10T21:00:00Z')).toBe(true);
  expect(quietAt('2026-01-11T05:59:59Z')).toBe(true);
  expect(quietAt('2026-01-11T06:00:00Z')).toBe(false);
});

test('within one day', () => {
  const lunch = { from: '12:00', to: '13:30' };
  expect(quietAt('2026-01-10T10:59:00Z', lunch)).toBe(false);
  expect(quietAt('2026-01-10T11:00:00Z', lunch)).toBe(true);
  expect(quietAt('2026-01-10T12:29:00Z', lunch)).toBe(true);
  expect(quietAt('2026-01-10T12:30:00Z', lunch)).toBe(false);
});

test('the night in which summer time begins ends at seven on the wall', () => {
  // 2026-03-29, 02:00 becomes 03:00: seven is five in UTC, an hour earlier than the day before.
  expect(quietAt('2026-03-28T05:30:00Z')).toBe(true);
  expect(quietAt('2026-03-29T04:59:00Z')).toBe(true);
  expect(quietAt('2026-03-29T05:00:00Z')).toBe(false);
});

test('hours that summer time skips are not quiet; those after them are', () => {
  const skipped = { from: '02:15', to: '02:45' };
  for (let minute = 0; minute < 120; minute += 1) {
    expect(isQuiet(skipped, BERLIN, Date.parse('2026-03-29T00:00:00Z') + minute * 60_000)).toBe(false);
  }
  expect(quietAt('2026-03-29T01:10:00Z', { from: '02:15', to: '03:30' })).toBe(true);
});

test('an hour that winter time repeats is quiet both times', () => {
  const repeated = { from: '02:00', to: '03:00' };
  expect(quietAt('2026-10-25T00:30:00Z', repeated)).toBe(true);
  expect(quietAt('2026-10-25T01:30:00Z', repeated)).toBe(true);
  expect(quietAt('2026-10-25T02:00:00Z', repeated)).toBe(false);
});

test('zones with half an hour, and times before 1970', () => {
  expect(quietAt('2026-01-10T16:30:00Z', NIGHT, createZone('Asia/Kolkata'))).toBe(true);
  expect(quietAt('2026-01-10T16:29:00Z', NIGHT, createZone('Asia/Kolkata'))).toBe(false);
  expect(quietAt('1969-12-31T23:00:00Z', NIGHT, createZone(''))).toBe(true);
});
