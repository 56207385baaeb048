import { isJsonObject } from '../json/json.ts';
import { readInteger, readText, type Spellings } from '../json/readers.ts';
import type { RecordContext } from './context.ts';
import type { UsageEvent } from './event.ts';
import { hasUnreadableTime, readExportedRecord } from './exported-record.ts';
import { isAcceptableHash } from './identity.ts';
import { RECORD_PROBLEMS } from './import-problems.ts';
import { describesCall, readRawItem } from './raw-item.ts';
import { hasRecordTime } from './timestamp.ts';
import { REQUEST_TOKEN_SPELLINGS } from './tokens.ts';

export type ImportFormat = 'usage_service_jsonl' | 'legacy_usage_export' | 'legacy_usage_payload';

/** What the first value of a file shows about the file. */
export type DetectedImport =
  /** One record a line, or a list of records. */
  | { readonly kind: 'records'; readonly format: 'usage_service_jsonl' }
  | { readonly kind: 'snapshot'; readonly format: 'legacy_usage_export' | 'legacy_usage_payload' }
  /** Sums without single requests: nothing to import. */
  | { readonly kind: 'aggregates_only'; readonly format: ImportFormat };

const EVENT_HASH: Spellings = ['event_hash', 'eventHash'];
const SUMMARY_MEMBERS = ['total_requests', 'success_count', 'failure_count'] as const;

function hasEntries(value: unknown): boolean {
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/**
 * Detects the format of a file from its first JSON value. An identity wins over a nested `usage`, `usage` over a
 * sibling `apis`.
 *
 * @example detectImportFormat({ apis: { 'POST /x': { models: {} } } }) // { kind: 'snapshot', format:
 * 'legacy_usage_payload' }
 */
export function detectImportFormat(first: unknown): DetectedImport {
  const records: DetectedImport = { kind: 'records', format: 'usage_service_jsonl' };
  if (!isJsonObject(first) || readText(first, EVENT_HASH) !== '') return records;
  const { usage } = first;
  if (isJsonObject(usage)) {
    if (hasEntries(usage.apis)) return { kind: 'snapshot', format: 'legacy_usage_export' };
    return REQUEST_TOKEN_SPELLINGS.some((name) => usage[name] !== undefined)
      ? records
      : { kind: 'aggregates_only', format: 'legacy_usage_export' };
  }
  if (hasEntries(first.apis)) return { kind: 'snapshot', format: 'legacy_usage_payload' };
  return SUMMARY_MEMBERS.some((name) => first[name] !== undefined)
    ? { kind: 'aggregates_only', format: 'legacy_usage_payload' }
    : records;
}

export type ImportedRecord =
  /** `timed`: the record has a time; else the event gets the time of the import. */
  | { readonly kind: 'event'; readonly event: UsageEvent; readonly repaired: boolean; readonly timed: boolean }
  /** One of `RECORD_PROBLEMS`. */
  | { readonly kind: 'failed'; readonly error: string };

/**
 * Reads one record of an import: an exported event keeps its identity, any other request is normalized as in the
 * collector. Never throws.
 */
export function readImportedRecord(value: unknown, context: RecordContext): ImportedRecord {
  if (!isJsonObject(value)) return { kind: 'failed', error: RECORD_PROBLEMS.not_object };
  const hash = readText(value, EVENT_HASH);
  if (hash === '') {
    if (!describesCall(value)) return { kind: 'failed', error: RECORD_PROBLEMS.no_event };
    const { event, truncated } = readRawItem(value, context);
    return { kind: 'event', event, repaired: truncated, timed: hasRecordTime(value) };
  }
  if (!isAcceptableHash(hash)) {
    return { kind: 'failed', error: RECORD_PROBLEMS.event_hash };
  }
  if (hasUnreadableTime(value)) return { kind: 'failed', error: RECORD_PROBLEMS.unreadable_time };
  const timed = readInteger(value, ['timestamp_ms', 'timestampMs']) > 0 || hasRecordTime(value);
  return { kind: 'event', event: readExportedRecord(value, hash, context), repaired: false, timed };
}
