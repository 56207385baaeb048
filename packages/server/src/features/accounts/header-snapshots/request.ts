import { HEADER_SNAPSHOTS_DAYS, HEADER_SNAPSHOTS_LIMIT } from '@manager/core/contract/accounts/header-snapshots';
import { AppError } from '@manager/core/contract/errors';
import { trimText } from '@manager/core/json/text';

/** A validated header-snapshots request. Both ends are in the range. */
export interface HeaderSnapshotsQuery {
  readonly fromMs: number;
  readonly toMs: number;
  readonly limit: number;
}

const DAY_MS = 86_400_000;

/**
 * @param parameter value of a query parameter, undefined = not sent; others are ignored
 * @throws AppError 400
 */
export function parseHeaderSnapshots(
  parameter: (name: string) => string | undefined,
  nowMs: number,
): HeaderSnapshotsQuery {
  const days = bounded('days', parameter('days'), HEADER_SNAPSHOTS_DAYS);
  const limit = bounded('limit', parameter('limit'), HEADER_SNAPSHOTS_LIMIT);
  return { fromMs: nowMs - days * DAY_MS, toMs: nowMs, limit };
}

function bounded(
  name: string,
  text: string | undefined,
  { default: fallback, most }: { readonly default: number; readonly most: number },
): number {
  const trimmed = trimText(text ?? '');
  if (trimmed === '') return fallback;
  const value = Number(trimmed);
  if (!/^[+-]?\d+$/.test(trimmed) || !Number.isSafeInteger(value)) throw badRequest(`${name}: integer expected`);
  if (value < 0) throw badRequest(`${name}: must not be negative`);
  return value === 0 ? fallback : Math.min(value, most);
}

function badRequest(message: string): AppError {
  return new AppError('invalid_request', { message });
}
