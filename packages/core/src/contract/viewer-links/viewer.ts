import { z } from 'zod';
import { costs, count, latency, milliseconds, rate, tokens, usd } from '../monitoring/members.ts';
import { VIEWER_FAILURES, VIEWER_STATUSES } from './words.ts';

/**
 * What the holder of a viewer link may ask and gets. Every member is listed here: answers are built from this list, so a
 * member that another answer gains never appears here on its own. Nothing names an account, a provider, a file, an address
 * or a client key of somebody else.
 */

const integer = z.number('integer expected').int('integer expected').nullish();
const flag = z.boolean('boolean expected').nullish();
const textList = z.array(z.string('string expected'), 'array expected').max(500, 'at most 500').nullish();

/** `GET /usage-service/viewer` */
export const viewerResponseSchema = z.strictObject({
  name: z.string(),
  /** The link covers all requests, those without a client key included. */
  all: z.boolean(),
  /** Its client keys; of a link to all requests those with a name. */
  keys: z.array(z.strictObject({ api_key_hash: z.string(), name: z.string().optional() })),
  /** null = never. */
  expires_at_ms: milliseconds.nullable(),
});

/** `POST /usage-service/viewer/analytics`. Unknown members are refused. */
export const viewerAnalyticsRequestSchema = z.strictObject({
  /** Half open range `[from_ms, to_ms)`, ms. */
  from_ms: integer,
  to_ms: integer,
  now_ms: integer,
  /** IANA name, '' = UTC. */
  time_zone: z.string('string expected').nullish(),
  /** Of the link's client keys; empty = all of them. Others are dropped; 403 when none is left. */
  api_key_hashes: textList,
  models: textList,
  status: z.enum(VIEWER_STATUSES, `one of ${VIEWER_STATUSES.join(', ')} expected`).nullish(),
  granularity: z.enum(['hour', 'day'], 'hour or day expected').nullish(),
  include: z
    .strictObject({
      summary: flag,
      /** Also the range before, as long as this one. */
      comparison: flag,
      timeline: flag,
      models: flag,
      keys: flag,
      requests: z
        .strictObject({
          /** Default 50, at most 200. */
          limit: integer,
          /** `next_cursor` of the page before. */
          cursor: z.string('string expected').nullish(),
        })
        .nullish(),
    })
    .nullish(),
});

const sums = {
  calls: count,
  failure_calls: count,
  ...tokens,
  total_tokens: count,
  ...costs,
};

const requestSchema = z.strictObject({
  /** Opaque, for lists. */
  id: z.string(),
  timestamp_ms: milliseconds,
  model: z.string(),
  api_key_hash: z.string(),
  ...tokens,
  reasoning_tokens: count,
  total_tokens: count,
  /** At current prices; left out when the model has none. */
  cost: usd.optional(),
  latency_ms: latency,
  ttft_ms: latency,
  failed: z.boolean(),
  fail_status_code: z.number().optional(),
  fail_kind: z.enum(VIEWER_FAILURES).optional(),
  stream: z.boolean().optional(),
});

export const viewerAnalyticsResponseSchema = z.strictObject({
  generated_at_ms: milliseconds,
  granularity: z.enum(['hour', 'day']),
  summary: z
    .strictObject({
      ...sums,
      success_rate: rate,
      cache_hit_rate: rate,
      reasoning_tokens: count,
      average_latency_ms: latency,
      p95_latency_ms: latency,
      p95_ttft_ms: latency,
    })
    .optional(),
  comparison: z
    .strictObject({
      from_ms: milliseconds,
      to_ms: milliseconds,
      calls: count,
      failure_calls: count,
      total_tokens: count,
      ...costs,
    })
    .optional(),
  timeline: z
    .array(z.strictObject({ bucket_ms: milliseconds, bucket_end_ms: milliseconds, ...sums, reasoning_tokens: count }))
    .optional(),
  /** Intervals in which requests may be missing. */
  gaps: z.array(z.strictObject({ from_ms: milliseconds, to_ms: milliseconds.nullable() })).optional(),
  models: z.array(z.strictObject({ model: z.string(), ...sums })).optional(),
  keys: z
    .array(
      z.strictObject({ api_key_hash: z.string(), ...sums, average_latency_ms: latency, last_seen_ms: milliseconds }),
    )
    .optional(),
  requests: z
    .strictObject({
      /** Newest first. */
      items: z.array(requestSchema),
      /** Opaque; null = no more. It is valid until the manager restarts. */
      next_cursor: z.string().nullable(),
      /** Requests of the range with details, on all pages. */
      total_count: count,
    })
    .optional(),
});

export type ViewerResponse = z.infer<typeof viewerResponseSchema>;
export type ViewerAnalyticsRequest = z.infer<typeof viewerAnalyticsRequestSchema>;
export type ViewerAnalytics = z.infer<typeof viewerAnalyticsResponseSchema>;
export type ViewerRequestRow = z.infer<typeof requestSchema>;
