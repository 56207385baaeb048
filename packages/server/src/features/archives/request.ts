import {
  ARCHIVE_MODES,
  ARCHIVE_STAGES,
  ARCHIVE_STATUSES,
  archiveCreateRequestSchema,
  archiveCutoffRequestSchema,
} from '@manager/core/contract/archives/runs';
import { AppError } from '@manager/core/contract/errors';
import type * as z from 'zod';
import { parseJsonBody, readBody } from '../../http/body.ts';
import type { ListRunsArgs } from './queries/read-runs.ts';
import type { ArchiveStage } from './stages/stage.ts';

const BODY_LIMIT_BYTES = 64 * 1024;
const RUN_ID = /^[0-9a-f]{32}$/;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** The cutoff of a preview, in ms. */
export async function readCutoff(request: Request): Promise<number> {
  return (await readParsed(request, archiveCutoffRequestSchema)).cutoff_timestamp_ms;
}

export interface CreateOptions {
  /** All stages follow automatically, up to the deletion of the rows. */
  readonly automatic: boolean;
  /** The number of events that was confirmed; null = none. */
  readonly expectedCount: number | null;
}

/** What to create; cutoff in ms. */
export async function readCreate(request: Request): Promise<CreateOptions & { readonly cutoffMs: number }> {
  const body = await readParsed(request, archiveCreateRequestSchema);
  return {
    cutoffMs: body.cutoff_timestamp_ms,
    automatic: body.delete_rows ?? false,
    expectedCount: body.expected_event_count ?? null,
  };
}

async function readParsed<T extends z.ZodType>(request: Request, schema: T): Promise<z.infer<T>> {
  const body = await readLimited(request);
  try {
    return parseJsonBody(schema, body);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('usage_archive_invalid_request', { message: error.message });
  }
}

/** Actions have no body except white space. */
export async function requireNoBody(request: Request): Promise<void> {
  const body = await readLimited(request);
  if (new TextDecoder().decode(body).trim() !== '') throw invalid('this action accepts no body');
}

async function readLimited(request: Request): Promise<Uint8Array> {
  try {
    return await readBody(request, BODY_LIMIT_BYTES);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('usage_archive_request_too_large', { message: error.message });
  }
}

export function requireRunId(text: string): string {
  if (!RUN_ID.test(text)) throw new AppError('usage_archive_invalid_id');
  return text;
}

/** Whether the caller waits for the end of the stage: `wait` (default) or `background`. */
export function readWait(query: URLSearchParams): boolean {
  const wait = flag(query, 'wait');
  const background = flag(query, 'background');
  if (wait !== null && background !== null) throw invalid('wait, background: only one of them');
  return wait ?? !(background ?? false);
}

export function readExpectedStage(query: URLSearchParams): ArchiveStage | null {
  return choice(query, 'expected_stage', ARCHIVE_STAGES);
}

export function readListQuery(query: URLSearchParams): ListRunsArgs {
  const limit = single(query, 'limit') ?? String(DEFAULT_LIMIT);
  if (!/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > MAX_LIMIT) {
    throw invalid(`limit: 1 to ${MAX_LIMIT} expected`);
  }
  return {
    limit: Number(limit),
    status: choice(query, 'status', ARCHIVE_STATUSES),
    mode: choice(query, 'mode', ARCHIVE_MODES),
    after: cursor(query),
  };
}

export function writeCursor(run: { readonly created_at_ms: number; readonly id: string }): string {
  return Buffer.from(`${run.created_at_ms}:${run.id}`).toString('base64url');
}

function cursor(query: URLSearchParams): ListRunsArgs['after'] {
  const text = single(query, 'cursor');
  if (text === null) return null;
  const decoded = Buffer.from(text, 'base64url').toString();
  const [, createdAtMs, id] = /^(\d{1,16}):([0-9a-f]{32})$/.exec(decoded) ?? [];
  // The decoder ignores characters that are not base64url.
  if (createdAtMs === undefined || id === undefined || Buffer.from(decoded).toString('base64url') !== text) {
    throw invalid('cursor: does not belong to this list');
  }
  return { createdAtMs: Number(createdAtMs), id };
}

function choice<Value extends string>(query: URLSearchParams, name: string, values: readonly Value[]): Value | null {
  const text = single(query, name);
  if (text === null) return null;
  const value = values.find((candidate) => candidate === text);
  if (value === undefined) throw invalid(`${name}: one of ${values.join(', ')} expected`);
  return value;
}

function flag(query: URLSearchParams, name: string): boolean | null {
  const text = single(query, name);
  if (text === null) return null;
  if (/^(?:1|t|true)$/i.test(text)) return true;
  if (/^(?:0|f|false)$/i.test(text)) return false;
  throw invalid(`${name}: true or false expected`);
}

/** Null when absent. */
function single(query: URLSearchParams, name: string): string | null {
  const values = query.getAll(name);
  if (values.length > 1) throw invalid(`${name}: given twice`);
  return values[0] ?? null;
}

function invalid(message: string): AppError {
  return new AppError('usage_archive_invalid_request', { message });
}
