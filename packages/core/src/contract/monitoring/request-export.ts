import { z } from 'zod';
import { EXPORT_FORMATS } from '../constants.ts';
import { analyticsRequestSchema, type EventRow } from './analytics.ts';

/** `monitoring/export`; its words are in `constants.ts`. */

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

const names = z.array(z.string('string expected'), 'array expected');

/** Range, filters and search as for `monitoring/analytics`; times in the file are in `time_zone`. */
export const requestExportSchema = analyticsRequestSchema
  .pick({
    from_ms: true,
    to_ms: true,
    time_zone: true,
    search_query: true,
    search_api_key_hash: true,
    filters: true,
  })
  .extend({
    /** Default `jsonl`. */
    format: z.enum(EXPORT_FORMATS, 'csv or jsonl expected').nullish(),
    /** Default true: names, keys and addresses are hidden as in the panel. */
    masked: z.boolean('boolean expected').nullish(),
    /** Names with equal masks are numbered in this order, as the panel does with the accounts it lists; others get a suffix. */
    mask_order: z.array(z.object({ accounts: names, files: names, projects: names }), 'array expected').nullish(),
  });

export type RequestExport = z.infer<typeof requestExportSchema>;

/** What a row of a file has beside the members of an event row. */
export interface ExportedRow {
  /** ISO 8601 with milliseconds and the offset of the zone. */
  readonly time: string;
  /** USD, not rounded, at current prices; null for an unpriced request. */
  readonly cost_usd: number | null;
  readonly priced: boolean;
}

/** Columns of a CSV file, in order. */
export const CSV_COLUMNS = [
  'time',
  'timestamp_ms',
  'event_hash',
  'request_id',
  'failed',
  'fail_status_code',
  'model',
  'requested_model',
  'resolved_model',
  'auth_provider_snapshot',
  'account_snapshot',
  'auth_label_snapshot',
  'auth_file_snapshot',
  'source',
  'auth_index',
  'api_key_hash',
  'endpoint',
  'method',
  'path',
  'reasoning_effort',
  'service_tier',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'cache_read_tokens',
  'cache_creation_tokens',
  'cache_write_1h_tokens',
  'reasoning_tokens',
  'total_tokens',
  'cost_usd',
  'priced',
  'latency_ms',
  'ttft_ms',
  'fail_summary',
] as const satisfies readonly (keyof EventRow | keyof ExportedRow)[];
