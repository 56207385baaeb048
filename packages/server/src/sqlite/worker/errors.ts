import { AppError, ERRORS, type ErrorCode } from '@manager/core/contract/errors';

/**
 * A failure inside a worker that is not an answer to a caller. `code` is the code of SQLite (`SQLITE_FULL`, `SQLITE_BUSY`,
 * `SQLITE_CONSTRAINT_UNIQUE`, …), of the system, or one of the worker's own: `WORKER_FAILED`, `WORKER_CLOSED`.
 */
export class OperationError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'OperationError';
    this.code = code;
  }
}

/** An error in a worker message; a structured clone would lose its class and its code. */
export interface WireError {
  readonly message: string;
  readonly code: string;
  readonly stack: string;
  readonly app: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | null;
}

export function toWireError(error: unknown): WireError {
  if (error instanceof AppError) {
    return {
      message: error.message,
      code: error.code,
      stack: error.stack ?? '',
      app: { status: error.status, headers: error.headers },
    };
  }
  const known = error instanceof Error ? error : new Error(String(error));
  return { message: known.message, code: codeOf(known), stack: known.stack ?? '', app: null };
}

export function fromWireError(wire: WireError): Error {
  const error =
    wire.app !== null && isErrorCode(wire.code)
      ? new AppError(wire.code, { status: wire.app.status, message: wire.message, headers: wire.app.headers })
      : new OperationError(wire.code, wire.message);
  // The stack of the worker names the failing statement; that of the message handler does not.
  error.stack = wire.stack;
  return error;
}

/** The machine-readable code of any error, '' = none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * Whether a failed insert is caused by the record (a constraint, its size, an invalid text) and not by the disk, a lock or the
 * file, which may recover.
 */
export function isRecordFailure(error: unknown): boolean {
  const code = codeOf(error);
  return code === '' || /^SQLITE_(?:CONSTRAINT|TOOBIG|MISMATCH)/.test(code);
}

function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}
