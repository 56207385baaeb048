import { archiveRetentionSchema } from '@manager/core/contract/archives/retention';
import { RETENTION_PATH } from '@manager/core/contract/constants';
import type { Scenario } from './scenario.ts';

const archives = '/v0/management/usage/archives';
const maintenance = '/v0/management/usage/maintenance';
const ARCHIVE_ID = '0199a0000000700080000000000000ff';

export const HISTORY_SCENARIOS: readonly Scenario[] = [
  {
    name: 'import of lines that are no records',
    method: 'POST',
    path: '/v0/management/usage/import',
    body: 'x',
    status: 200,
    has: [
      '{"format":"usage_service_jsonl","added":0,"skipped":0,"total":0,"failed":1,"unsupported":0,"warnings":[],' +
        '"failures":[{"line":1,"where":"line 1","reason":"not valid JSON"}]}',
    ],
  },
  {
    name: 'import of nothing',
    method: 'POST',
    path: '/v0/management/usage/import',
    body: '\n',
    status: 400,
    has: ['request_failed', 'the payload is empty'],
  },
  {
    name: 'import of sums',
    method: 'POST',
    path: '/v0/management/usage/import',
    body: '{"total_requests":5}',
    status: 400,
    has: ['aggregates only', '"unsupported":1', '"format":"legacy_usage_payload"'],
  },
  {
    name: 'archives: none',
    path: archives,
    status: 200,
    has: ['{"runs":[],"total":0,"status_counts":{}}'],
  },
  { name: 'archives need the key', path: archives, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  { name: 'archives of an unknown action', method: 'POST', path: `${archives}/${ARCHIVE_ID}/publish`, status: 404 },
  { name: 'the same without key', method: 'POST', path: `${archives}/x/publish`, signedIn: false, status: 401 },
  {
    name: 'an archive preview',
    method: 'POST',
    path: `${archives}/preview`,
    body: '{"cutoff_timestamp_ms":4102444800000}',
    status: 200,
    has: ['"cutoff_timestamp_ms":4102444800000,"target_event_id":50,"event_count":50,"estimated_bytes":'],
  },
  {
    name: 'an archive of nothing',
    method: 'POST',
    path: archives,
    body: '{"cutoff_timestamp_ms":1}',
    status: 422,
    has: ['usage_archive_no_events'],
  },
  { name: 'an archive without a time', method: 'POST', path: archives, body: '{}', status: 400, has: ['cutoff'] },
  { name: 'an archive that is not there', path: `${archives}/${ARCHIVE_ID}`, status: 404, has: ['_not_found'] },
  { name: 'an archive without an id', path: `${archives}/1`, status: 400, has: ['usage_archive_invalid_id'] },
  {
    name: 'maintenance',
    path: maintenance,
    status: 200,
    has: ['{"raw_event_count":50,', '"hourly_aggregate_ready":true', '"bytes_per_event":{"raw":'],
  },
  {
    name: 'the retention',
    path: RETENTION_PATH,
    status: 200,
    has: ['"enabled":false,"days":30,"enabled_locked":false'],
    shape: archiveRetentionSchema,
  },
  {
    name: 'a retention of no days',
    method: 'PATCH',
    path: RETENTION_PATH,
    body: '{"days":0}',
    status: 400,
    has: ['usage_archive_retention_invalid', '"least":1,"most":106751'],
  },
  {
    name: 'a changed retention',
    method: 'PATCH',
    path: RETENTION_PATH,
    body: '{"days":400}',
    status: 200,
    has: ['"days":400', 'updated_at_ms'],
  },
  {
    name: 'the retention needs the key',
    path: RETENTION_PATH,
    signedIn: false,
    status: 401,
    has: ['invalid_admin_key'],
  },
  { name: 'the probe for archives', method: 'HEAD', path: maintenance, status: 204 },
  { name: 'the probe without key', method: 'HEAD', path: maintenance, signedIn: false, status: 401 },
];
