import type { AnalyticsFilters } from './analytics.ts';

/** List filters: name in addresses of the panel and in commands → member of the request. */
export const LIST_FILTERS = {
  model: 'models',
  provider: 'providers',
  account: 'accounts',
  auth_file: 'auth_files',
  auth_index: 'auth_indices',
  api_key_hash: 'api_key_hashes',
  project_id: 'project_ids',
  request_type: 'request_types',
  error_kind: 'header_error_kinds',
  error_code: 'header_error_codes',
  quota_plan: 'header_quota_plans',
  header_trace_id: 'header_trace_ids',
} as const satisfies Record<string, keyof AnalyticsFilters>;
