import { AppError } from '@manager/core/contract/errors';
import { jsonResponse } from './json.ts';
import type { Log } from './log.ts';

export interface ErrorAnswersDeps {
  readonly log: Log;
  /** Id that ties an opaque answer to its log line. */
  readonly newId: () => string;
}

/** Turns whatever a handler threw into an answer. */
export type ErrorAnswers = (error: unknown, request: Request) => Response;

/**
 * Errors that are meant for the caller become their JSON body. Everything else becomes one opaque `request_failed`, with the
 * detail in the log under the id of the answer: texts of the runtime and of SQLite may hold paths, keys or SQL.
 */
export function createErrorAnswers(deps: ErrorAnswersDeps): ErrorAnswers {
  return (error, request) => {
    // The caller is gone, so nobody reads this, and what broke off because of it is no fault; 499 is what the log shows.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    if (error instanceof AppError) {
      if (error.status >= 500 && error.cause !== undefined) deps.log.warn(logFields(error.cause), error.message);
      return jsonResponse(error.toBody(), error.status, error.headers);
    }
    const errorId = deps.newId();
    deps.log.error({ errorId, method: request.method, ...logFields(error) }, 'request failed');
    const opaque = new AppError('request_failed', { message: `request failed; see the manager log for ${errorId}` });
    return jsonResponse(opaque.toBody(), opaque.status);
  };
}

function logFields(error: unknown): object {
  return { err: error instanceof Error ? error : new Error(String(error)) };
}
