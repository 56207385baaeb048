import { describe, expect, test } from 'bun:test';
import { parseDashboardQuery } from './request.ts';

const START = 1_773_100_800_000;
const SERVER_NOW = START + 3_600_000;

function parse(parameters: Readonly<Record<string, string>>) {
  return parseDashboardQuery((name) => parameters[name], SERVER_NOW);
}

const start = String(START);

describe('a dashboard request', () => {
  test.each([
    [{ today_start_ms: start }, { nowMs: SERVER_NOW, topModels: 5, recentFailures: 5 }],
    [{ today_start_ms: ` ${start} ` }, { nowMs: SERVER_NOW }],
    [{ today_start_ms: `+${start}` }, { nowMs: SERVER_NOW }],
    [{ today_start_ms: start, now_ms: start }, { nowMs: START }],
    [{ today_start_ms: start, now_ms: '0' }, { nowMs: SERVER_NOW }],
    [{ today_start_ms: start, now_ms: '-5' }, { nowMs: SERVER_NOW }],
    [{ today_start_ms: start, now_ms: ' ' }, { nowMs: SERVER_NOW }],
    [
      { today_start_ms: start, top_models: '2', recent_failures: '1' },
      { topModels: 2, recentFailures: 1 },
    ],
    [
      { today_start_ms: start, top_models: '', recent_failures: '  ' },
      { topModels: 5, recentFailures: 5 },
    ],
    [
      { today_start_ms: start, top_models: '0', recent_failures: '-1' },
      { topModels: 5, recentFailures: 5 },
    ],
    [
      { today_start_ms: start, top_models: '100', recent_failures: '101' },
      { topModels: 100, recentFailures: 100 },
    ],
    [{ today_start_ms: start, unknown: 'x' }, { topModels: 5 }],
    [
      { today_start_ms: '8640000000000000', now_ms: '8640000000000000' },
      { todayStartMs: 8.64e15, nowMs: 8.64e15 },
    ],
  ])('%j is understood', (parameters, expected) => {
    expect(parse(parameters as Record<string, string>)).toMatchObject(expected);
  });

  test.each([
    [{}, 'today_start_ms: missing'],
    [{ today_start_ms: '  ' }, 'today_start_ms: missing'],
    [{ today_start_ms: 'x' }, 'today_start_ms: positive integer expected'],
    [{ today_start_ms: '0' }, 'today_start_ms: positive integer expected'],
    [{ today_start_ms: '-1' }, 'today_start_ms: positive integer expected'],
    [{ today_start_ms: '1.5' }, 'today_start_ms: positive integer expected'],
    [{ today_start_ms: '1e12' }, 'today_start_ms: positive integer expected'],
    [{ today_start_ms: '9007199254740992' }, 'today_start_ms: positive integer expected'],
    [{ today_start_ms: start, now_ms: 'x' }, 'now_ms: integer expected'],
    [{ today_start_ms: start, now_ms: '99999999999999999999' }, 'now_ms: integer expected'],
    [{ today_start_ms: start, top_models: '1.0' }, 'top_models: integer expected'],
    [{ today_start_ms: start, recent_failures: 'all' }, 'recent_failures: integer expected'],
    [{ today_start_ms: '8640000000000001' }, 'today_start_ms: at most 8640000000000000'],
    [{ today_start_ms: start, now_ms: '8640000000000001' }, 'now_ms: at most 8640000000000000'],
    [{ today_start_ms: start, now_ms: String(START - 1) }, 'now_ms: must not be before today_start_ms'],
    [{ today_start_ms: String(SERVER_NOW + 1) }, 'now_ms: must not be before today_start_ms'],
  ])('%j is refused', (parameters, message) => {
    expect(() => parse(parameters as Record<string, string>)).toThrow(
      expect.objectContaining({ status: 400, code: 'invalid_request', message }),
    );
  });
});
