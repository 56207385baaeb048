/**
 * Every error the manager answers with: code, HTTP status and a default text that says what to do. Clients branch on
 * `code`; texts may change. Nothing here may contain a path, a key or SQL.
 */
export const ERRORS = {
  invalid_admin_key: { status: 401, message: 'invalid admin key' },
  invalid_management_key: { status: 401, message: 'invalid management key' },
  invalid_existing_management_key: {
    status: 401,
    message: 'the manager is bound to another upstream; sign in and change the connection in its settings',
  },
  setup_env_managed: { status: 409, message: 'the connection is set by the environment; change it there' },
  connection_env_managed: { status: 409, message: 'these fields are set by the environment; change them there' },
  cpa_connection_already_bound: { status: 409, message: 'the manager is already bound to an upstream' },
  account_processing_policy_env_locked: { status: 409, message: 'this switch is set by the environment' },
  cpa_connection_required: { status: 400, message: 'both the upstream URL and its management key are needed' },
  cpa_connection_required_for_monitoring: {
    status: 400,
    message: 'request monitoring needs an upstream URL and its management key',
  },
  cpa_usage_retention_invalid: { status: 400, message: 'the usage queue retention of the upstream must be above 0' },
  poll_interval_exceeds_retention: {
    status: 400,
    message: 'the poll interval is longer than the upstream keeps events; lower pollIntervalMs',
  },
  invalid_time_zone: { status: 400, message: 'unknown time zone' },
  management_api_validation_failed: { status: 502, message: 'the upstream refused the management key' },
  management_api_config_failed: { status: 502, message: 'the upstream did not answer its configuration' },
  enable_cpa_usage_statistics_failed: { status: 502, message: 'the upstream did not switch on usage publishing' },
  usage_service_not_configured: { status: 412, message: 'no upstream is connected yet; finish the setup first' },
  prices_required: { status: 400, message: 'prices: missing' },
  model_price_sync_failed: { status: 502, message: 'no price source answered' },
  api_key_aliases_required: { status: 400, message: 'items: missing' },
  api_key_alias_duplicate: { status: 400, message: 'another client key already has this alias' },
  usage_import_session_invalid_request: { status: 400, message: 'the request does not fit an import session' },
  usage_import_session_not_found: { status: 404, message: 'no such import session; it may have expired: start again' },
  usage_import_session_conflict: { status: 409, message: 'the import session is in another state; read it again' },
  usage_import_session_file_mismatch: {
    status: 409,
    message: 'the file differs from what was received before; start a new import',
  },
  usage_import_session_too_large: { status: 413, message: 'more bytes than are accepted' },
  usage_import_session_limit_exceeded: {
    status: 429,
    message: 'too many import sessions at once; finish or cancel one first',
  },
  usage_import_session_quota_exceeded: {
    status: 507,
    message: 'the disk quota of imports is used up by other sessions; finish or cancel one first',
  },
  usage_import_session_unavailable: { status: 500, message: 'import sessions are not available now; try again' },
  usage_archive_invalid_id: { status: 400, message: 'archive run id: 32 lower-case hex digits expected' },
  usage_archive_invalid_request: { status: 400, message: 'the request does not fit an archive run' },
  usage_archive_not_found: { status: 404, message: 'no such archive run' },
  usage_archive_request_too_large: { status: 413, message: 'more bytes than are accepted' },
  usage_archive_no_events: { status: 422, message: 'there are no events before this time that are not archived yet' },
  usage_archive_maintenance_locked: {
    status: 409,
    message: 'another archive run is active; finish or cancel it first',
  },
  usage_archive_invalid_state: { status: 409, message: 'the archive run is in another state; read it again' },
  usage_archive_coverage_incomplete: {
    status: 409,
    message: 'the derived data does not cover the events of this archive run yet; try again later',
  },
  usage_archive_delete_unavailable: {
    status: 409,
    message: 'archived events can only be deleted while the hourly rollup is switched on',
  },
  usage_archive_cancel_unsafe: { status: 409, message: 'events of this archive run are deleted already' },
  usage_archive_cancel_published: { status: 409, message: 'files of this archive run are written already' },
  usage_archive_cancel_cleanup_failed: {
    status: 500,
    message: 'temporary files of the archive run cannot be removed; try again',
  },
  usage_archive_unavailable: { status: 503, message: 'archives are not available now' },
  method_not_allowed: { status: 405, message: 'method not allowed' },
  upstream_loop_detected: { status: 508, message: 'the upstream URL leads back to this manager' },
  request_failed: { status: 500, message: 'request failed' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** JSON body of every error answer. */
export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
}

/**
 * An error that is meant for the caller. `status` is needed only where a code (such as `request_failed`) has several.
 *
 * @example throw new AppError('request_failed', { status: 400, message: 'from_ms: integer expected' });
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    options: {
      readonly status?: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.headers = options.headers ?? {};
  }

  toBody(): ErrorBody {
    return { error: this.message, code: this.code };
  }
}
