import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { propertyRuns } from '../testing/property-runs.ts';
import { bucketAt, bucketLabel, type Granularity, localDay, localHour, localWeekday } from './buckets.ts';
import { createZone } from './zones.ts';

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'Asia/Calcutta', 'US/Pacific'];
const WIDTH_MS = { '5m': 300_000, '15m': 900_000, hour: 3_600_000 } as const;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const YEAR_MS = 31_556_952_000;

interface Case {
  name: string;
  zone: string;
  granularity: Granularity;
  at: string;
  start: string;
  end: string;
  label: string;
}

const CASES: Case[] = [
  {
    name: 'Shanghai before midnight',
    zone: 'Asia/Shanghai',
    granularity: 'day',
    at: '2026-07-13T15:30Z',
    start: '2026-07-12T16:00Z',
    end: '2026-07-13T16:00Z',
    label: '07/13',
  },
  {
    name: 'Shanghai after midnight',
    zone: 'Asia/Shanghai',
    granularity: 'day',
    at: '2026-07-13T16:30Z',
    start: '2026-07-13T16:00Z',
    end: '2026-07-14T16:00Z',
    label: '07/14',
  },
  {
    name: 'Kolkata hour',
    zone: 'Asia/Kolkata',
    granularity: 'hour',
    at: '2026-07-13T10:40Z',
    start: '2026-07-13T10:30Z',
    end: '2026-07-13T11:30Z',
    label: '16:00',
  },
  {
    name: 'alias of Kolkata',
    zone: 'Asia/Calcutta',
    granularity: 'hour',
    at: '2026-07-13T10:29Z',
    start: '2026-07-13T09:30Z',
    end: '2026-07-13T10:30Z',
    label: '15:00',
  },
  {
    name: 'New York, hour before the skipped one',
    zone: 'America/New_York',
    granularity: 'hour',
    at: '2026-03-08T06:30Z',
    start: '2026-03-08T06:00Z',
    end: '2026-03-08T07:00Z',
    label: '01:00',
  },
  {
    name: 'New York, hour after the skipped one',
    zone: 'America/New_York',
    granularity: 'hour',
    at: '2026-03-08T07:30Z',
    start: '2026-03-08T07:00Z',
    end: '2026-03-08T08:00Z',
    label: '03:00',
  },
  {
    name: 'New York, day of 23 hours',
    zone: 'America/New_York',
    granularity: 'day',
    at: '2026-03-08T18:00Z',
    start: '2026-03-08T05:00Z',
    end: '2026-03-09T04:00Z',
    label: '03/08',
  },
  {
    name: 'New York, first of the repeated hours',
    zone: 'America/New_York',
    granularity: 'hour',
    at: '2026-11-01T05:30Z',
    start: '2026-11-01T05:00Z',
    end: '2026-11-01T06:00Z',
    label: '01:00',
  },
  {
    name: 'New York, second of the repeated hours',
    zone: 'America/New_York',
    granularity: 'hour',
    at: '2026-11-01T06:30Z',
    start: '2026-11-01T06:00Z',
    end: '2026-11-01T07:00Z',
    label: '01:00',
  },
  {
    name: 'New York, hour after the repeated ones',
    zone: 'America/New_York',
    granularity: 'hour',
    at: '2026-11-01T07:10Z',
    start: '2026-11-01T07:00Z',
    end: '2026-11-01T08:00Z',
    label: '02:00',
  },
  {
    name: 'New York, day of 25 hours',
    zone: 'America/New_York',
    granularity: 'day',
    at: '2026-11-01T18:00Z',
    start: '2026-11-01T04:00Z',
    end: '2026-11-02T05:00Z',
    label: '11/01',
  },
  {
    name: 'Havana, midnight skipped',
    zone: 'America/Havana',
    granularity: 'day',
    at: '2026-03-08T12:00Z',
    start: '2026-03-08T05:00Z',
    end: '2026-03-09T04:00Z',
    label: '03/08',
  },
  {
    name: 'Lord Howe, hour cut by the change',
    zone: 'Australia/Lord_Howe',
    granularity: 'hour',
    at: '2026-04-04T14:40Z',
    start: '2026-04-04T14:00Z',
    end: '2026-04-04T15:00Z',
    label: '01:00',
  },
  {
    name: 'Lord Howe, the repeated half hour',
    zone: 'Australia/Lord_Howe',
    granularity: 'hour',
    at: '2026-04-04T15:10Z',
    start: '2026-04-04T15:00Z',
    end: '2026-04-04T15:30Z',
    label: '01:30',
  },
  {
    name: 'Lord Howe, whole hours again',
    zone: 'Australia/Lord_Howe',
    granularity: 'hour',
    at: '2026-04-04T15:30Z',
    start: '2026-04-04T15:30Z',
    end: '2026-04-04T16:30Z',
    label: '02:00',
  },
  {
    name: 'Lord Howe, the half hour left by the skipped one',
    zone: 'Australia/Lord_Howe',
    granularity: 'hour',
    at: '2026-10-03T15:40Z',
    start: '2026-10-03T15:30Z',
    end: '2026-10-03T16:00Z',
    label: '02:30',
  },
  {
    name: 'Lord Howe, 15 minutes across the change',
    zone: 'Australia/Lord_Howe',
    granularity: '15m',
    at: '2026-04-04T15:14Z',
    start: '2026-04-04T15:00Z',
    end: '2026-04-04T15:15Z',
    label: '01:30',
  },
  {
    name: 'Kathmandu hour',
    zone: 'Asia/Kathmandu',
    granularity: 'hour',
    at: '2026-07-13T10:00Z',
    start: '2026-07-13T09:15Z',
    end: '2026-07-13T10:15Z',
    label: '15:00',
  },
  {
    name: 'Kathmandu 15 minutes',
    zone: 'Asia/Kathmandu',
    granularity: '15m',
    at: '2026-07-13T10:14:59.999Z',
    start: '2026-07-13T10:00Z',
    end: '2026-07-13T10:15Z',
    label: '15:45',
  },
  {
    name: 'Kathmandu 5 minutes',
    zone: 'Asia/Kathmandu',
    granularity: '5m',
    at: '2026-07-13T10:09Z',
    start: '2026-07-13T10:05Z',
    end: '2026-07-13T10:10Z',
    label: '15:50',
  },
  {
    name: 'Chatham hour',
    zone: 'Pacific/Chatham',
    granularity: 'hour',
    at: '2026-07-13T10:20Z',
    start: '2026-07-13T10:15Z',
    end: '2026-07-13T11:15Z',
    label: '23:00',
  },
  {
    name: 'Chatham day',
    zone: 'Pacific/Chatham',
    granularity: 'day',
    at: '2026-07-13T11:14Z',
    start: '2026-07-12T11:15Z',
    end: '2026-07-13T11:15Z',
    label: '07/13',
  },
  {
    name: 'Apia, day before the one that was left out',
    zone: 'Pacific/Apia',
    granularity: 'day',
    at: '2011-12-30T09:59Z',
    start: '2011-12-29T10:00Z',
    end: '2011-12-30T10:00Z',
    label: '12/29',
  },
  {
    name: 'Apia, day after the one that was left out',
    zone: 'Pacific/Apia',
    granularity: 'day',
    at: '2011-12-30T10:00Z',
    start: '2011-12-30T10:00Z',
    end: '2011-12-31T10:00Z',
    label: '12/31',
  },
  {
    name: 'Shanghai, minutes of local mean time',
    zone: 'Asia/Shanghai',
    granularity: '5m',
    at: '1899-12-31T00:00:00Z',
    start: '1899-12-30T23:59:17Z',
    end: '1899-12-31T00:04:17Z',
    label: '08:05',
  },
  {
    name: "St. John's, set back over midnight: the date keeps its first instant",
    zone: 'America/St_Johns',
    granularity: 'day',
    at: '2010-11-07T02:45Z',
    start: '2010-11-06T02:30Z',
    end: '2010-11-07T02:30Z',
    label: '11/06',
  },
  {
    name: "St. John's, set back over midnight: the new date",
    zone: 'America/St_Johns',
    granularity: 'day',
    at: '2010-11-07T12:00Z',
    start: '2010-11-07T02:30Z',
    end: '2010-11-08T03:30Z',
    label: '11/07',
  },
  {
    name: 'UTC before the epoch',
    zone: '',
    granularity: 'hour',
    at: '1969-12-31T23:59:59.999Z',
    start: '1969-12-31T23:00Z',
    end: '1970-01-01T00:00Z',
    label: '23:00',
  },
  {
    name: 'UTC far ahead',
    zone: '',
    granularity: 'day',
    at: '2999-12-31T12:00Z',
    start: '2999-12-31T00:00Z',
    end: '3000-01-01T00:00Z',
    label: '12/31',
  },
];

