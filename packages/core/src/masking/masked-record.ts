import type { JsonObject } from '../json/json.ts';

/** Members of an exported event that masking changes, with what only a mask leaves in them. */
const MARKS = {
  account_snapshot: '***',
  auth_label_snapshot: '***',
  auth_file_snapshot: '***',
  auth_project_id_snapshot: '***',
  auth_account_id_snapshot: '***',
  // Digits of a hash have no ellipsis.
  source_hash: '…',
  api_key_hash: '…',
  access_token_sha256: '…',
} as const;

/** Whether an exported event was masked when it was written: its names and keys are not those of the event. */
export function isMaskedRecord(record: JsonObject): boolean {
  return Object.entries(MARKS).some(([name, mark]) => {
    const value = record[name];
    return typeof value === 'string' && value.includes(mark);
  });
}
