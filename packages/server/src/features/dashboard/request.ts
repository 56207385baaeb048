import { AppError } from '@manager/core/contract/errors';
import { MAX_TIME_MS } from '@manager/core/contract/monitoring/analytics';
import { trimText } from '@manager/core/json/text';

/** A validated dashboard request with all defaults. */
export interface DashboardQuery {
  readonly todayStartMs: number;
  /** Later events are ignored. */
  readonly nowMs: number;
  readonly topModels: number;
  readonly recentFailures: number;
}

const DEFAULT_ROWS = 5;
const MAX_ROWS = 100;

/**
 * @param parameter value of a query parameter, undefined = not sent; others are ignored
 * @param serverNowMs the server's clock
 * @throws AppError 400
 */
export function parseDashboardQuery(
  parameter: (name: string) => string | undefined,
  serverNowMs: number,
): DashboardQuery {
  const todayStartMs = positiveInteger('today_start_ms', parameter('today_start_ms'));
  const askedNowMs = integer('now_ms', parameter('now_ms'));
  const topModels = rows('top_models', parameter('top_models'));
  const recentFailures = rows('recent_failures', parameter('recent_failures'));
  const nowMs = askedNowMs > 0 ? askedNowMs : serverNowMs;
  for (const [name, value] of [
    ['today_start_ms', todayStartMs],
    ['now_ms', nowMs],
  ] as const) {
    if (value > MAX_TIME_MS) throw badRequest(`${name}: at most ${MAX_TIME_MS}`);
  }
  if (nowMs < todayStartMs) throw badRequest('now_ms: must not be before today_start_ms');
  return { todayStartMs, nowMs, topModels, recentFailures };
}

function positiveInteger(name: string, text: string | undefined): number {
  if (isBlank(text)) throw badRequest(`${name}: missing`);
  const value = parseInteger(text);
  if (value === null || value <= 0) throw badRequest(`${name}: positive integer expected`);
  return value;
}

/** 0 when missing. */
function integer(name: string, text: string | undefined): number {
  if (isBlank(text)) return 0;
  const value = parseInteger(text);
  if (value === null) throw badRequest(`${name}: integer expected`);
  return value;
}

/** A value above the maximum is no error: a list may always be shorter than requested. */
function rows(name: string, text: string | undefined): number {
  const value = integer(name, text);
  return value > 0 ? Math.min(value, MAX_ROWS) : DEFAULT_ROWS;
}

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || trimText(text) === '';
}

function parseInteger(text: string): number | null {
  const trimmed = trimText(text);
  if (!/^[+-]?\d+$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isSafeInteger(value) ? value : null;
}

function badRequest(message: string): AppError {
  return new AppError('invalid_request', { message });
}
