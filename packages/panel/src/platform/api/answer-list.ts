import { isRecord } from '../browser/storage.ts';
import type { CallOptions, Client } from './client.ts';
import { ApiError } from './errors.ts';

/**
 * A member of an answer that holds a list; null = an empty one. Anything else is no such answer: taken for an empty list, it would
 * say that the gateway has nothing.
 *
 * @throws ApiError `shape`
 */
export function answerList(
  { now }: Pick<Client, 'now'>,
  path: string,
  answer: unknown,
  member: string,
): readonly unknown[] {
  const list = isRecord(answer) ? answer[member] : undefined;
  if (list === null) return [];
  if (!Array.isArray(list)) throw new ApiError('shape', 'the response is not a list', { path, atMs: now() });
  return list;
}

/** The list that an endpoint answers with under this name. */
export async function listAt(
  client: Pick<Client, 'call' | 'now'>,
  path: string,
  member: string,
  options: CallOptions = {},
): Promise<readonly unknown[]> {
  return answerList(client, path, await client.call<unknown>(path, options), member);
}

/** The same for an object. @throws ApiError `shape` */
export function answerObject(
  { now }: Pick<Client, 'now'>,
  path: string,
  answer: unknown,
): Readonly<Record<string, unknown>> {
  if (isRecord(answer)) return answer;
  throw new ApiError('shape', 'the response is not an object', { path, atMs: now() });
}
