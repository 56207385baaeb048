import type { JsonObject } from '../json/json.ts';
import { trimText } from '../json/text.ts';
import type { ValueKind } from './metadata-schema.ts';
import { type MetadataObject, metadataScalar } from './metadata-values.ts';
import { decimalFrom, readAbsoluteMs } from './timestamp.ts';

/** Target of a header's value: group, window or pair inside the group, member. */
interface Target {
  readonly group: string;
  readonly part?: string;
  readonly member: string;
  /** `time` and `retry` have their own rules. */
  readonly kind: ValueKind | 'time' | 'retry';
  /** Used only when the member is still empty. */
  readonly fallback?: true;
}

function windowTargets(name: 'primary' | 'secondary'): [string, readonly Target[]][] {
  const target = (member: string, kind: Target['kind']): readonly Target[] => [
    { group: 'quota', part: name, member, kind },
  ];
  return [
    [`x-codex-${name}-used-percent`, target('used_percent', 'number')],
    [`x-codex-${name}-reset-after-seconds`, target('reset_after_seconds', 'count')],
    [`x-codex-${name}-reset-at`, target('reset_at_ms', 'time')],
    [`x-codex-${name}-window-minutes`, target('window_minutes', 'count')],
  ];
}

function pairTargets(name: 'requests' | 'tokens'): [string, readonly Target[]][] {
  return (['limit', 'remaining'] as const).map((member) => [
    `x-ratelimit-${member}-${name}`,
    [{ group: 'rate_limit', part: name, member, kind: 'count' }],
  ]);
}

const one = (group: string, member: string, kind: Target['kind'] = 'text'): readonly Target[] => [
  { group, member, kind },
];

/** Every stored header. Headers outside this table are dropped, which keeps cookies and tokens out. */
const HEADERS: ReadonlyMap<string, readonly Target[]> = new Map<string, readonly Target[]>([
  ['x-codex-plan-type', one('quota', 'plan_type')],
  ['x-codex-active-limit', one('quota', 'active_limit')],
  ['x-codex-rate-limit-reached-type', one('quota', 'rate_limit_reached_type')],
  ['x-codex-credits-balance', one('quota', 'credits_balance')],
  ['x-codex-credits-has-credits', one('quota', 'credits_has_credits', 'flag')],
  ['x-codex-credits-unlimited', one('quota', 'credits_unlimited', 'flag')],
  ['x-codex-primary-over-secondary-limit-percent', one('quota', 'primary_over_secondary_limit_percent', 'number')],
  ...windowTargets('primary'),
  ...windowTargets('secondary'),
  ['x-openai-authorization-error', one('errors', 'authorization_error')],
  ['x-openai-ide-error-code', one('errors', 'ide_error_code')],
  ['x-openai-ide-root-error-code', one('errors', 'ide_root_error_code')],
  ['x-ratelimit-bypass', one('errors', 'rate_limit_bypass')],
  ['x-should-retry', one('errors', 'should_retry', 'flag')],
  ['retry-after', one('errors', 'retry_after_seconds', 'retry')],
  ['x-oai-request-id', one('trace', 'openai_request_id')],
  ['x-request-id', one('trace', 'request_id')],
  ['x-oneapi-request-id', [...one('trace', 'oneapi_request_id'), ...one('providers', 'oneapi_request_id')]],
  [
    'x-cloudaicompanion-trace-id',
    [...one('trace', 'cloud_ai_companion_trace_id'), ...one('providers', 'antigravity_trace_id')],
  ],
  ['cf-ray', [...one('trace', 'cf_ray'), ...one('providers', 'cloudflare_ray')]],
  ['eagleid', one('trace', 'eagle_id')],
  ['x-client-request-id', one('trace', 'client_request_id')],
  ['x-zeabur-request-id', one('trace', 'zeabur_request_id')],
  ['traceparent', one('trace', 'traceparent', 'trace_parent')],
  ['x-openai-proxy-wasm', one('routing', 'openai_proxy_wasm')],
  ['x-models-etag', one('routing', 'models_etag')],
  ['x-new-api-version', one('routing', 'new_api_version')],
  ['server', one('routing', 'server')],
  ['via', one('routing', 'via')],
  ['cf-cache-status', [...one('routing', 'cf_cache_status'), ...one('providers', 'cloudflare_cache_status')]],
  ['x-site-cache-status', one('routing', 'site_cache_status')],
  ['x-served-by', one('routing', 'served_by')],
  ['x-mife-upstream-status', [...one('routing', 'mife_upstream_status'), ...one('providers', 'mife_upstream_status')]],
  ['content-type', one('response', 'content_type')],
  ['content-length', one('response', 'content_length', 'count')],
  ['content-disposition', one('response', 'content_disposition')],
  ['server-timing', [...one('response', 'server_timing'), ...one('providers', 'antigravity_server_timing')]],
  ...pairTargets('requests'),
  ...pairTargets('tokens'),
  ['x-data-retention', one('data_policy', 'retention_mode', 'lower_text')],
  ['x-zero-data-retention', one('data_policy', 'zero_retention', 'flag')],
  ['x-zero-retention', [{ group: 'data_policy', member: 'zero_retention', kind: 'flag', fallback: true }]],
]);

/** `x-request-id` as most programs write it: `X-Request-Id`. */
function canonicalName(name: string): string {
  return name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
}

