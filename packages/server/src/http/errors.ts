import { AppError, ERRORS } from '@manager/core/contract/errors';
import { DATABASE_REPLACED, isDiskFull } from '../sqlite/database-problem.ts';
import { codeOf } from '../sqlite/worker/errors.ts';
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
    const known = named(error);
    if (known instanceof AppError) {
      const { code, status, headers, cause } = known;
      if (status >= 500 && cause !== undefined) deps.log.warn({ code, ...logFields(cause) }, known.message);
      // Whatever could not be done: this is what the operator can change.
      const full = status >= 500 && isDiskFull(cause) ? { error: ERRORS.disk_full.message } : {};
      return jsonResponse({ ...known.toBody(), ...full }, status, headers);
    }
    const errorId = deps.newId();
    deps.log.error({ errorId, method: request.method, ...logFields(error) }, 'request failed');
    const opaque = new AppError('internal_error', { message: `request failed; see the manager log for ${errorId}` });
    return jsonResponse(opaque.toBody(), opaque.status);
  };
}

/** Failures of the database that the operator can end. */
function named(error: unknown): unknown {
  if (isDiskFull(error)) return new AppError('disk_full', { cause: error });
  return codeOf(error) === DATABASE_REPLACED ? new AppError('database_replaced') : error;
}

function logFields(error: unknown): object {
  return { err: error instanceof Error ? error : new Error(String(error)) };
}
