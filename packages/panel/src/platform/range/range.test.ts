import { describe, expect, test } from 'bun:test';
import { rangeText } from './labels.ts';
import { comparesEqual, namedRange, type RangeName, resolveCompare, resolveRange, shiftRange } from './range.ts';
import { type RangeRules, readCompare, readRange, writeCompare, writeRange } from './range-url.ts';

const now = Date.parse('2026-08-27T12:32:06Z');
const resolve = (name: RangeName, fromMs: number | null = null, toMs: number | null = null) =>
  resolveRange({ name, fromMs, toMs }, now, 'Europe/Berlin');

describe('ranges', () => {
  test.each([
    ['1h', '2026-08-27T11:32:06.000Z'],
    ['today', '2026-08-26T22:00:00.000Z'],
    ['24h', '2026-08-26T12:32:06.000Z'],
    ['7d', '2026-08-20T22:00:00.000Z'],
    ['30d', '2026-07-28T22:00:00.000Z'],
    ['all', '1970-01-01T00:00:00.001Z'],
  ] as const)('%s begins at %s and ends now', (name, from) => {
    const range = resolve(name);
    expect(new Date(range.fromMs).toISOString()).toBe(from);
    expect(range.moving).toBe(true);
    expect(range.toMs).toBeGreaterThan(now);
    expect(range.toMs - now).toBeLessThan(10_000);
  });

  test('yesterday does not move', () => {
    expect(resolve('yesterday')).toEqual({
      fromMs: Date.parse('2026-08-25T22:00:00Z'),
      toMs: Date.parse('2026-08-26T22:00:00Z'),
      moving: false,
    });
  });

  test('last week begins with a Monday, last month with its first day, and neither moves', () => {
    const iso = ({ fromMs, toMs, moving }: ReturnType<typeof resolve>) =>
      [fromMs, toMs].map((ms) => new Date(ms).toISOString()).concat(String(moving));
    expect(iso(resolve('last_week'))).toEqual(['2026-08-16T22:00:00.000Z', '2026-08-23T22:00:00.000Z', 'false']);
    expect(iso(resolve('last_month'))).toEqual(['2026-06-30T22:00:00.000Z', '2026-07-31T22:00:00.000Z', 'false']);
    const sunday = Date.parse('2026-08-30T21:30:00Z');
    expect(iso(resolveRange(namedRange('last_week'), sunday, 'Europe/Berlin'))[0]).toBe('2026-08-16T22:00:00.000Z');
    expect(iso(resolveRange(namedRange('last_week'), sunday, 'Asia/Tokyo'))[0]).toBe('2026-08-23T15:00:00.000Z');
  });

  test.each([
    ['today', '2026-08-25T22:00:00.000Z', '2026-08-26T22:00:00.000Z'],
    ['7d', '2026-08-13T22:00:00.000Z', '2026-08-20T22:00:00.000Z'],
    ['month', '2026-06-30T22:00:00.000Z', '2026-07-31T22:00:00.000Z'],
    ['last_month', '2026-05-31T22:00:00.000Z', '2026-06-30T22:00:00.000Z'],
    ['last_week', '2026-08-09T22:00:00.000Z', '2026-08-16T22:00:00.000Z'],
    ['24h', '2026-08-25T12:32:04.000Z', '2026-08-26T12:32:06.000Z'],
  ] as const)('the time before %s is as long, of whole days where its own are', (name, from, to) => {
    const before = shiftRange(resolve(name), -1, now, 'Europe/Berlin');
    expect([before?.fromMs, before?.toMs].map((ms) => new Date(ms ?? 0).toISOString())).toEqual([from, to]);
  });

  test('a neighbor begins at midnight, also beside a day without one', () => {
    const zone = 'America/Santiago';
    const day = (from: string, to: string) => ({ fromMs: Date.parse(from), toMs: Date.parse(to), moving: false });
    // Clocks go from 00:00 to 01:00 on the 6th.
    const skipped = day('2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z');
    const [before, after] = ([-1, 1] as const).map((step) => shiftRange(skipped, step, now + 30 * 86_400_000, zone));
    expect(before).toMatchObject({ fromMs: Date.parse('2026-09-05T04:00:00Z'), toMs: skipped.fromMs });
    expect(after).toMatchObject({ fromMs: skipped.toMs, toMs: Date.parse('2026-09-08T03:00:00Z') });
    // The month began at 01:00.
    const month = day('2017-10-01T04:00:00Z', '2017-11-01T03:00:00Z');
    expect(shiftRange(month, -1, now, 'America/Asuncion')?.fromMs).toBe(Date.parse('2017-09-01T04:00:00Z'));
  });

  test('a custom range that ends in the future is cut to now', () => {
    expect(resolve('custom', now - 1000, now + 86_400_000).toMs).toBeLessThan(now + 10_000);
    expect(resolve('custom', now - 1000, now + 86_400_000).moving).toBe(true);
    expect(resolve('custom', 1000, 2000)).toEqual({ fromMs: 1000, toMs: 2000, moving: false });
  });

  test('the neighbour has the same length and lies in the past', () => {
    const range = { fromMs: 5000, toMs: 7000, moving: false };
    expect(shiftRange(range, -1, now, 'UTC')).toEqual({ name: 'custom', fromMs: 3000, toMs: 5000 });
    expect(shiftRange(range, 1, 6000, 'UTC')).toBeNull();
    expect(shiftRange({ fromMs: 1, toMs: now, moving: true }, -1, now, 'UTC')).toBeNull();
  });

  test('ranges of several days roll where a page wants it, a month starts with its first day', () => {
    expect(resolveRange(namedRange('7d'), now, 'Europe/Berlin', true).fromMs).toBe(now - 7 * 86_400_000);
    expect(new Date(resolve('month').fromMs).toISOString()).toBe('2026-07-31T22:00:00.000Z');
  });

  test('days stay days when the clock is changed between them', () => {
    // Berlin: 29 March 2026 has 23 hours.
    const range = { fromMs: Date.parse('2026-03-28T23:00Z'), toMs: Date.parse('2026-03-29T22:00Z'), moving: false };
    const iso = (ms: number | null | undefined) => new Date(ms ?? 0).toISOString().slice(0, 16);
    const before = shiftRange(range, -1, now, 'Europe/Berlin');
    expect([iso(before?.fromMs), iso(before?.toMs)]).toEqual(['2026-03-27T23:00', '2026-03-28T23:00']);
    const after = shiftRange(range, 1, now, 'Europe/Berlin');
    expect([iso(after?.fromMs), iso(after?.toMs)]).toEqual(['2026-03-29T22:00', '2026-03-30T22:00']);
    expect(rangeText(range, 'Europe/Berlin', 'en-GB')).toBe('29 Mar');
  });
});

