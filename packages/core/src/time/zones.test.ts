import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { propertyRuns } from '../testing/property-runs.ts';
import { createZone } from './zones.ts';

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'Asia/Calcutta', 'US/Pacific', 'Asia/Katmandu', 'GMT', 'EST5EDT'];
const YEAR_MS = 31_556_952_000;

function trueOffset(name: string, ms: number): number {
  return Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).offsetNanoseconds / 1e6;
}

/** Every offset change between two instants, by the runtime's calendar library. */
function changesOf(name: string, fromMs: number, toMs: number): number[] {
  const changes: number[] = [];
  let at = Temporal.Instant.fromEpochMilliseconds(fromMs).toZonedDateTimeISO(name).getTimeZoneTransition('next');
  while (at !== null && at.epochMilliseconds < toMs) {
    changes.push(at.epochMilliseconds);
    at = at.getTimeZoneTransition('next');
  }
  return changes;
}

describe('names', () => {
  test('the empty name is UTC', () => {
    const zone = createZone('');
    expect(zone.name).toBe('UTC');
    expect(zone.offsetAt(1_783_936_800_000)).toBe(0);
  });

  test('a backward alias works and keeps its name', () => {
    const zone = createZone('Asia/Calcutta');
    expect(zone.name).toBe('Asia/Calcutta');
    expect(zone.offsetAt(1_783_936_800_000)).toBe(5.5 * 3_600_000);
  });

  test.each(['+08:00', '-0530', '+8', '\u221208:00', 'Mars/Olympus', 'Local', ' UTC', 'PST', 'UTC+8', '../etc/passwd'])(
    '%p is refused',
    (name) => {
      expect(() => createZone(name)).toThrow(RangeError);
    },
  );
});

describe('offsets', () => {
  test.each([
    ['Asia/Shanghai', '1850-01-01T00:00:00Z', 29_143_000],
    ['Asia/Shanghai', '2026-07-01T00:00:00Z', 28_800_000],
    ['America/New_York', '2026-03-08T06:59:59.999Z', -18_000_000],
    ['America/New_York', '2026-03-08T07:00:00Z', -14_400_000],
    ['Africa/Monrovia', '1970-01-01T00:00:00Z', -2_670_000],
    ['Asia/Manila', '1844-12-31T00:00:00Z', -57_368_000],
    ['America/Juneau', '1850-01-01T00:00:00Z', 54_139_000],
    ['Europe/Berlin', '2999-07-01T00:00:00Z', 7_200_000],
    ['America/Boa_Vista', '2000-10-12T00:00:00Z', -10_800_000],
    ['America/Boa_Vista', '2000-10-16T00:00:00Z', -14_400_000],
    ['Australia/Lord_Howe', '2026-01-01T00:00:00Z', 39_600_000],
    ['Pacific/Chatham', '2026-01-01T00:00:00Z', 49_500_000],
    ['Asia/Kathmandu', '2026-01-01T00:00:00Z', 20_700_000],
  ])('%s at %s', (name, instant, offset) => {
    expect(createZone(name).offsetAt(Date.parse(instant))).toBe(offset);
  });

  test('the ends of time and beyond have an offset', () => {
    const zone = createZone('Asia/Shanghai');
    for (const ms of [-8.64e15, -1e300, -8.64e15 - 1]) expect(zone.offsetAt(ms)).toBe(29_143_000);
    for (const ms of [8.64e15, 8.64e15 + 1, 1e300]) expect(zone.offsetAt(ms)).toBe(28_800_000);
  });

  test('of any zone at any instant equal those of Temporal', () => {
    const zones = new Map(ZONES.map((name) => [name, createZone(name)]));
    const instant = fc.oneof(
      fc.integer({ min: -250 * YEAR_MS, max: 1_100 * YEAR_MS }),
      fc.integer({ min: 0, max: 80 * YEAR_MS }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instant, (name, ms) => {
        expect(zones.get(name)?.offsetAt(ms)).toBe(trueOffset(name, ms));
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });

  test('change at the instants that Temporal gives, in one zone of five from 1990 to 2040', () => {
    for (const name of ZONES.filter((_, index) => index % 5 === 0)) {
      const zone = createZone(name);
      for (const change of changesOf(name, 20 * YEAR_MS, 70 * YEAR_MS)) {
        expect(zone.offsetAt(change)).toBe(trueOffset(name, change));
        expect(zone.offsetAt(change - 1)).toBe(trueOffset(name, change - 1));
      }
    }
  });

  test('changes of wartime and of local mean time', () => {
    for (const name of [
      'America/Boa_Vista',
      'Europe/Berlin',
      'Africa/Tunis',
      'Europe/Simferopol',
      'Asia/Manila',
      'America/Juneau',
      'Africa/Monrovia',
    ]) {
      const zone = createZone(name);
      for (const change of changesOf(name, -200 * YEAR_MS, 0)) {
        expect(zone.offsetAt(change)).toBe(trueOffset(name, change));
        expect(zone.offsetAt(change - 1)).toBe(trueOffset(name, change - 1));
      }
    }
  });
});

describe('stretches', () => {
  test('hold the instant and one offset from end to end', () => {
    const zones = new Map(ZONES.map((name) => [name, createZone(name)]));
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: -100 * YEAR_MS, max: 100 * YEAR_MS }),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (name, ms, part) => {
          const stretch = zones.get(name)?.stretchAt(ms) ?? { fromMs: 0, toMs: 0, offsetMs: 0 };
          expect(stretch.fromMs).toBeLessThanOrEqual(ms);
          expect(stretch.toMs).toBeGreaterThan(ms);
          const last = stretch.toMs - 1;
          const inside = Math.floor(stretch.fromMs + part * (last - stretch.fromMs));
          for (const probe of [stretch.fromMs, inside, last]) {
            expect(trueOffset(name, probe)).toBe(stretch.offsetMs);
          }
        },
      ),
      { numRuns: propertyRuns(1_000) },
    );
  });

  test('of UTC have no end', () => {
    expect(createZone('').stretchAt(0)).toEqual({ fromMs: -Infinity, toMs: Infinity, offsetMs: 0 });
  });
});
