import type { JsonObject } from '../json/json.ts';
import type { UsageEvent } from './event.ts';
import type { ResponseMetadata } from './metadata-schema.ts';
import {
  type MetadataObject,
  mergeMetadata,
  orderedMetadata,
  readMetadataObject,
  traceParent,
} from './metadata-values.ts';
import { metadataFromHeaders } from './response-headers.ts';

export type { ProviderUsage, QuotaWindow, RateLimitPair, ResponseMetadata } from './metadata-schema.ts';

export interface MetadataSources {
  /** Metadata objects from the record, older ones first. Untrusted. */
  readonly supplied?: readonly unknown[];
  /** Header maps, older ones first. */
  readonly headers: readonly JsonObject[];
  readonly providerUsage?: MetadataObject | null;
  /** Time of the event in ms: relative times count from it. */
  readonly baseMs: number;
}

/** Response metadata of an event from everything known about the answer; `null` when nothing is known. */
export function buildResponseMetadata(sources: MetadataSources): ResponseMetadata | null {
  let metadata: MetadataObject = {};
  for (const supplied of sources.supplied ?? []) metadata = mergeMetadata(metadata, readMetadataObject(supplied));
  for (const headers of sources.headers) {
    const parsed = metadataFromHeaders(headers, sources.baseMs);
    metadata = Object.keys(metadata).length === 0 ? parsed : mergeMetadata(metadata, parsed);
  }
  const { providerUsage } = sources;
  if (providerUsage !== undefined && providerUsage !== null) {
    metadata = mergeMetadata(metadata, { provider_usage: providerUsage });
  }
  deriveQuota(metadata);
  deriveError(metadata);
  deriveTrace(metadata);
  return orderedMetadata(metadata);
}

interface Window {
  readonly source: 'primary' | 'secondary';
  readonly kind: string;
  readonly usedPercent: number | null;
  readonly resetAtMs: number | null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function windowKind(minutes: number | null): string {
  if (minutes === 300) return 'five_hour';
  if (minutes === 10_080) return 'weekly';
  return minutes !== null && minutes >= 40_320 && minutes <= 44_640 ? 'monthly' : 'unknown';
}

function windowOf(quota: MetadataObject, source: Window['source']): Window | null {
  const window = quota[source];
  if (typeof window !== 'object') return null;
  return {
    source,
    kind: windowKind(numberOrNull(window.window_minutes)),
    usedPercent: numberOrNull(window.used_percent),
    resetAtMs: numberOrNull(window.reset_at_ms),
  };
}

/** The fuller window; of two equally full ones the one with the later reset. */
function fuller(primary: Window, secondary: Window): Window {
  const difference = (secondary.usedPercent ?? -1) - (primary.usedPercent ?? -1);
  if (difference !== 0) return difference > 0 ? secondary : primary;
  return (secondary.resetAtMs ?? 0) > (primary.resetAtMs ?? 0) ? secondary : primary;
}

function deriveQuota(metadata: MetadataObject): void {
  const { quota } = metadata;
  if (typeof quota !== 'object') return;
  const primary = windowOf(quota, 'primary');
  const secondary = windowOf(quota, 'secondary');
  const summary = primary !== null && secondary !== null ? fuller(primary, secondary) : (primary ?? secondary);
  if (summary !== null) {
    quota.summary_window_kind = summary.kind;
    quota.summary_window_source = summary.source;
    setOrRemove(quota, 'used_percent', summary.usedPercent);
    setOrRemove(quota, 'recover_at_ms', summary.resetAtMs);
  } else if (quota.used_percent !== undefined || quota.recover_at_ms !== undefined) {
    quota.summary_window_kind = 'unknown';
    quota.summary_window_source = 'aggregate';
  }
  deriveReachedWindow(quota, primary, secondary);
}

function setOrRemove(object: MetadataObject, member: string, value: number | null): void {
  if (value === null) delete object[member];
  else object[member] = value;
}

function deriveReachedWindow(quota: MetadataObject, primary: Window | null, secondary: Window | null): void {
  const type = typeof quota.rate_limit_reached_type === 'string' ? quota.rate_limit_reached_type.toLowerCase() : '';
  const full = [primary, secondary].filter((window) => window !== null).filter(isFull);
  const named = type === 'primary' ? primary : type === 'secondary' ? secondary : null;
  const reached = named ?? full.sort((a, b) => (b.resetAtMs ?? 0) - (a.resetAtMs ?? 0))[0] ?? null;
  if (reached === null) {
    if (type !== '') {
      quota.reached_window_kind = 'unknown';
      quota.reached_window_source = 'unknown';
    }
    return;
  }
  quota.reached_window_kind = reached.kind;
  quota.reached_window_source = reached.source;
  if (reached.resetAtMs !== null && (quota.recover_at_ms ?? 0) === 0) quota.recover_at_ms = reached.resetAtMs;
}

function isFull(window: Window): boolean {
  return window.usedPercent !== null && window.usedPercent >= 100;
}

const AUTH_CODES = new Set(['token_revoked', 'token_invalidated', 'account_deactivated', '401']);
const IDENTITY_CODE = 'identity_edge_internal_error';

function deriveError(metadata: MetadataObject): void {
  const { errors } = metadata;
  if (typeof errors !== 'object') return;
  for (const code of [errors.ide_root_error_code, errors.ide_error_code, errors.authorization_error]) {
    if (typeof code !== 'string') continue;
    const name = code.toLowerCase();
    if (!AUTH_CODES.has(name) && name !== IDENTITY_CODE) continue;
    errors.kind = name === IDENTITY_CODE ? 'identity' : 'auth';
    errors.code = code;
    return;
  }
  if (errors.rate_limit_bypass !== undefined) {
    errors.kind = 'rate_limit';
    errors.code = errors.rate_limit_bypass;
  } else if (errors.retry_after_seconds !== undefined || errors.retry_after_recover_at_ms !== undefined) {
    errors.kind = 'rate_limit';
    errors.code = 'retry_after';
  }
}

const TRACE_ORDER = [
  'openai_request_id',
  'request_id',
  'oneapi_request_id',
  'cloud_ai_companion_trace_id',
  'cf_ray',
  'eagle_id',
  'client_request_id',
  'zeabur_request_id',
] as const;

function deriveTrace(metadata: MetadataObject): void {
  const { trace } = metadata;
  if (typeof trace !== 'object') return;
  const known = TRACE_ORDER.map((member) => trace[member]).find((value) => value !== undefined);
  const primary = known ?? traceParent(trace.traceparent)?.traceId;
  if (primary !== undefined) trace.primary_trace_id = primary;
}

export type HeaderColumns = Pick<
  UsageEvent,
  | 'header_quota_recover_at_ms'
  | 'header_quota_used_percent'
  | 'header_quota_plan_type'
  | 'header_error_kind'
  | 'header_error_code'
  | 'header_trace_id'
>;

/** The members of the metadata that are copied into columns, for filters. */
export function headerColumns(metadata: ResponseMetadata | null): HeaderColumns {
  return {
    header_quota_recover_at_ms: metadata?.quota?.recover_at_ms ?? null,
    header_quota_used_percent: metadata?.quota?.used_percent ?? null,
    header_quota_plan_type: metadata?.quota?.plan_type ?? '',
    header_error_kind: metadata?.errors?.kind ?? '',
    header_error_code: metadata?.errors?.code ?? '',
    header_trace_id: metadata?.trace?.primary_trace_id ?? '',
  };
}
