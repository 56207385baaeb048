/**
 * Every error of the manager: code, HTTP status and a default text that says what to do. Clients branch on `code`;
 * texts may change. No text may contain a path, a key or SQL.
 */
export const ERRORS = {
  invalid_admin_key: { status: 401, message: 'invalid admin key' },
  invalid_management_key: { status: 401, message: 'invalid management key' },
  invalid_existing_management_key: {
    status: 401,
    message: 'the manager is connected to another gateway; sign in and change the connection in the settings',
  },
  setup_env_managed: { status: 409, message: 'the connection is set by the environment; change it there' },
  connection_env_managed: { status: 409, message: 'these fields are set by the environment; change them there' },
  cpa_connection_already_bound: {
    status: 409,
    message: 'the manager is already connected to a gateway; change the connection in the settings',
  },
  account_processing_policy_env_locked: {
    status: 409,
    message: 'this switch is set by the environment; change it there',
  },
  cpa_connection_required: { status: 400, message: 'gateway URL and management key: both expected' },
  cpa_connection_required_for_monitoring: {
    status: 400,
    message: 'request monitoring needs a gateway URL and a management key',
  },
  cpa_usage_retention_invalid: {
    status: 400,
    message: 'the usage queue retention of the gateway is 0; set it above 0',
  },
  poll_interval_exceeds_retention: {
    status: 400,
    message: 'the poll interval is longer than the gateway keeps events; lower pollIntervalMs',
  },
  invalid_time_zone: { status: 400, message: 'unknown time zone' },
  management_api_validation_failed: { status: 502, message: 'the gateway rejected the management key' },
  management_api_config_failed: {
    status: 502,
    message: 'the gateway did not return its configuration; check that the URL leads to the gateway itself',
  },
  enable_cpa_usage_statistics_failed: {
    status: 502,
    message: 'the gateway did not turn on usage publishing; turn on usage-statistics-enabled in its configuration',
  },
  usage_service_not_configured: { status: 412, message: 'no gateway is connected yet; finish the setup first' },
  prices_required: { status: 400, message: 'prices: missing' },
  model_price_sync_failed: { status: 502, message: 'no price catalog responded; check the network and try again' },
  api_key_aliases_required: { status: 400, message: 'items: missing' },
  api_key_alias_duplicate: { status: 400, message: 'another client key already has this alias; choose another one' },
  usage_import_session_invalid_request: { status: 400, message: 'the request is not valid for an import session' },
  usage_import_session_not_found: {
    status: 404,
    message: 'no such import session; it may have expired. Start a new import',
  },
  usage_import_session_conflict: { status: 409, message: 'the import session is in another state; load it again' },
  usage_import_session_file_mismatch: {
    status: 409,
    message: 'the file differs from what was received before; start a new import',
  },
  usage_import_session_too_large: { status: 413, message: 'the request is larger than the limit' },
  usage_import_session_limit_exceeded: {
    status: 429,
    message: 'too many active import sessions; finish or cancel one first',
  },
  usage_import_session_quota_exceeded: {
    status: 507,
    message: 'other import sessions use up the disk quota of imports; finish or cancel one first',
  },
  usage_import_session_unavailable: {
    status: 500,
    message: 'import sessions are currently not available; try again later',
  },
  usage_archive_invalid_id: { status: 400, message: 'archive run id: 32 lower-case hex digits expected' },
  usage_archive_invalid_request: { status: 400, message: 'the request is not valid for an archive run' },
  usage_archive_not_found: { status: 404, message: 'no such archive run' },
  usage_archive_request_too_large: { status: 413, message: 'the request is larger than the limit' },
  usage_archive_no_events: {
    status: 422,
    message: 'all events before this time are already archived; choose a later time',
  },
  usage_archive_maintenance_locked: {
    status: 409,
    message: 'another archive run is active; finish or cancel it first',
  },
  usage_archive_invalid_state: { status: 409, message: 'the archive run is in another state; load it again' },
  usage_archive_coverage_incomplete: {
    status: 409,
    message: 'the hourly rollup does not cover the events of this archive run yet; try again later',
  },
  usage_archive_delete_unavailable: {
    status: 409,
    message:
      'archived events can only be deleted while the hourly rollup is on; set USAGE_DASHBOARD_HOURLY_ROLLUP_ENABLED to true',
  },
  usage_archive_cancel_unsafe: {
    status: 409,
    message: 'events of this archive run are already deleted; resume the run to finish',
  },
  usage_archive_cancel_published: {
    status: 409,
    message: 'files of this archive run are already written; the run can no longer be canceled',
  },
  usage_archive_cancel_cleanup_failed: {
    status: 500,
    message: 'temporary files of the archive run cannot be removed; check the archive directory and try again',
  },
  usage_archive_unavailable: { status: 503, message: 'archives are currently not available; see the manager log' },
  method_not_allowed: { status: 405, message: 'method not allowed' },
  upstream_loop_detected: {
    status: 508,
    message: 'the gateway URL leads back to this manager; enter the direct address of the gateway',
  },
  request_failed: { status: 500, message: 'request failed' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** JSON body of every error answer. */
export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
}

/**
 * An error that may be shown to the caller. `status` is needed only where a code (such as `request_failed`) has
 * several.
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
