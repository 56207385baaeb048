import type { EventRow } from '../contract/monitoring/analytics.ts';
import type { Masker } from './mask.ts';

const MASKED = {
  account_snapshot: 'account',
  auth_label_snapshot: 'account',
  source: 'source',
  auth_file_snapshot: 'file',
  auth_project_id_snapshot: 'project',
  auth_account_id_snapshot: 'project',
  // The hash of an address or of a short key can be found by guessing.
  source_hash: 'key',
  api_key_hash: 'key',
  access_token_sha256: 'key',
  client_ip: 'ip',
  x_forwarded_for: 'text',
  fail_summary: 'text',
} as const satisfies Partial<Record<keyof EventRow, Exclude<keyof Masker, 'on'>>>;

function maskDeep(value: unknown, masker: Masker): unknown {
  if (typeof value === 'string') return masker.text(value);
  if (Array.isArray(value)) return value.map((item) => maskDeep(item, masker));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, maskDeep(item, masker)]));
}

/** Every member that identifies somebody. The agent of the client is left out while masking is on. */
export function maskEvent(event: EventRow, masker: Masker): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(event)) {
    if (name === 'user_agent' || value === undefined) continue;
    const rule = MASKED[name as keyof typeof MASKED];
    if (rule !== undefined && typeof value === 'string') result[name] = value === '' ? '' : masker[rule](value);
    else result[name] = maskDeep(value, masker);
  }
  return result;
}
