import { expect, test } from 'bun:test';
import { monthAt } from './months.ts';
import { createZone } from './zones.ts';

test.each([
  ['UTC', '2026-02-14T12:00:00Z', '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z', 28],
  // Clocks change within the month; the instant is still January in UTC.
  ['Europe/Berlin', '2026-09-30T22:00:00Z', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z', 31],
  ['America/New_York', '2027-01-01T04:59:59Z', '2026-12-01T05:00:00Z', '2027-01-01T05:00:00Z', 31],
  ['Asia/Kolkata', '2024-02-29T18:29:59Z', '2024-01-31T18:30:00Z', '2024-02-29T18:30:00Z', 29],
  // A date was skipped.
  ['Pacific/Apia', '2011-12-15T00:00:00Z', '2011-12-01T10:00:00Z', '2011-12-31T10:00:00Z', 30],
] as const)('the month of %s at %s', (zone, at, from, to, count) => {
  const month = monthAt(createZone(zone), Date.parse(at));
  expect([month.fromMs, month.toMs, month.dates.length]).toEqual([Date.parse(from), Date.parse(to), count]);
  for (const [index, date] of month.dates.entries()) {
    expect(date.startMs).toBe(month.dates[index - 1]?.endMs ?? month.fromMs);
    expect(date.weekday).toBe(new Date(date.day * 86_400_000).getUTCDay());
  }
});
