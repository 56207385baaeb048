import type { Run } from '../wire.ts';

/** A newly previewed run, which tests modify. */
export function makeRun(change: Partial<Run> = {}): Run {
  return {
    id: '0198f0a1b2c37d4e8f90123456789abc',
    mode: 'manual',
    status: 'previewed',
    cutoff_timestamp_ms: 1_770_000_000_000,
    target_event_id: 1_000,
    event_count: 1_000,
    estimated_bytes: 900_000,
    last_archived_event_id: 0,
    archived_event_count: 0,
    archived_uncompressed_bytes: 0,
    archived_compressed_bytes: 0,
    last_deleted_event_id: 0,
    deleted_event_count: 0,
    created_at_ms: 1_780_000_000_000,
    updated_at_ms: 1_780_000_000_000,
    has_error: false,
    ...change,
  };
}