describe('comparison', () => {
  const range = { fromMs: 5_000, toMs: 7_000, moving: true };

  test('is with nothing, the equal range right before, or any other', () => {
    expect(resolveCompare({ kind: 'none' }, range, 'UTC')).toBeNull();
    expect(resolveCompare({ kind: 'previous' }, range, 'UTC')).toEqual({ fromMs: 3_000, toMs: 5_000, moving: true });
    expect(resolveCompare({ kind: 'custom', fromMs: 1, toMs: 9 }, range, 'UTC')).toMatchObject({ fromMs: 1, toMs: 9 });
    expect(resolveCompare({ kind: 'previous' }, { fromMs: 1, toMs: 7_000, moving: true }, 'UTC')).toBeNull();
  });
});

describe('the time before a range of the calendar', () => {
  const zone = 'Europe/Berlin';
  /** Local wall clock of summer time, like the texts below. */
  const at = (text: string) => Date.parse(`${text}+02:00`);
  const before = (name: RangeName, nowText: string, span: readonly [string, string] | null = null) => {
    const [fromMs, toMs] = span === null ? [null, null] : span.map(at);
    const range = resolveRange({ name, fromMs: fromMs ?? null, toMs: toMs ?? null }, at(nowText), zone);
    const compared = resolveCompare({ kind: 'previous' }, range, zone);
    const local = (ms: number | undefined) => new Date((ms ?? 0) + 7_200_000).toISOString().slice(0, 19);
    return [local(compared?.fromMs), local(compared?.toMs)];
  };

  test.each([
    ['today', '2026-08-27T14:32:06', '2026-08-26T00:00:00', '2026-08-26T14:32:08'],
    // The first moments of a day do not make a second day.
    ['today', '2026-08-26T23:59:59', '2026-08-25T00:00:00', '2026-08-26T00:00:00'],
    ['yesterday', '2026-08-27T14:32:06', '2026-08-25T00:00:00', '2026-08-26T00:00:00'],
    ['7d', '2026-08-27T14:32:06', '2026-08-14T00:00:00', '2026-08-20T14:32:08'],
    ['month', '2026-08-27T14:32:06', '2026-07-01T00:00:00', '2026-07-27T14:32:08'],
    // The last days of a long month are missing in a short one.
    ['month', '2026-07-31T14:32:06', '2026-06-01T00:00:00', '2026-07-01T00:00:00'],
    ['month', '2026-08-01T00:10:00', '2026-07-01T00:00:00', '2026-07-01T00:10:02'],
  ] as const)('%s at %s', (name, nowText, fromText, toText) => {
    expect(before(name, nowText)).toEqual([fromText, toText]);
  });

  test.each([
    ['2026-08-01T00:00:00', '2026-09-01T00:00:00', '2026-07-01T00:00:00', '2026-08-01T00:00:00'],
    ['2026-07-01T00:00:00', '2026-09-01T00:00:00', '2026-05-01T00:00:00', '2026-07-01T00:00:00'],
    ['2026-08-01T00:00:00', '2026-08-03T00:00:00', '2026-07-30T00:00:00', '2026-08-01T00:00:00'],
    ['2026-08-05T00:00:00', '2026-08-05T15:00:00', '2026-08-04T00:00:00', '2026-08-04T15:00:00'],
    ['2026-08-05T08:00:00', '2026-08-05T15:00:00', '2026-08-05T01:00:00', '2026-08-05T08:00:00'],
  ])('%s to %s is compared with %s to %s', (from, to, fromBefore, toBefore) => {
    expect(before('custom', '2026-10-20T12:00:00', [from, to])).toEqual([fromBefore, toBefore]);
  });
});

