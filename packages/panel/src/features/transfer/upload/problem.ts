import { ApiError, type Hop } from '../../../platform/api/errors.ts';

/** Why an upload stopped, in the classes that are explained differently. */
export type ProblemKind =
  /** `.gz`: decompress first. */
  | 'compressed'
  | 'other_suffix'
  | 'empty_file'
  /** The file is larger than everything the server keeps for uploads. */
  | 'over_quota'
  /** The server knows no sessions, and the file is too large for a single request. */
  | 'sessions_needed'
  /** The file on disk is not what was picked, or can be read no longer. */
  | 'file_changed'
  /** The picked file has another name or size than the session. */
  | 'other_file'
  /** The received bytes are not the beginning of this file: only a new import can follow. */
  | 'prefix_mismatch'
  | 'session_expired'
  | 'session_gone'
  /** The session moved without us, twice: somebody else works with it. */
  | 'session_conflict'
  | 'too_many_sessions'
  | 'quota_used_up'
  | 'too_large'
  | 'refused'
  | 'unavailable'
  /** Something between panel and manager answered in its place, and no other try helped; `hop` tells what. */
  | 'proxy'
  | 'network'
  | 'timeout'
  | 'unauthorized'
  /** An answer that cannot be: another server, or a fault of one. */
  | 'protocol'
  /** The server received everything and could not import it; `message` says why. */
  | 'import_failed'
  /** The cancelled import had not ended within its time. */
  | 'cancel_pending';

export interface UploadProblem {
  readonly kind: ProblemKind;
  /** Text of the answer, '' when there is none. */
  readonly message: string;
  /** HTTP status, 0 when no answer came. */
  readonly status: number;
  /** What answered in the manager's place. */
  readonly hop: Hop | null;
  /** The same file can go on from here. */
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

/** Anything thrown here as what the page tells. */
export function toProblem(error: unknown): UploadProblem {
  const apiError = error instanceof ApiError ? error : null;
  const kind = error instanceof UploadError ? error.kind : apiError === null ? 'protocol' : kindOf(apiError);
  const own = error instanceof UploadError && error.message !== kind ? error.message : '';
  // What the cause knows belongs to the problem as well.
  const known = apiError ?? (error instanceof Error && error.cause instanceof ApiError ? error.cause : null);
  return {
    kind,
    message: own || (known?.message ?? ''),
    status: known?.status ?? 0,
    hop: known?.hop ?? null,
    resumable: RESUMABLE.has(kind),
  };
}

/** How the thing in between is called: by its software, else by the title of its page, else not at all (''). */
export function hopName({ server, title }: Hop): string {
  return server === '' ? title : server;
}