describe('buckets', () => {
  test.each(CASES)('$name', ({ zone: name, granularity, at, start, end, label }) => {
    const zone = createZone(name);
    const bucket = bucketAt(zone, granularity, Date.parse(at));
    expect({
      start: new Date(bucket.startMs).toISOString(),
      end: new Date(bucket.endMs).toISOString(),
      label: bucketLabel(zone, granularity, bucket.startMs),
    }).toEqual({ start: new Date(start).toISOString(), end: new Date(end).toISOString(), label });
  });
});

const anyInstant = fc.oneof(
  fc.integer({ min: -180 * YEAR_MS, max: 1_050 * YEAR_MS }),
  fc.integer({ min: 0, max: 80 * YEAR_MS }),
);

/** Instants around an offset change, where the rules differ from plain division. */
function nearChange(name: string, ms: number, distance: number): number {
  const change = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).getTimeZoneTransition('previous');
  return change === null ? ms : change.epochMilliseconds + distance;
}

const anyMoment = fc
  .tuple(fc.constantFrom(...ZONES), anyInstant, fc.boolean(), fc.integer({ min: -2 * DAY_MS, max: 2 * DAY_MS }))
  .map(([name, ms, near, distance]) => ({ name, ms: near ? nearChange(name, ms, distance) : ms }));