test.each([
  ['24h', true],
  ['7d', true],
  ['yesterday', true],
  ['today', false],
  ['month', false],
] as const)('that the range before %s is the equally long one is %p', (name, equal) => {
  expect(comparesEqual(resolveRange(namedRange(name), now, 'Europe/Berlin', true), 'Europe/Berlin')).toBe(equal);
});

describe('ranges in the address', () => {
  const rules: RangeRules = { names: ['24h', '7d', 'month'], fallback: '24h', parameter: 'time_range', rolling: true };

  test.each([
    [{}, namedRange('24h')],
    [{ time_range: ['7d'] }, namedRange('7d')],
    [{ time_range: ['1h'] }, namedRange('24h')],
    [
      { time_range: ['custom'], from_ms: ['5'], to_ms: ['9'] },
      { name: 'custom', fromMs: 5, toMs: 9 },
    ],
    [{ time_range: ['custom'], from_ms: ['9'], to_ms: ['9'] }, namedRange('24h')],
    [{ time_range: ['custom'], from_ms: ['1'], to_ms: ['1e99'] }, namedRange('24h')],
  ] as const)('%p is read', (url, choice) => {
    expect(readRange(url as never, rules)).toEqual(choice as never);
  });

  test('are written when they differ from the default, beside what is not theirs', () => {
    const others = { model: ['a'], time_range: ['custom'], from_ms: ['5'], to_ms: ['9'] };
    expect(writeRange(namedRange('24h'), rules, others)).toEqual({ model: ['a'] });
    expect(writeRange(namedRange('month'), rules, others)).toEqual({ model: ['a'], time_range: ['month'] });
    const custom = { name: 'custom', fromMs: 7, toMs: 8 } as const;
    expect(readRange(writeRange(custom, rules, others), rules)).toEqual(custom);
  });

  test.each([{ kind: 'none' }, { kind: 'previous' }, { kind: 'custom', fromMs: 3, toMs: 4 }] as const)(
    'comparison %p comes back as it was',
    (choice) => {
      const url = writeCompare(choice, { compare: ['previous'], compare_from_ms: ['1'], tab: ['models'] });
      expect(readCompare(url)).toEqual(choice);
      expect(url.tab).toEqual(['models']);
    },
  );

  test('an impossible comparison is null', () => {
    expect(readCompare({ compare: ['custom'], compare_from_ms: ['9'], compare_to_ms: ['3'] })).toEqual({
      kind: 'none',
    });
    expect(readCompare({ compare: ['next'] })).toEqual({ kind: 'none' });
  });
});
