/** The code of every answer of `GENERIC_ERRORS`. */
export const GENERIC_CODE = 'request_failed';

/**
 * Errors that are sent as `request_failed`: the interface fixes this code for them, because clients of earlier managers know
 * them by it. Inside they have names; a new error gets a code of its own in `errors.ts` instead.
 */
export const GENERIC_ERRORS = {
  /** Whatever is not foreseen. */
  internal_error: { status: 500, message: 'request failed' },

  // Any request: these are `request_failed` for every path.
  path_not_found: { status: 404, message: 'not found' },
  invalid_json: { status: 400, message: 'the request body is not valid JSON' },
  invalid_request: { status: 400, message: 'the request has an invalid member' },
  repeated_parameter: { status: 400, message: 'a parameter is given more than once, with different values' },
  body_too_large: { status: 413, message: 'the request body is larger than the limit' },
  authorization_failed: { status: 500, message: 'authorization failed' },

  // Forwarded requests, and the gateway that refuses them or cannot be reached
  usage_queue_taken: {
    status: 409,
    message: 'the collector reads the usage queue; a second reader would take its events',
  },
  gateway_unreachable: { status: 502, message: 'the gateway cannot be reached' },
  gateway_refuses_manager: { status: 502, message: 'the gateway refuses the manager' },
  gateway_answer_cut_off: { status: 502, message: 'the response of the gateway was cut off' },

  // Reports: their only other codes are invalid_time_zone and method_not_allowed.
  too_many_buckets: { status: 400, message: 'too many buckets in one response' },
  too_many_points: { status: 400, message: 'too many points in one response' },
  maintenance_state_unreadable: { status: 500, message: 'the maintenance state cannot be read' },

  // Inspections: their only other codes are of the setup.
  inspection_targets_invalid: { status: 400, message: 'codexInspection.targetTypes: unknown or empty' },
  inspection_run_id_invalid: { status: 400, message: 'run id: a positive integer expected' },
  inspection_run_not_found: { status: 404, message: 'no such inspection run' },
  inspection_active: {
    status: 409,
    message: 'an inspection or its actions are in progress; wait until they end or cancel the run',
  },
  inspection_ended: { status: 409, message: 'the inspection run has ended' },
  inspection_not_cancelable: {
    status: 409,
    message: 'the inspection run cannot be canceled: it has ended or is about to end',
  },
  inspection_not_completed: {
    status: 409,
    message: 'actions are possible only for results of a completed inspection run',
  },
  inspection_actions_invalid: { status: 400, message: 'these actions are not possible' },
  inspection_outcomes_not_stored: {
    status: 500,
    message: 'the actions were executed, but their outcomes cannot be stored; check the accounts',
  },
  manager_stopping: { status: 409, message: 'the manager is stopping' },

  // The action queue, quotas: likewise
  candidate_id_invalid: { status: 400, message: 'candidate id: a positive number expected' },
  candidate_not_found: { status: 404, message: 'no such action queue entry' },
  candidate_handled: { status: 409, message: 'this action queue entry was already handled' },
  candidate_account_ambiguous: { status: 409, message: 'the account cannot be identified with certainty' },
  candidate_account_replaced: { status: 409, message: 'the auth file now holds another account' },
  candidate_account_missing: { status: 409, message: 'the account no longer exists' },
  candidate_account_shared: { status: 409, message: 'the change would affect other accounts of the same auth file' },
  candidate_file_busy: { status: 409, message: 'another change of the auth file was in progress' },
  candidate_gateway_unavailable: { status: 500, message: 'the gateway did not return the list of auth files' },
  candidate_change_failed: { status: 500, message: 'the gateway did not change it' },
  candidate_not_stored: {
    status: 500,
    message: 'the auth file is deleted, but this could not be stored; delete it again to close the action queue entry',
  },
  quota_snapshot_invalid: { status: 400, message: 'the quota is not valid' },

  // Prices, exports, imports, archives: named for exactly these answers
  model_price_invalid: { status: 400, message: 'a price is not valid' },
  model_price_sync_too_many: { status: 400, message: 'too many models' },
  too_many_exports: { status: 503, message: 'too many exports are running' },
  import_file_too_large: { status: 413, message: 'the file is too large; use an import session' },
  import_unusable: { status: 400, message: 'the file cannot be imported' },
  import_broken_off: { status: 500, message: 'the rest of the file cannot be imported' },
  import_interrupted: { status: 500, message: 'the import was interrupted; import the same file again' },
  import_disk_full: {
    status: 500,
    message: 'the disk is full; free space on the volume of the database, then import the same file again',
  },
  import_chunk_offset_invalid: { status: 400, message: 'offset: an integer of at least 0' },
  archive_stage_failed: {
    status: 500,
    message: 'the stage of the archive run failed; see the manager log, then resume the run',
  },
} as const;
