import { describe, expect, test } from 'bun:test';
import { readFilters, readInstant } from './export-filters.ts';

describe('filters of an export', () => {
  test('have the names of the panel; values of one name are alternatives', () => {
    expect(readFilters(['model=gpt-5', 'model=a=b', 'failed=true', 'min_latency_ms=500', 'search= slow one '])).toEqual(
      {
        filters: { models: ['gpt-5', 'a=b'], failed_only: true, min_latency_ms: 500 },
        search: 'slow one',
      },
    );
    expect(readFilters(['auth_indices=1', 'failed=false', 'cache_status=hit']).filters).toEqual({
      auth_indices: ['1'],
      include_failed: false,
      cache_status: 'hit',
    });
  });

  test.each([
    ['modle=x', 'one of these names: model, provider,'],
    ['model', 'name=value expected'],
    ['constructor=x', 'name=value expected'],
    ['model=', '--filter model: a value is missing'],
    ['failed=yes', 'true or false expected'],
    ['cache_status=warm', 'one of hit, miss, read, creation expected'],
    ['min_latency_ms=1.5', 'whole number'],
  ])('%s is refused with the reason', (pair, reason) => {
    expect(() => readFilters([pair])).toThrow(reason);
  });
});

describe('times of an export', () => {
  test.each([
    ['2026-08-27', 'Europe/Berlin', Date.UTC(2026, 7, 26, 22)],
    ['2026-09-06', 'America/Santiago', Date.UTC(2026, 8, 6, 4)],
    ['2026-03-08', 'America/Havana', Date.UTC(2026, 2, 8, 5)],
    ['2026-11-01', 'America/Havana', Date.UTC(2026, 10, 1, 4)],
    ['2026-08-27T14:30', 'Asia/Kolkata', Date.UTC(2026, 7, 27, 9)],
    ['2026-08-27T14:30:05', '', Date.UTC(2026, 7, 27, 14, 30, 5)],
    ['2026-08-27T14:30:00+02:00', 'Asia/Kolkata', Date.UTC(2026, 7, 27, 12, 30)],
    ['2026-08-27T14:30:00.250Z', '', Date.UTC(2026, 7, 27, 14, 30, 0, 250)],
    ['1788250000123', '', 1_788_250_000_123],
  ])('%s in %p', (text, zone, ms) => {
    expect(readInstant('from', text, zone)).toBe(ms);
  });

  test.each(['yesterday', '2026-02-30', '2026-08-27T25:00', '2026-13-01', ''])('%p is refused', (text) => {
    expect(() => readInstant('from', text, '')).toThrow('--from');
  });
});