function zoned(name: string, ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name);
}

describe('against Temporal, in many zones at any instant', () => {
  test('local hour, weekday and day', () => {
    const epoch = Temporal.PlainDate.from('1970-01-01');
    fc.assert(
      fc.property(anyMoment, ({ name, ms }) => {
        const zone = createZone(name);
        const local = zoned(name, ms);
        expect(localHour(zone, ms)).toBe(local.hour);
        expect(localWeekday(zone, ms)).toBe(local.dayOfWeek % 7);
        expect(localDay(zone, ms)).toBe(epoch.until(local.toPlainDate()).days);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('days start with their date and end where the next one starts', () => {
    fc.assert(
      fc.property(anyMoment, ({ name, ms }) => {
        const zone = createZone(name);
        const local = zoned(name, ms);
        const bucket = bucketAt(zone, 'day', ms);
        expect(bucket.startMs).toBe(local.startOfDay().epochMilliseconds);
        expect(localDay(zone, bucket.startMs)).toBe(localDay(zone, ms));
        expect(localDay(zone, bucket.startMs - 1)).not.toBe(localDay(zone, ms));
        expect(localDay(zone, bucket.endMs)).toBeGreaterThan(localDay(zone, ms));
        expect(localDay(zone, bucket.endMs - 1)).toBe(localDay(zone, ms));
        expect(bucketLabel(zone, 'day', bucket.startMs)).toBe(
          local.toPlainDate().toString().slice(-5).replace('-', '/'),
        );
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  test('hours and parts of hours follow the rule of the specification', () => {
    fc.assert(
      fc.property(anyMoment, fc.constantFrom('5m', '15m', 'hour'), ({ name, ms }, granularity) => {
        const zone = createZone(name);
        const width = WIDTH_MS[granularity];
        const local = zoned(name, ms);
        const offset = local.offsetNanoseconds / 1e6;
        const even = ms - ((((ms + offset) % width) + width) % width);
        const sameOffset = zoned(name, even).offsetNanoseconds / 1e6 === offset;
        // `previous` is strictly before: one past the instant also finds a change at the instant.
        const change = zoned(name, ms + 1).getTimeZoneTransition('previous')?.epochMilliseconds ?? -Infinity;
        const next = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Infinity;
        const bucket = bucketAt(zone, granularity, ms);
        expect(bucket.startMs).toBe(sameOffset ? even : change);
        expect(bucket.endMs).toBe(Math.min(even + width, next));
        expect(bucketLabel(zone, granularity, bucket.startMs)).toBe(
          zoned(name, bucket.startMs).toPlainTime().toString({ smallestUnit: 'minute' }),
        );
      }),
      { numRuns: propertyRuns(1_000) },
    );
  });

  test('an hour and its parts tile time without gaps', () => {
    fc.assert(
      fc.property(anyMoment, fc.constantFrom('5m', '15m', 'hour'), ({ name, ms }, granularity) => {
        const zone = createZone(name);
        const bucket = bucketAt(zone, granularity, ms);
        expect(bucketAt(zone, granularity, bucket.endMs).startMs).toBe(bucket.endMs);
        expect(bucketAt(zone, granularity, bucket.startMs)).toEqual(bucket);
        expect(bucketAt(zone, granularity, bucket.endMs - 1)).toEqual(bucket);
        expect(bucket.endMs - bucket.startMs).toBeLessThanOrEqual(HOUR_MS);
      }),
      { numRuns: propertyRuns(500) },
    );
  });
});
