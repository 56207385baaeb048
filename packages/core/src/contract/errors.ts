import { GENERIC_CODE, GENERIC_ERRORS } from './generic-errors.ts';

/**
 * Every error of the manager: code, HTTP status and a default text that says what to do. Clients branch on the code that
 * is sent; texts may change. No text may contain a path, a key or SQL.
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
  management_key_recently_rejected: {
    status: 429,
    message: 'the gateway rejected this key at this URL before; enter another key, or wait',
  },
  management_key_is_admin_key: {
    status: 400,
    message:
      'this is the admin key of the manager; enter the management key of the gateway, which is remote-management.secret-key in its configuration',
  },
  gateway_speaks_tls: {
    status: 502,
    message: 'the gateway speaks TLS on this port, and the URL says http://; change the URL to https://',
  },
  gateway_speaks_plain_text: {
    status: 502,
    message: 'the gateway does not speak TLS on this port, and the URL says https://; change the URL to http://',
  },
  gateway_certificate_untrusted: {
    status: 502,
    message:
      'the certificate of the gateway is not trusted; name the file of its authority in NODE_EXTRA_CA_CERTS and restart the manager, or skip the TLS check in the settings',
  },
  gateway_certificate_other_host: {
    status: 502,
    message:
      'the certificate of the gateway is for another host than the URL names; save the URL with a name from the certificate, or issue a certificate for this name',
  },
  gateway_certificate_expired: {
    status: 502,
    message:
      'the certificate of the gateway has expired or is not valid yet; renew it at the gateway, or correct the clock of the manager',
  },
  gateway_tls_failed: {
    status: 502,
    message:
      'the TLS handshake with the gateway failed; check its TLS settings: TLS 1.2 or later, usual ciphers, and no mutual TLS, which the manager does not support',
  },
  gateway_answer_not_http: {
    status: 502,
    message: 'what answers at the gateway URL does not speak HTTP as a gateway does; check host and port of the URL',
  },
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
  api_key_hash_invalid: {
    status: 400,
    message: 'apiKeyHash: 64 hex digits expected (the SHA-256 of the client key)',
  },
  api_key_alias_invalid: { status: 400, message: 'alias: not valid' },
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
  usage_archive_count_changed: {
    status: 409,
    message: 'other events are this old now than were confirmed; read the preview again',
  },
  usage_archive_retention_invalid: { status: 400, message: 'days: whole days within the allowed range expected' },
  usage_archive_retention_env_locked: {
    status: 409,
    message: 'this part of the retention is set by the environment; change it there',
  },
  usage_archive_unavailable: { status: 503, message: 'archives are currently not available; see the manager log' },
  method_not_allowed: { status: 405, message: 'method not allowed' },
  upstream_loop_detected: {
    status: 508,
    message: 'the gateway URL leads back to this manager; enter the direct address of the gateway',
  },

  // Any request
  invalid_host: { status: 400, message: 'the Host header is missing or malformed' },
  malformed_request: { status: 400, message: 'the request is malformed' },
  headers_too_large: { status: 431, message: 'the headers are larger than the limit' },
  request_body_timeout: { status: 408, message: 'nothing of the request body arrived for 15 seconds; send it again' },
  body_memory_full: {
    status: 503,
    message: 'other requests use up the memory for request bodies; try again in a few seconds',
  },
  too_many_requests_open: { status: 503, message: 'too many requests are in progress; try again in a few seconds' },
  address_too_long: { status: 414, message: 'the address is too long; send the request as POST' },
  too_many_wrong_admin_keys: {
    status: 429,
    message: 'too many wrong admin keys from this address; wait and try again',
  },
  cross_site_refused: {
    status: 403,
    message:
      'without the admin key this is refused to web pages of another address; open the panel at the address of the manager, or ' +
      'send the admin key',
  },
  json_required: { status: 415, message: 'without the admin key, Content-Type: application/json is required' },
  disk_full: { status: 507, message: 'the disk is full; free space on the volume of the database and try again' },
  database_replaced: {
    status: 503,
    message:
      'the database file was removed or replaced while the manager runs; stop the manager, put the right files in place, and start it',
  },
  query_too_slow: {
    status: 503,
    message: 'the query took too long and was stopped; narrow the time range or the filters',
  },

  // The panel
  panel_missing: { status: 500, message: 'this build contains no panel; set PANEL_PATH' },
  range_not_satisfiable: { status: 416, message: 'the requested range is outside the document' },

  // The connection to the gateway
  gateway_url_invalid: { status: 400, message: 'the gateway URL cannot be read; expected http(s)://host[:port]' },
  gateway_url_is_manager: {
    status: 400,
    message: 'this URL leads back to this manager; enter the direct address of the gateway',
  },
  management_key_not_sendable: {
    status: 400,
    message: 'the management key contains a character that cannot be sent; use only ASCII letters, digits and signs',
  },

  // Forwarded requests
  stored_gateway_url_invalid: {
    status: 500,
    message: 'the stored gateway URL cannot be read; save it again in the settings',
  },
  too_many_refused_keys: {
    status: 429,
    message:
      'a management key from this address was just refused, and more could get the manager banned at the gateway; try again in a moment',
  },
  upgrade_not_supported: { status: 501, message: 'only WebSocket upgrades are supported' },
  websocket_handshake_invalid: { status: 400, message: 'not a valid WebSocket handshake' },
  /** With the status of the gateway. */
  websocket_refused: { status: 502, message: 'the gateway refused the WebSocket handshake' },
  gateway_answer_unusable: { status: 502, message: 'the gateway returned a status that cannot be passed on' },

  // Versions of the gateway's configuration
  configuration_text_missing: { status: 400, message: 'the body is empty; send the text of the configuration' },
  configuration_version_not_found: { status: 404, message: 'no such version; it may be older than 30 days' },
  configuration_version_unreadable: {
    status: 409,
    message: 'this version was encrypted with another data key; restore data.key, or delete the history',
  },
  data_key_missing: {
    status: 409,
    message:
      'data.key is missing, and secrets were encrypted with it; restore the file and restart. If it is lost, enter the secrets again, or delete ' +
      'the history of the configuration and restart',
  },
  configuration_too_large: { status: 413, message: 'versions are limited to 8 MiB after compression' },

  // Notifications
  notification_target_not_found: { status: 404, message: 'no such notification target' },
  notification_target_limit: { status: 409, message: 'there are 20 notification targets; delete one first' },
  notification_secret_required: { status: 400, message: 'secrets: the URL or token of the target is missing' },
  notification_url_invalid: {
    status: 400,
    message: 'secrets.url: http(s)://host[:port]/path expected, without a user name and password',
  },
  notification_secrets_unreadable: {
    status: 409,
    message: 'the secrets of this target were encrypted with another data key; enter them again',
  },

  // Viewer links
  viewer_not_allowed: { status: 403, message: 'a viewer link gives access to its own usage only' },
  viewer_token_required: { status: 403, message: 'this is answered to viewer links only' },
  viewer_key_not_covered: { status: 403, message: 'the viewer link covers none of these client keys' },
  invalid_viewer_token: {
    status: 401,
    message: 'the viewer link has expired or was revoked; ask for a new one',
  },
  viewer_link_name_invalid: { status: 400, message: 'name: 1 to 120 visible characters expected' },
  viewer_link_keys_invalid: {
    status: 400,
    message: 'keys: null for all, or 1 to 500 SHA-256 hashes of client keys in hex',
  },
  viewer_link_limit: { status: 409, message: 'there are 200 viewer links; revoke one first' },
  viewer_link_not_found: { status: 404, message: 'no such viewer link' },

  // Changes of auth files
  auth_file_request_invalid: { status: 400, message: 'the identity list is empty or malformed' },
  auth_file_not_found: { status: 404, message: 'no such auth file' },
  auth_file_wait_ended: { status: 408, message: 'the request ended while waiting for the auth file' },
  auth_file_changed: { status: 409, message: 'the file has changed since it was read; reload it and try again' },
  account_changed: {
    status: 409,
    message: 'the account has changed since it was listed; reload the list and try again',
  },
  account_ambiguous: { status: 409, message: 'the account cannot be identified; reload the list and try again' },
  auth_file_shared: { status: 409, message: 'the change would affect every account of the file' },
  auth_file_selection_conflict: { status: 409, message: 'the identities belong to different files' },
  auth_file_request_too_large: { status: 413, message: 'auth-file requests are limited to 10 MiB' },
  auth_file_identity_too_large: { status: 413, message: 'the identity list is above 1 MiB' },
  auth_files_unreadable: { status: 502, message: 'the auth files cannot be read' },
  earlier_change_unsettled: {
    status: 502,
    message: 'an earlier change is not settled, because the gateway does not answer; try again soon',
  },

  ...GENERIC_ERRORS,
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type ErrorCode = keyof typeof ERRORS;

