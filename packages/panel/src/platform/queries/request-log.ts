import { answerObject } from '../api/answer-list.ts';
import type { Client } from '../api/client.ts';
import { ApiError } from '../api/errors.ts';

export const REQUEST_LOG_PATH = 'v0/management/request-log';

/** Whether the gateway logs every request. @throws ApiError also for an answer that does not say it */
export async function readRequestLog(client: Client, signal?: AbortSignal): Promise<boolean> {
  const answer = answerObject(client, REQUEST_LOG_PATH, await client.call<unknown>(REQUEST_LOG_PATH, { signal }));
  const on = answer['request-log'];
  if (typeof on === 'boolean') return on;
  throw new ApiError('shape', 'the response does not say it', { path: REQUEST_LOG_PATH, atMs: client.now() });
}
