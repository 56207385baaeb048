import type { ApiCallAnswer, ApiCallFailure, ApiCallOuterAnswer } from '../accounts/api-call-types.ts';
import { type Clock, sleep } from '../clock.ts';
import type { Exchange } from '../http/exchange.ts';
import { sendError } from './answers.ts';

export type ApiCallResult = ApiCallAnswer | ApiCallFailure | ApiCallOuterAnswer | 'literal-token';

/** The gateway's timeout of a provider request. */
const TIMEOUT_MS = 60_000;
/** Larger than clients of such answers accept. */
const TOO_LARGE_BYTES = 17 * 1024 * 1024;

/** Answers an api-call, with the provider's answer or with the failure. */
export async function answerApiCall(exchange: Exchange, clock: Clock, result: ApiCallResult): Promise<void> {
  if (typeof result !== 'string') {
    if ('httpStatus' in result) sendRaw(exchange, result.text, result.httpStatus);
    else send(exchange, result);
    return;
  }
  switch (result) {
    case 'timeout':
      await sleep(clock, TIMEOUT_MS, exchange.gone);
      sendError(exchange, 502, 'request failed');
      break;
    case 'request failed':
    case 'failed to read response':
      sendError(exchange, 502, result);
      break;
    case 'auth token not found':
    case 'auth token refresh failed':
      sendError(exchange, 400, result);
      break;
    case 'literal-token':
      send(exchange, { status_code: 401, header: JSON_HEADER, body: '{"error": "invalid token"}' });
      break;
    case 'reset':
      exchange.connection.reset();
      break;
    case 'empty':
      sendRaw(exchange, '');
      break;
    case 'not json':
      sendRaw(exchange, '{"status_code":200,"body":');
      break;
    case 'two values':
      sendRaw(exchange, '{"status_code":200,"header":{},"body":"{}"}{"status_code":200,"header":{},"body":"{}"}');
      break;
    case 'missing status':
      sendRaw(exchange, '{"header":{},"body":"{}"}');
      break;
    case 'too large':
      send(exchange, { status_code: 200, header: {}, body: 'x'.repeat(TOO_LARGE_BYTES) });
  }
}

const JSON_HEADER = { 'Content-Type': ['application/json'] };

function send(exchange: Exchange, { status_code, header, body }: ApiCallAnswer): void {
  exchange.sendJson(200, { status_code, header: { ...header }, body });
}

function sendRaw(exchange: Exchange, text: string, status = 200): void {
  exchange.sendText(status, text, { 'Content-Type': 'application/json; charset=utf-8' });
}
