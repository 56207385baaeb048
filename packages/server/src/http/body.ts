import { AppError } from '@manager/core/contract/errors';
import { isTooDeep, MAX_JSON_DEPTH } from '@manager/core/json/depth';
import type * as z from 'zod';
import { describeIssue } from '../platform/config/describe-issue.ts';
import { keepInMemory } from './listener/body-memory.ts';
import { Pieces } from './listener/pieces.ts';

/**
 * Reads a JSON body and validates it.
 *
 * @throws AppError 503 when bodies use up their memory, 413 above the limit (before reading, when the length is declared), 400 when it is not valid JSON in UTF-8 or
 * not of that shape.
 * @example const body = await readJson(c.req.raw, setupRequestSchema, 64 * 1024);
 */
export async function readJson<T extends z.ZodType>(
  request: Request,
  schema: T,
  limitBytes: number,
): Promise<z.output<T>> {
  return parseJsonBody(schema, await readBody(request, limitBytes));
}

/** A body that was already read: large ones are parsed where that blocks nobody else. */
export function parseJsonBody<T extends z.ZodType>(schema: T, body: Uint8Array): z.output<T> {
  return parseShape(schema, parseJson(body));
}

/** Reads a body into memory. The listener drops the unread rest, so the connection stays usable after an error. */
export async function readBody(request: Request, limitBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > limitBytes) throw tooLarge(limitBytes);
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const pieces = new Pieces();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces.joined();
    if (pieces.size + value.byteLength > limitBytes) {
      reader.cancel().catch(() => undefined);
      throw tooLarge(limitBytes);
    }
    keepInMemory(request, value.byteLength);
    pieces.add(value);
  }
}

/** @throws AppError 400 that names the first invalid member, never its value. */
export function parseShape<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const where = issue === undefined ? '' : issue.path.map(String).join('.');
  throw new AppError('invalid_request', {
    message: `${where === '' ? 'request body' : where}: ${issue?.message ?? 'invalid'}`,
  });
}

function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    refuseTooDeep(text);
    // A member with this name would become a prototype when the object is copied member by member.
    return text.includes('__proto__') || text.includes('\\u')
      ? JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
      : JSON.parse(text);
  } catch (error) {
    throw error instanceof AppError ? error : new AppError('invalid_json');
  }
}

/** @throws AppError 400 */
export function refuseTooDeep(json: string): void {
  if (!isTooDeep(json)) return;
  throw new AppError('invalid_json', { message: `the JSON is nested more than ${MAX_JSON_DEPTH} levels deep` });
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('body_too_large', {
    message: `the request body is larger than ${limitBytes} bytes`,
  });
}
