import {
  type ApiCallRequest,
  isSuccess,
  type ProbeAnswer,
  readApiCallAnswer,
  storedText,
} from '@manager/core/accounts/api-call';
import type { JsonObject } from '@manager/core/json/json';
import type { Client } from '../../../platform/api/client.ts';
import { ApiError } from '../../../platform/api/errors.ts';
import { QuotaError } from './observed-windows.ts';

/** One provider request with an account's token, which the browser never sees. */
export type Ask = (request: ApiCallRequest, timeoutMs?: number) => Promise<ProbeAnswer>;

/** The gateway's timeout is 60 s. */
const TIMEOUT_MS = 65_000;

export function askThrough(client: Client, signal: AbortSignal): Ask {
  return async (request, timeoutMs = TIMEOUT_MS) => {
    try {
      const response = await client.open('v0/management/api-call', {
        method: 'POST',
        body: request,
        timeoutMs,
        signal,
      });
      return readApiCallAnswer(response.status, await response.text());
    } catch (error) {
      if (signal.aborted) throw error;
      return { kind: 'transport_error', error: error instanceof ApiError ? error.message : String(error) };
    }
  };
}

/** The body of a successful answer. @throws QuotaError with the cause otherwise */
export function answered(answer: ProbeAnswer): JsonObject {
  if (answer.kind === 'transport_error') throw new QuotaError(answer.error, 0);
  if (answer.kind === 'missing_status') throw new QuotaError(storedText(answer.body), 0);
  if (!isSuccess(answer.statusCode) || answer.json === null)
    throw new QuotaError(storedText(answer.body), answer.statusCode);
  return answer.json;
}
