import { z } from 'zod';
import { BREAKDOWN_KINDS } from '../constants.ts';
import { accountFields, costs, count, milliseconds, tokens } from './members.ts';

/** The section `breakdown` of `monitoring/analytics`: sums by one or two dimensions, compared with another range. */

/** What the rows are ordered by, and so what the limits leave out. */
export const BREAKDOWN_MEASURES = ['cost', 'calls', 'total_tokens'] as const;

export const BREAKDOWN_MAX_ROWS = 500;
/** Per row. */
export const BREAKDOWN_MAX_PARTS = 50;
/** Longest range with days of rows: more than a month with the hour of a clock change. */
export const BREAKDOWN_MAX_DAYS = 32;

const integer = z.number('integer expected').int('integer expected').nullish();

export const breakdownRequestSchema = z.object({
  by: z.enum(BREAKDOWN_KINDS, `one of ${BREAKDOWN_KINDS.join(', ')} expected`),
  /** Dimension of the parts of each row; absent = rows without parts. */
  parts: z.enum(BREAKDOWN_KINDS, `one of ${BREAKDOWN_KINDS.join(', ')} expected`).nullish(),
  /** Half open range to compare with; both or none. */
  compare_from_ms: integer,
  compare_to_ms: integer,
  /** Default `cost`. */
  order: z.enum(BREAKDOWN_MEASURES, `one of ${BREAKDOWN_MEASURES.join(', ')} expected`).nullish(),
  /** Most rows and most parts of a row; ≤ 0 or absent = the largest allowed number. */
  limit: integer,
  parts_limit: integer,
  /** Also the days of each row, by the date in the time zone of the request. Default false; at most 32 days. */
  days: z.boolean('boolean expected').nullish(),
});

const sums = {
  calls: count,
  failure_calls: count,
  ...tokens,
  reasoning_tokens: count,
  total_tokens: count,
  ...costs,
};

const compared = {
  ...sums,
  /** Of the range compared with; left out without requests there. */
  before: z.strictObject(sums).optional(),
};

const entry = {
  /**
   * Client key: SHA-256 of the key; model: analytics model; account: as in `credential_stats`; provider: lower case. '' where
   * the event has none ('-' for accounts).
   */
  id: z.string(),
  /** Of accounts: values of their newest events. */
  ...accountFields,
  ...compared,
};

/** What the limit leaves out, added up. */
const othersSchema = z.strictObject({ count, ...compared });

const partSchema = z.strictObject(entry);

const daySchema = z.strictObject({
  /** `2026-12-01` */
  date: z.string(),
  calls: count,
  total_tokens: count,
  ...costs,
});

const rowSchema = z.strictObject({
  ...entry,
  /** Dates with requests, in order; only when asked for. */
  days: z.array(daySchema).optional(),
  parts: z.array(partSchema).optional(),
  parts_others: othersSchema.optional(),
});

export const breakdownSchema = z.strictObject({
  compare_from_ms: milliseconds.optional(),
  compare_to_ms: milliseconds.optional(),
  /** Of all requests of the ranges. */
  total: z.strictObject(compared),
  /** By the larger of both ranges, descending. */
  rows: z.array(rowSchema),
  others: othersSchema.optional(),
});

export type BreakdownKind = (typeof BREAKDOWN_KINDS)[number];
export type BreakdownMeasure = (typeof BREAKDOWN_MEASURES)[number];
export type BreakdownRequest = z.infer<typeof breakdownRequestSchema>;
export type BreakdownSums = Omit<z.infer<typeof othersSchema>, 'count' | 'before'>;
export type BreakdownOthers = z.infer<typeof othersSchema>;
export type BreakdownDay = z.infer<typeof daySchema>;
export type BreakdownPart = z.infer<typeof partSchema>;
export type BreakdownRow = z.infer<typeof rowSchema>;
export type Breakdown = z.infer<typeof breakdownSchema>;
