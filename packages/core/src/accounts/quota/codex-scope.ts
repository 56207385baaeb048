import type { ModelScope } from '../../contract/quotas/window.ts';

/**
 * Which requests the windows of a Codex account count. The main windows cover all models except those with their own
 * allowance; counting such a window as the main one would disable healthy accounts.
 */
export const CODEX_MAIN_SCOPE: ModelScope = { kind: 'family', key: 'codex_main', complete: true };
export const CODE_REVIEW_SCOPE: ModelScope = { kind: 'feature', key: 'code_review', complete: false };
export const UNKNOWN_REQUEST_SCOPE: ModelScope = { kind: 'feature', key: 'request_scope_unknown', complete: false };
export const SPARK_SCOPE: ModelScope = { kind: 'models', models: ['gpt-5.3-codex-spark'], complete: true };

export const CODE_REVIEW_PREFIX = 'code-review';
export const SPARK_PREFIX = 'spark';
export const UNKNOWN_REQUEST_PREFIX = 'request-scope-unknown';

const SPARK_NAMES = new Set(['spark', 'codex-spark', 'gpt-5-3-codex-spark']);
/** Id prefixes of the Spark allowance, the longest first; the last one comes from older records. */
const SPARK_ID_PREFIXES = ['gpt-5-3-codex-spark', 'codex-spark', 'spark', 'fast-coding'];
const MAIN_IDS = new Set(['five-hour', 'weekly', 'monthly', 'primary', 'secondary']);
const SPARK_MODEL = 'gpt-5-3-codex-spark';

/** @example slug('GPT-5.3 Codex_Spark') // 'gpt-5-3-codex-spark' */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** A name as a part of a scope key. */
export function scopeKey(name: string): string {
  return slug(name).replaceAll('-', '_');
}

/** Whether the name of a limit or of a metered feature is the Spark allowance. */
export function isSparkName(name: string): boolean {
  return SPARK_NAMES.has(slug(name));
}

/** Id prefix of the Spark allowance in the id; null for any other window. */
function sparkPrefix(id: string): string | null {
  return SPARK_ID_PREFIXES.find((prefix) => id === prefix || id.startsWith(`${prefix}-`)) ?? null;
}

/**
 * The canonical id of a window that older records or other sources name differently.
 *
 * @param windowKind kind stored with it; only `secondary` needs it
 * @example canonicalCodexWindowId('codex-spark-weekly-0', 'weekly') // 'spark-weekly-0'
 */
export function canonicalCodexWindowId(id: string, windowKind: string): string {
  const name = id.trim().toLowerCase();
  if (name === 'primary') return 'five-hour';
  if (name === 'secondary') return windowKind.trim().toLowerCase() === 'monthly' ? 'monthly' : 'weekly';
  const prefix = sparkPrefix(name);
  return prefix === null ? name : `${SPARK_PREFIX}${name.slice(prefix.length)}`;
}

export function isMainCodexWindowId(id: string): boolean {
  return MAIN_IDS.has(id) || id.startsWith('window-');
}

export function codexScopeOfWindowId(id: string): ModelScope {
  if (isMainCodexWindowId(id)) return CODEX_MAIN_SCOPE;
  if (sparkPrefix(id) !== null) return SPARK_SCOPE;
  if (startsWithPart(id, CODE_REVIEW_PREFIX)) return CODE_REVIEW_SCOPE;
  if (startsWithPart(id, UNKNOWN_REQUEST_PREFIX)) return UNKNOWN_REQUEST_SCOPE;
  const family = id.replace(/-(?:five-hour|weekly|monthly)-\d+$/, '').replace(/(?:-\d+)?-window-[a-z0-9]+-[01]$/, '');
  const [name = '', feature = ''] = family.split('--');
  return { kind: 'feature', key: scopeKey(feature || name), complete: false };
}

/** Older records have the scope `all` for every window; such a record must not widen to the whole account. */
export function storedCodexScope(id: string, stored: ModelScope): ModelScope {
  return stored.kind === 'all' ? codexScopeOfWindowId(id) : stored;
}

/** The scope of one limit of `additional_rate_limits`. */
export function codexScopeOfLimit(limitName: string, meteredFeature: string, prefix: string): ModelScope {
  if (isSparkName(meteredFeature) || isSparkName(limitName)) return SPARK_SCOPE;
  const isCodeReview = slug(meteredFeature) === CODE_REVIEW_PREFIX;
  return isCodeReview
    ? CODE_REVIEW_SCOPE
    : { kind: 'feature', key: scopeKey(meteredFeature) || scopeKey(limitName) || scopeKey(prefix), complete: false };
}

/** The models of one request; '' = unknown. */
export interface RequestModels {
  readonly resolvedModel: string;
  readonly analyticsModel: string;
  readonly requestedModel: string;
  readonly model: string;
}

/**
 * The windows that the rate-limit headers of a request describe: their scope and the prefix of their ids ('' = main).
 */
export function codexRequestScope(models: RequestModels): { readonly scope: ModelScope; readonly prefix: string } {
  const model = [models.resolvedModel, models.analyticsModel, models.requestedModel, models.model]
    .map((name) => name.trim())
    .find((name) => name !== '');
  if (model === undefined) return { scope: UNKNOWN_REQUEST_SCOPE, prefix: UNKNOWN_REQUEST_PREFIX };
  const name = slug(model);
  if (name === SPARK_MODEL || name.endsWith(`-${SPARK_MODEL}`) || isSparkName(name)) {
    return { scope: SPARK_SCOPE, prefix: SPARK_PREFIX };
  }
  return { scope: CODEX_MAIN_SCOPE, prefix: '' };
}

function startsWithPart(id: string, prefix: string): boolean {
  return id === prefix || id.startsWith(`${prefix}-`);
}
