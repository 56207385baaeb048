import { describe, expect, test } from 'bun:test';
import {
  dateAndTime,
  datedDay,
  dayOrTime,
  dayRange,
  fromInputValue,
  isoWithOffset,
  isSameDay,
  shortTime,
  startOfDay,
  timeFromTyping,
  timeOfDay,
  toInputValue,
  weekdayOf,
  zoneOffset,
} from './time.ts';

const HOUR = 3_600_000;
const at = (text: string): number => Date.parse(text);

describe('instants as text', () => {
  const ms = at('2026-08-27T12:32:06Z');

  test('time and date follow the zone and the language', () => {
    expect(timeOfDay(ms, 'Europe/Berlin')).toBe('14:32:06');
    expect(timeOfDay(ms, 'UTC')).toBe('12:32:06');
    expect(dateAndTime(ms, 'Europe/Berlin', 'en-GB')).toBe('27 Aug 14:32:06');
    expect(dateAndTime(ms, 'Asia/Shanghai', 'zh-CN')).toBe('8月27日 20:32:06');
  });

  test('days and spans of days carry the year', () => {
    expect(datedDay(ms, 'Europe/Berlin', 'en-GB')).toBe('27 Aug 2026');
    expect(datedDay(ms, 'Asia/Shanghai', 'zh-CN')).toBe('2026年8月27日');
    // The dash is between thin spaces.
    const span = (from: string) => dayRange(at(from), ms, 'UTC', 'en-GB').replaceAll(/\s/g, ' ');
    expect(span('2026-07-21T00:00:00Z')).toBe('21 Jul – 27 Aug 2026');
    expect(span('2025-12-31T00:00:00Z')).toBe('31 Dec 2025 – 27 Aug 2026');
  });

  test('a weekday is that of the zone, counted from Sunday', () => {
    expect(weekdayOf(at('2026-08-30T21:30:00Z'), 'Europe/Berlin')).toBe(0);
    expect(weekdayOf(at('2026-08-30T21:30:00Z'), 'Asia/Tokyo')).toBe(1);
  });

  test('midnight is 00, not 24', () => {
    expect(timeOfDay(at('2026-08-27T00:00:00Z'), 'UTC')).toBe('00:00:00');
  });

  test('an absent time is a dash, never 1970', () => {
    for (const absent of [0, null, undefined, Number.NaN]) expect(timeOfDay(absent, 'UTC')).toBe('–');
  });

  test('only another day carries its date', () => {
    expect(shortTime(ms, ms + HOUR, 'UTC', 'en-GB')).toBe('12:32:06');
    expect(shortTime(ms, ms + 24 * HOUR, 'UTC', 'en-GB')).toBe('27 Aug 12:32:06');
  });

  test('where there is room for one of them, today has the time and another day its date', () => {
    const now = Date.UTC(2026, 7, 27, 12);
    expect(dayOrTime(now - 3_600_000, now, 'UTC', 'en-GB')).toBe('11:00');
    expect(dayOrTime(now - 24 * 3_600_000, now, 'UTC', 'en-GB')).toBe('26 Aug');
    expect(dayOrTime(0, now, 'UTC', 'en-GB')).toBe('–');
  });

  test('a copied time carries its offset', () => {
    expect(isoWithOffset(ms, 'Europe/Berlin')).toBe('2026-08-27T14:32:06.000+02:00');
    expect(isoWithOffset(ms, 'America/New_York')).toBe('2026-08-27T08:32:06.000-04:00');
    expect(isoWithOffset(ms, 'Asia/Kathmandu')).toBe('2026-08-27T18:17:06.000+05:45');
  });
});

describe('local days', () => {
  test('a day begins at local midnight', () => {
    expect(startOfDay(at('2026-08-27T12:32:06Z'), 'Europe/Berlin')).toBe(at('2026-08-26T22:00:00Z'));
    expect(startOfDay(at('2026-08-27T12:32:06Z'), 'Europe/Berlin', 6)).toBe(at('2026-08-20T22:00:00Z'));
  });

  test('a day of 23 and one of 25 hours', () => {
    const spring = startOfDay(at('2026-03-29T12:00:00Z'), 'Europe/Berlin');
    expect(startOfDay(at('2026-03-30T12:00:00Z'), 'Europe/Berlin') - spring).toBe(23 * HOUR);
    const autumn = startOfDay(at('2026-10-25T12:00:00Z'), 'Europe/Berlin');
    expect(startOfDay(at('2026-10-26T12:00:00Z'), 'Europe/Berlin') - autumn).toBe(25 * HOUR);
  });

  test('two instants are of one day exactly where it began at the same instant', () => {
    const changes: readonly (readonly [string, string])[] = [
      ['Europe/Berlin', '2026-03-29T01:00:00Z'],
      ['Europe/Berlin', '2026-10-25T01:00:00Z'],
      ['America/Santiago', '2024-09-08T04:00:00Z'],
      ['Antarctica/Troll', '2026-10-25T01:00:00Z'],
      ['Asia/Kathmandu', '2026-08-27T18:15:00Z'],
    ];
    let same = 0;
    for (const [zone, change] of changes) {
      for (let hours = -30; hours <= 30; hours += 2.5) {
        for (const apart of [0, 0.5, 5, 22.5, 23.5, 24.5, 25.5, 48]) {
          const [one, other] = [at(change) + hours * HOUR, at(change) + (hours + apart) * HOUR];
          const expected = startOfDay(one, zone) === startOfDay(other, zone);
          expect([zone, one, other, isSameDay(one, other, zone)]).toEqual([zone, one, other, expected]);
          expect(isSameDay(other, one, zone)).toBe(expected);
          if (expected) same += 1;
        }
      }
    }
    expect(same).toBeGreaterThan(300);
  });

  test('a skipped midnight gives the first instant of the day', () => {
    // Clocks went from 00:00 to 01:00 on this day.
    const start = startOfDay(at('2024-09-08T12:00:00Z'), 'America/Santiago');
    expect(new Date(start).toISOString()).toBe('2024-09-08T04:00:00.000Z');
  });

  test('offsets before 1970 and with seconds do not break', () => {
    expect(zoneOffset(1, 'Europe/Berlin')).toBe(HOUR);
  });

  test('values of date fields survive the way there and back', () => {
    const text = toInputValue(at('2026-08-27T12:32:00Z'), 'Europe/Berlin');
    expect(text).toBe('2026-08-27T14:32');
    expect(fromInputValue(text, 'Europe/Berlin')).toBe(at('2026-08-27T12:32:00Z'));
    for (const none of ['', '2026-08-27T24:00', '2026-08-27T12:60', '2026-08-27T9:00', '2026-08-27T']) {
      expect(fromInputValue(none, 'UTC')).toBeNull();
    }
  });

  test.each([
    ['9', '09:00'],
    ['9:5', '09:05'],
    ['905', '09:05'],
    ['0905', '09:05'],
    [' 23.59 ', '23:59'],
    ['24:00', null],
    ['12:60', null],
    ['noon', null],
    ['', null],
  ])('the typed time %p is %p', (typed, time) => {
    expect(timeFromTyping(typed)).toBe(time);
  });
});
