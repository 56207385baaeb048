import { AppError } from '@manager/core/contract/errors';
import { jsonResponse } from './json.ts';
import type { Log } from './log.ts';

export interface ErrorAnswersDeps {
  readonly log: Log;
  /** Id that links an opaque answer to its log line. */
  readonly newId: () => string;
}

/** Converts a thrown error to an answer. */
export type ErrorAnswers = (error: unknown, request: Request) => Response;

/**
 * Errors for the caller become their JSON body. All others become one opaque `internal_error`, with the detail in the log under
 * the id of the answer: texts of the runtime and of SQLite may contain paths, keys or SQL.
 */
export function createErrorAnswers(deps: ErrorAnswersDeps): ErrorAnswers {
  return (error, request) => {
    // The caller has disconnected, and errors that follow from it are no failure; 499 is for the log.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    if (error instanceof AppError) {
      if (error.status >= 500 && error.cause !== undefined)
        deps.log.warn({ code: error.code, ...logFields(error.cause) }, error.message);
      return jsonResponse(error.toBody(), error.status, error.headers);
    }
    const errorId = deps.newId();
    deps.log.error({ errorId, method: request.method, ...logFields(error) }, 'request failed');
    const opaque = new AppError('internal_error', { message: `request failed; see the manager log for ${errorId}` });
    return jsonResponse(opaque.toBody(), opaque.status);
  };
}

function logFields(error: unknown): object {
  return { err: error instanceof Error ? error : new Error(String(error)) };
}
