import { ApiError, type Hop } from '../../../platform/api/errors.ts';

/** Why an upload stopped, in the classes that are explained differently. */
export type ProblemKind =
  /** `.gz`: decompress first. */
  | 'compressed'
  | 'other_suffix'
  | 'empty_file'
  /** The file is larger than the server's quota for all uploads. */
  | 'over_quota'
  /** The server has no sessions, and the file is too large for a single request. */
  | 'sessions_needed'
  /** The file on disk has changed since it was picked, or can no longer be read. */
  | 'file_changed'
  /** The picked file has another name or size than the session. */
  | 'other_file'
  /** The received bytes are not the beginning of this file: only a new import is possible. */
  | 'prefix_mismatch'
  | 'session_expired'
  | 'session_gone'
  /** The session changed unexpectedly, twice: somebody else works with it. */
  | 'session_conflict'
  | 'too_many_sessions'
  | 'quota_used_up'
  | 'too_large'
  | 'refused'
  | 'unavailable'
  /** A proxy answered instead of the manager, and retries did not help; `hop` identifies it. */
  | 'proxy'
  | 'network'
  | 'timeout'
  | 'unauthorized'
  /** An impossible answer: another server, or a bug in one. */
  | 'protocol'
  /** The server received everything and could not import it; `message` has the reason. */
  | 'import_failed'
  /** The canceled import had not ended within the time limit. */
  | 'cancel_pending';

export interface UploadProblem {
  readonly kind: ProblemKind;
  /** Text of the answer, '' without one. */
  readonly message: string;
  /** HTTP status, 0 without an answer. */
  readonly status: number;
  /** What answered instead of the manager. */
  readonly hop: Hop | null;
  /** The same file can be resumed from here. */
  readonly resumable: boolean;
}

const RESUMABLE: ReadonlySet<ProblemKind> = new Set([
  'session_conflict',
  'too_many_sessions',
  'quota_used_up',
  'unavailable',
  'proxy',
  'network',
  'timeout',
  'unauthorized',
  'cancel_pending',
]);

export class UploadError extends Error {
  readonly kind: ProblemKind;

  constructor(kind: ProblemKind, options?: { readonly cause?: unknown; readonly message?: string }) {
    super(options?.message ?? kind, { cause: options?.cause });
    this.name = 'UploadError';
    this.kind = kind;
  }
}

const CODES: Readonly<Record<string, ProblemKind>> = {
  usage_import_session_invalid_request: 'refused',
  usage_import_session_not_found: 'session_gone',
  usage_import_session_conflict: 'session_conflict',
  usage_import_session_file_mismatch: 'prefix_mismatch',
  usage_import_session_too_large: 'too_large',
  usage_import_session_quota_exceeded: 'quota_used_up',
  usage_import_session_limit_exceeded: 'too_many_sessions',
  usage_import_session_unavailable: 'unavailable',
};

export function kindOf(error: ApiError): ProblemKind {
  if (error.kind === 'network') return 'network';
  if (error.kind === 'timeout') return 'timeout';
  if (error.hop !== null) return 'proxy';
  if (error.kind !== 'status') return 'protocol';
  const kind = CODES[error.code];
  if (kind !== undefined) return kind;
  if (error.status === 401) return 'unauthorized';
  if (error.status === 413) return 'too_large';
  return error.status >= 500 || error.status === 429 ? 'unavailable' : 'refused';
}

/** Converts anything thrown here to a problem. */
export function toProblem(error: unknown): UploadProblem {
  const apiError = error instanceof ApiError ? error : null;
  const kind = error instanceof UploadError ? error.kind : apiError === null ? 'protocol' : kindOf(apiError);
  const own = error instanceof UploadError && error.message !== kind ? error.message : '';
  // Details of the cause are kept.
  const known = apiError ?? (error instanceof Error && error.cause instanceof ApiError ? error.cause : null);
  return {
    kind,
    message: own || (known?.message ?? ''),
    status: known?.status ?? 0,
    hop: known?.hop ?? null,
    resumable: RESUMABLE.has(kind),
  };
}

/** Name of the proxy: its software, else the title of its page, else ''. */
export function hopName({ server, title }: Hop): string {
  return server === '' ? title : server;
}
