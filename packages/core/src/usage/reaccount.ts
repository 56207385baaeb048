import type { JsonObject } from '../json/json.ts';
import { readText } from '../json/readers.ts';
import {
  type InputBuckets,
  inferBillableOutput,
  inferInputBuckets,
  isCachedAboveInput,
  totalTokens,
} from './cache-accounting.ts';
import type { CacheInputMode, UsageEvent } from './event.ts';
import { originalsOf } from './originals.ts';
import { NO_BREAKDOWN, readTokenBreakdown, type TokenBreakdown } from './token-breakdown.ts';
import {
  accountTokens,
  type ReportedTokens,
  readExplicitCacheMode,
  readReportedTotal,
  type TokenAccounting,
  withCachedDetails,
  withCacheWrite1h,
} from './tokens.ts';

/** Members that an older format may lack or have wrong. */
const DERIVED = [
  'cached_tokens',
  'cache_write_1h_tokens',
  'cache_input_mode',
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
  'total_tokens',
  'billable_output_tokens',
  'unclassified_tokens',
  'token_quality',
] as const satisfies readonly (keyof TokenAccounting)[];

const BUCKETS = [
  'normalized_uncached_input_tokens',
  'normalized_total_input_tokens',
  'normalized_cache_read_tokens',
  'normalized_cache_creation_tokens',
] as const satisfies readonly (keyof InputBuckets)[];

const MODES: ReadonlySet<string> = new Set<CacheInputMode>(['included_in_input', 'separate_from_input']);

/** In a row of an older format a count may be unknown, despite the event's type. */
function isCount(value: unknown): value is number {
  return typeof value === 'number';
}

function isWellAccounted(event: UsageEvent): boolean {
  return MODES.has(event.cache_input_mode) && BUCKETS.every((name) => isCount(event[name]));
}

/** Whether the stored accounting of an event may be wrong: only cached tokens have two ways of counting. */
export function isAccountingCandidate(event: UsageEvent): boolean {
  return (
    event.cached_tokens !== 0 ||
    event.cache_tokens !== 0 ||
    event.cache_read_tokens !== 0 ||
    event.cache_creation_tokens !== 0 ||
    !isWellAccounted(event)
  );
}

/**
 * The event with mode, buckets and derived total by the current rules, from the reported counts and the original item;
 * the same object when nothing changes. The original proves an explicit mode, a breakdown and a reported total; the
 * stored mode proves nothing.
 *
 * @example reaccount({ ...event, cache_input_mode: 'included_in_input' }) // of a Claude event: separate, its total
 * with the cache
 */
export function reaccount(event: UsageEvent): UsageEvent {
  const originals = originalsOf(event.raw_json);
  // A cut original no longer shows what was read from it.
  if (originals.length === 0 && event.raw_json !== '' && isWellAccounted(event)) return event;
  const derived: Record<string, unknown> = accountingOf(event, originals);
  const changed = DERIVED.some((name) => event[name] !== derived[name]);
  if (!changed) return event;
  return { ...event, ...Object.fromEntries(DERIVED.map((name) => [name, derived[name]])) };
}

function accountingOf(event: UsageEvent, originals: readonly JsonObject[]): TokenAccounting {
  const mode = firstOf(originals, readExplicitCacheMode);
  const read = firstOf(originals, (original) => {
    const breakdown = readTokenBreakdown(original);
    return breakdown === NO_BREAKDOWN ? null : breakdown;
  });
  const context = { ...event, auth_provider_snapshot: carriedProvider(event, originals) };
  const isDerived = isDerivedTotal(event, originals);
  const reported = withDetails({ ...event, total_tokens: isDerived ? 0 : event.total_tokens }, originals);
  const accounting = accountTokens(reported, mode, context, read ?? storedBreakdown(event));
  return {
    ...accounting,
    ...(read === null && isBilledAsKnown(event) ? { billable_output_tokens: event.billable_output_tokens } : {}),
    total_tokens: isDerived ? accounting.total_tokens : event.total_tokens,
  };
}

/** The counts with cached tokens and cache writes for one hour that earlier versions did not read. */
function withDetails<Tokens extends ReportedTokens>(tokens: Tokens, originals: readonly JsonObject[]): Tokens {
  return withCacheWrite1h(originals.reduce(withCachedDetails, tokens), originals);
}

/** Whether the stored output came from a breakdown, not from the reported output. */
function isBilledAsKnown(event: UsageEvent): boolean {
  const billed: unknown = event.billable_output_tokens;
  return isCount(billed) && billed !== Math.max(event.output_tokens, 0);
}

/**
 * A stored event by the rules of today: cached tokens from an object of details, cache writes for one hour, billed
 * output with the reasoning that is outside the output, the mark for contradictory counts. The same object when nothing
 * changes. Mode and buckets stay as they are: an import may have known them from a breakdown.
 */
export function recount(event: UsageEvent): UsageEvent {
  const originals = originalsOf(event.raw_json);
  const tokens = withDetails(event, originals);
  const isKnown = event.token_quality === 'complete';
  const isSameInput = tokens.cached_tokens === event.cached_tokens;
  const buckets = isSameInput || isKnown ? event : inferInputBuckets(event.cache_input_mode, tokens);
  const context = { ...event, auth_provider_snapshot: carriedProvider(event, originals) };
  const counted: UsageEvent = {
    ...tokens,
    normalized_uncached_input_tokens: buckets.normalized_uncached_input_tokens,
    normalized_total_input_tokens: buckets.normalized_total_input_tokens,
    normalized_cache_read_tokens: buckets.normalized_cache_read_tokens,
    normalized_cache_creation_tokens: buckets.normalized_cache_creation_tokens,
    billable_output_tokens:
      isKnown || isBilledAsKnown(event)
        ? event.billable_output_tokens
        : inferBillableOutput(context, tokens, buckets.normalized_total_input_tokens),
    token_quality: isCachedAboveInput(event.cache_input_mode, tokens) ? 'inconsistent' : event.token_quality,
  };
  return DERIVED.every((name) => counted[name] === event[name]) ? event : counted;
}

function firstOf<Value>(originals: readonly JsonObject[], read: (original: JsonObject) => Value | null): Value | null {
  for (const original of originals) {
    const value = read(original);
    if (value !== null) return value;
  }
  return null;
}

/** The provider of the item itself. The stored one may come from the list of accounts. */
function carriedProvider(event: UsageEvent, originals: readonly JsonObject[]): string {
  if (originals.length === 0) return event.auth_provider_snapshot;
  const named = (original: JsonObject) =>
    readText(original, ['auth_provider_snapshot', 'authProviderSnapshot']) || null;
  return firstOf(originals, named) ?? '';
}

/** Replaces a breakdown that an import trusted and did not keep. */
function storedBreakdown(event: UsageEvent): TokenBreakdown {
  const quality = event.token_quality ?? '';
  const complete =
    quality === 'complete' && isWellAccounted(event) ? { input: event, output: event.billable_output_tokens } : null;
  return { ...NO_BREAKDOWN, quality, unclassified: event.unclassified_tokens ?? 0, complete };
}

/** Whether the stored total was computed from the stored buckets: it is their sum, and the original has none. */
function isDerivedTotal(event: UsageEvent, originals: readonly JsonObject[]): boolean {
  if (originals.length === 0 || originals.some((original) => readReportedTotal(original) > 0)) return false;
  // Older formats without buckets used the reported input in the sum.
  const stored: unknown = event.normalized_total_input_tokens;
  const input = isCount(stored) ? stored : Math.max(event.input_tokens, 0);
  return event.total_tokens === totalTokens(0, input, event);
}