/** The code in the answer. */
export type WireCode = Exclude<ErrorCode, keyof typeof GENERIC_ERRORS> | typeof GENERIC_CODE;

export function wireCode(code: ErrorCode): WireCode {
  return isGeneric(code) ? GENERIC_CODE : code;
}

function isGeneric(code: ErrorCode): code is keyof typeof GENERIC_ERRORS {
  return Object.hasOwn(GENERIC_ERRORS, code);
}

/** JSON body of every error answer. */
export interface ErrorBody {
  readonly error: string;
  readonly code: WireCode;
  readonly [detail: string]: string | number;
}

/**
 * An error that may be shown to the caller. `status` is only for a code that passes on
 * the status of the gateway.
 *
 * @example throw new AppError('invalid_request', { message: 'from_ms: integer expected' });
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Members beside `error` and `code`, so that a panel can show the error in its own language. */
  readonly details: Readonly<Record<string, string | number>>;

  constructor(
    code: ErrorCode,
    options: {
      readonly status?: number;
      readonly message?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly details?: Readonly<Record<string, string | number>>;
      readonly cause?: unknown;
    } = {},
  ) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.status = options.status ?? ERRORS[code].status;
    this.headers = options.headers ?? {};
    this.details = options.details ?? {};
  }

  toBody(): ErrorBody {
    return { ...this.details, error: this.message, code: wireCode(this.code) };
  }
}
