import { describe, expect, test } from 'bun:test';
import { AT_REST, type Flight, fly } from './flight.ts';

/** Scroll steps of equal size in px, one per frame at 60 frames a second. */
function scroll(step: number, frames: number, from: Flight = { ...AT_REST, atMs: 0 }): Flight {
  let flight = from;
  for (let frame = 0; frame < frames; frame++) {
    flight = fly(flight, flight.offset + step, flight.atMs + 1000 / 60, true);
  }
  return flight;
}

describe('a list that is scrolled', () => {
  test.each([
    ['as fast as one looks through it', 40, false],
    ['backwards as fast', -40, false],
    ['as fast as a free wheel turns', 120, true],
    ['flung', 400, true],
    ['flung backwards', -400, true],
  ])('%s', (_, step, flying) => {
    expect(scroll(step, 10).flying).toBe(flying);
  });

  test('one jump, however far, is no flight', () => {
    const resting = { ...AT_REST, atMs: 0 };
    expect(fly(resting, 1_000_000, 5_000, true).flying).toBe(false);
    expect(fly(fly(resting, 1_000_000, 5_000, true), 0, 6_000, true).flying).toBe(false);
  });

  test('ends when it slows down or stops', () => {
    const flung = scroll(400, 5);
    expect(scroll(80, 3, flung).flying).toBe(true);
    expect(scroll(40, 3, flung).flying).toBe(false);
    expect(fly(flung, flung.offset, flung.atMs + 150, false).flying).toBe(false);
  });
});