/** Also by canonical spelling, so that the usual name needs no change of case. */
const HEADERS_AS_SENT: ReadonlyMap<string, readonly Target[]> = new Map([
  ...HEADERS,
  ...[...HEADERS].map(([name, targets]) => [canonicalName(name), targets] as const),
]);

/**
 * Recently seen names without a meaning here, so that most need no change of case. Bounded, so that unknown names
 * cannot fill the memory.
 */
const MEANINGLESS = new Set<string>();
const MAX_MEANINGLESS = 1024;
const LONGEST_REMEMBERED = 128;

function targetsOf(name: string): readonly Target[] | undefined {
  const asSent = HEADERS_AS_SENT.get(name);
  if (asSent !== undefined || MEANINGLESS.has(name)) return asSent;
  const targets = HEADERS.get(trimText(name).toLowerCase());
  if (targets === undefined && name.length <= LONGEST_REMEMBERED) {
    if (MEANINGLESS.size >= MAX_MEANINGLESS) MEANINGLESS.clear();
    MEANINGLESS.add(name);
  }
  return targets;
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The first non-empty scalar of a header. */
function firstScalar(value: unknown): string | number | boolean | undefined {
  if (!Array.isArray(value)) return isScalar(value) && value !== '' ? value : undefined;
  for (const element of value) if (isScalar(element) && element !== '') return element;
  return undefined;
}

function partOf(metadata: MetadataObject, name: string): MetadataObject {
  const existing = metadata[name];
  if (typeof existing === 'object') return existing;
  const created: MetadataObject = {};
  metadata[name] = created;
  return created;
}

function put(metadata: MetadataObject, target: Target, value: string | number | boolean, baseMs: number): void {
  if (target.kind === 'retry') {
    putRetryAfter(metadata, value, baseMs);
    return;
  }
  const scalar = target.kind === 'time' ? (readAbsoluteMs(value) ?? undefined) : metadataScalar(target.kind, value);
  if (scalar === undefined) return;
  const group = partOf(metadata, target.group);
  const holder = target.part === undefined ? group : partOf(group, target.part);
  if (target.fallback !== true || holder[target.member] === undefined) holder[target.member] = scalar;
}

/** Seconds from the event, or a date. */
function putRetryAfter(metadata: MetadataObject, value: string | number | boolean, baseMs: number): void {
  const seconds = metadataScalar('count', value);
  const recoverAtMs = typeof seconds === 'number' ? msAfter(baseMs, seconds) : readAbsoluteMs(value);
  const isDate = typeof value === 'string' && decimalFrom(value) === null;
  if (typeof seconds !== 'number' && !isDate) return;
  if (recoverAtMs === null) return;
  const errors = partOf(metadata, 'errors');
  if (typeof seconds === 'number') errors.retry_after_seconds = seconds;
  errors.retry_after_recover_at_ms = recoverAtMs;
}

/** Larger relative times are invalid: 100 years in seconds. */
const LONGEST_SECONDS = 3_155_760_000;

/** `seconds` after `baseMs`; `null` when that is out of range. */
export function msAfter(baseMs: number, seconds: number): number | null {
  return seconds >= 0 && seconds <= LONGEST_SECONDS ? baseMs + Math.trunc(seconds * 1000) : null;
}

/** Metadata from the known headers of an answer. `baseMs` is the time of the event, from which relative times count. */
export function metadataFromHeaders(headers: JsonObject, baseMs: number): MetadataObject {
  const metadata: MetadataObject = {};
  let fallbacks: (readonly [Target, string | number | boolean])[] | null = null;
  for (const name of Object.keys(headers)) {
    const targets = targetsOf(name);
    if (targets === undefined) continue;
    const value = firstScalar(headers[name]);
    if (value === undefined) continue;
    for (const target of targets) {
      if (target.fallback === true) {
        fallbacks ??= [];
        fallbacks.push([target, value]);
      } else put(metadata, target, value, baseMs);
    }
  }
  for (const [target, value] of fallbacks ?? []) put(metadata, target, value, baseMs);
  resolveResets(metadata, baseMs);
  return metadata;
}

/** An absolute reset wins over a relative one. */
function resolveResets(metadata: MetadataObject, baseMs: number): void {
  const { quota } = metadata;
  if (typeof quota !== 'object') return;
  for (const window of [quota.primary, quota.secondary]) {
    if (typeof window !== 'object' || window.reset_at_ms !== undefined) continue;
    const seconds = window.reset_after_seconds;
    if (typeof seconds !== 'number' || seconds <= 0) continue;
    const resetAtMs = msAfter(baseMs, seconds);
    if (resetAtMs !== null) window.reset_at_ms = resetAtMs;
  }
}

/** The known headers with their values as texts, sorted by name; `null` when there is none. */
export function knownHeaders(headers: JsonObject): Record<string, readonly string[]> | null {
  const known: Record<string, readonly string[]> = {};
  let found = false;
  for (const name of Object.keys(headers).sort()) {
    if (targetsOf(name) === undefined) continue;
    const value = headers[name];
    const texts = (Array.isArray(value) ? value : [value]).filter(isScalar).map(String);
    if (texts.length === 0) continue;
    known[name] = texts;
    found = true;
  }
  return found ? known : null;
}
