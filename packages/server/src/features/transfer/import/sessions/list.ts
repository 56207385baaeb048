import {
  IMPORT_SESSION_STATUSES,
  IMPORT_SESSIONS_LIMIT,
  type ImportSessionStatus,
  type ImportSessionsResponse,
} from '@manager/core/contract/transfer/import-sessions';
import { isId, type SessionRecord, toResponse } from './record.ts';
import { invalidRequest } from './session.ts';

/** Query parameters as sent; absent ones are undefined. */
export interface ListQuery {
  readonly status?: string | undefined;
  readonly limit?: string | undefined;
  readonly cursor?: string | undefined;
}

type Page = Pick<ImportSessionsResponse, 'sessions' | 'total' | 'status_counts' | 'next_cursor'>;
type Position = Pick<SessionRecord, 'updated_at_ms' | 'id'>;

/** @throws AppError 400 for an invalid parameter */
export function listPage(records: readonly SessionRecord[], query: ListQuery): Page {
  const status = parseStatus(query.status ?? '');
  const limit = parseLimit(query.limit);
  const after = parseCursor(query.cursor ?? '');
  const matching = records.filter((record) => status === null || record.status === status).toSorted(newestFirst);
  const rest = after === null ? matching : matching.filter((record) => newestFirst(after, record) < 0);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    sessions: page.map(toResponse),
    total: matching.length,
    status_counts: countStatuses(records),
    ...(last !== undefined && rest.length > limit ? { next_cursor: cursorOf(last) } : {}),
  };
}

function newestFirst(left: Position, right: Position): number {
  if (left.updated_at_ms !== right.updated_at_ms) return right.updated_at_ms - left.updated_at_ms;
  if (left.id === right.id) return 0;
  return left.id < right.id ? 1 : -1;
}

function countStatuses(records: readonly SessionRecord[]): Partial<Record<ImportSessionStatus, number>> {
  const counts: Partial<Record<ImportSessionStatus, number>> = {};
  for (const { status } of records) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

function parseStatus(text: string): ImportSessionStatus | null {
  if (text === '') return null;
  const status = IMPORT_SESSION_STATUSES.find((candidate) => candidate === text);
  if (status === undefined) throw invalidRequest(`status: one of ${IMPORT_SESSION_STATUSES.join(', ')}`);
  return status;
}

function parseLimit(text: string | undefined): number {
  if (text === undefined) return IMPORT_SESSIONS_LIMIT.default;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > IMPORT_SESSIONS_LIMIT.most)
    throw invalidRequest(`limit: an integer from 1 to ${IMPORT_SESSIONS_LIMIT.most}`);
  return limit;
}

export function cursorOf({ updated_at_ms, id }: Position): string {
  return Buffer.from(`${updated_at_ms}:${id}`).toString('base64url');
}

function parseCursor(text: string): Position | null {
  if (text === '') return null;
  const [, time = '', id = ''] = /^(\d{1,16}):(.*)$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  const position = { updated_at_ms: Number(time), id };
  // Encoding it again detects characters that the lenient decoder ignored.
  if (!isId(id) || cursorOf(position) !== text) throw invalidRequest('cursor: does not belong to this list');
  return position;
}
