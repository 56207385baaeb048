import { describe, expect, test } from 'bun:test';
import { createReadingPace } from './reading-pace.ts';
import { DEFAULT_TIMING } from './timing.ts';

const SMALL = { bytes: 1_000, fetchedAtMs: 0, answeredAtMs: 100 };
const IDLE = { list: SMALL, isActive: false, isDoubtful: false };
const ACTIVE = { ...IDLE, isActive: true };
const DOUBTFUL = { ...ACTIVE, isDoubtful: true };

function paceAfter(readings: readonly Parameters<ReturnType<typeof createReadingPace>['read']>[0][]) {
  const pace = createReadingPace(DEFAULT_TIMING);
  for (const reading of readings) pace.read(reading);
  return pace;
}

describe('the counters are read', () => {
  test.each([
    ['every minute at first', [], 60_000],
    ['every minute while clients are active', [ACTIVE, ACTIVE, ACTIVE, ACTIVE], 60_000],
    ['every minute after two readings without activity', [IDLE, IDLE], 60_000],
    ['every five minutes after the third', [IDLE, IDLE, IDLE], 300_000],
    ['every minute after growth', [IDLE, IDLE, IDLE, ACTIVE], 60_000],
    ['sooner while events are missing', [DOUBTFUL], 15_000],
    ['not for long, if that does not settle it', Array(9).fill(DOUBTFUL), 60_000],
    ['every five minutes where the list is large', [{ ...ACTIVE, list: { ...SMALL, bytes: 4_194_305 } }], 300_000],
    ['every five minutes where it is slow', [{ ...ACTIVE, list: { ...SMALL, answeredAtMs: 1_001 } }], 300_000],
    ['every minute where a large one is short', [{ ...DOUBTFUL, list: { ...SMALL, bytes: 4_194_305 } }], 60_000],
  ])('%s', (_name, readings, expected) => {
    expect(paceAfter(readings).nextMs()).toBe(expected);
  });

  test('an event ends the idle pace, and nothing else', () => {
    const pace = paceAfter([IDLE, IDLE, IDLE]);
    expect(pace.wake()).toBe(true);
    expect(pace.nextMs()).toBe(60_000);
    expect(pace.wake()).toBe(false);
    expect(paceAfter([{ ...ACTIVE, list: { ...SMALL, answeredAtMs: 1_001 } }]).wake()).toBe(false);
  });
});
