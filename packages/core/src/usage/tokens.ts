import { isJsonObject, type JsonObject } from '../json/json.ts';
import { integerFrom, readObject, readText, type Spellings, textFrom } from '../json/readers.ts';
import {
  type CacheModeContext,
  explicitCacheMode,
  type InputBuckets,
  inferBillableOutput,
  inferCacheMode,
  inferInputBuckets,
  isCachedAboveInput,
  totalTokens,
} from './cache-accounting.ts';
import type { CacheInputMode, UsageEvent } from './event.ts';
import { decimalFrom } from './timestamp.ts';
import { NO_BREAKDOWN, readTokenBreakdown, type TokenBreakdown } from './token-breakdown.ts';

/** Counts as reported, not corrected. `total_tokens` is 0 when missing. */
export type ReportedTokens = Pick<
  UsageEvent,
  | 'input_tokens'
  | 'output_tokens'
  | 'reasoning_tokens'
  | 'cached_tokens'
  | 'cache_tokens'
  | 'cache_read_tokens'
  | 'cache_creation_tokens'
  | 'cache_write_1h_tokens'
  | 'total_tokens'
>;

const INPUT: Spellings = ['input_tokens', 'inputTokens', 'prompt_tokens', 'promptTokens'];
const OUTPUT: Spellings = ['output_tokens', 'outputTokens', 'completion_tokens', 'completionTokens'];
const REASONING: Spellings = ['reasoning_tokens', 'reasoningTokens'];
const CACHED: Spellings = ['cached_tokens', 'cachedTokens'];
/** OpenAI's formats have the cached part of the input in an object of its own. */
const INPUT_DETAILS: Spellings = [
  'prompt_tokens_details',
  'promptTokensDetails',
  'input_tokens_details',
  'inputTokensDetails',
];
const CACHE: Spellings = ['cache_tokens', 'cacheTokens'];
const CACHE_READ: Spellings = [
  'cache_read_tokens',
  'cacheReadTokens',
  'cache_read_input_tokens',
  'cacheReadInputTokens',
];
const CACHE_CREATION: Spellings = [
  'cache_creation_tokens',
  'cacheCreationTokens',
  'cache_creation_input_tokens',
  'cacheCreationInputTokens',
  'cache_write_tokens',
  'cacheWriteTokens',
  'cache_write_input_tokens',
  'cacheWriteInputTokens',
];
const CACHE_WRITE_1H: Spellings = [
  'cache_write_1h_tokens',
  'cacheWrite1hTokens',
  'cache_creation_1h_tokens',
  'cacheCreation1hTokens',
  'cache_creation_1h_input_tokens',
  'cacheCreation1hInputTokens',
  'ephemeral_1h_input_tokens',
  'ephemeral1hInputTokens',
];
/** Anthropic's format has the cache writes by their lifetime in an object of its own. */
const WRITES_BY_LIFETIME: Spellings = ['cache_creation', 'cacheCreation'];
const TOTAL: Spellings = ['total_tokens', 'totalTokens', 'total'];

/** Members that show that a `usage` object is of one request, not a summary of many. */
export const REQUEST_TOKEN_SPELLINGS: Spellings = [
  ...INPUT,
  ...OUTPUT,
  ...REASONING,
  ...CACHED,
  ...CACHE,
  ...CACHE_READ,
  ...CACHE_CREATION,
];

const MODE: Spellings = ['cache_input_mode', 'cacheInputMode'];

/** The objects that may hold token counts, in order. */
function tokenHolders(item: JsonObject): readonly JsonObject[] {
  const tokens = readObject(item, ['tokens']);
  const usage = readObject(item, ['usage']);
  if (tokens === null) return usage === null ? [item] : [usage, item];
  return usage === null ? [tokens, item] : [tokens, usage, item];
}

/** Whether a record reports tokens at all, even 0. */
export function reportsTokens(item: JsonObject): boolean {
  const spellings = [...REQUEST_TOKEN_SPELLINGS, ...TOTAL];
  return tokenHolders(item).some((holder) => spellings.some((name) => textFrom(holder[name]) !== ''));
}

const COUNT_MEMBERS: ReadonlySet<string> = new Set([...REQUEST_TOKEN_SPELLINGS, ...TOTAL]);

/** Below 0, or a number that would read as 0 because it is too large or in an unsupported notation. */
function isUnusableCount(value: unknown): boolean {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? decimalFrom(value) : null;
  return number !== null && Math.trunc(number) !== 0 && integerFrom(value) <= 0;
}

/**
 * Whether a record reports a token count that is out of range: below 0 or above 2^53. It counts as 0, so the reader
 * must report it.
 */
export function reportsUnusableTokens(item: JsonObject): boolean {
  return tokenHolders(item).some((holder) => {
    for (const name in holder) {
      const value = holder[name];
      // Nearly every member returns here.
      if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) continue;
      if (COUNT_MEMBERS.has(name) && isUnusableCount(value)) return true;
    }
    return false;
  });
}

/** The first spelling that is not zero, in the first holder that has one: an object of zeros hides nothing. */
function firstCount(holders: readonly JsonObject[], spellings: Spellings): number {
  for (const holder of holders) {
    for (const name of spellings) {
      const value = holder[name];
      if (value === undefined || value === 0) continue;
      const tokens = integerFrom(value);
      if (tokens !== 0) return tokens;
    }
  }
  return 0;
}

export function readReportedTokens(item: JsonObject): ReportedTokens {
  const holders = tokenHolders(item);
  const written = firstCount(holders, CACHE_CREATION);
  return {
    input_tokens: firstCount(holders, INPUT),
    output_tokens: firstCount(holders, OUTPUT),
    reasoning_tokens: firstCount(holders, REASONING),
    cached_tokens: firstCount(holders, CACHED),
    cache_tokens: firstCount(holders, CACHE),
    cache_read_tokens: firstCount(holders, CACHE_READ),
    cache_creation_tokens: written,
    cache_write_1h_tokens: written > 0 ? cacheWrite1hOf(holders) : 0,
    total_tokens: firstCount(holders, TOTAL),
  };
}

/** The cache writes for one hour: beside the other counts, or in an object of writes by lifetime. */
function cacheWrite1hOf(holders: readonly JsonObject[]): number {
  const beside = firstCount(holders, CACHE_WRITE_1H);
  if (beside !== 0) return beside;
  for (const holder of holders) {
    const found = firstCount(objectsOf(holder, WRITES_BY_LIFETIME), CACHE_WRITE_1H);
    if (found !== 0) return found;
  }
  return 0;
}

function objectsOf(holder: JsonObject, names: Spellings): readonly JsonObject[] {
  return names.map((name) => holder[name]).filter(isJsonObject);
}

/**
 * The reported counts with the cached tokens of `prompt_tokens_details` or `input_tokens_details`, where the record has
 * no others. The identity is computed without them: records of files imported earlier must keep theirs.
 */
export function withCachedDetails<Tokens extends Pick<ReportedTokens, 'cached_tokens' | 'cache_tokens'>>(
  reported: Tokens,
  item: JsonObject,
): Tokens {
  if (reported.cached_tokens !== 0 || reported.cache_tokens !== 0) return reported;
  for (const holder of tokenHolders(item)) {
    for (const name of INPUT_DETAILS) {
      const details = holder[name];
      const cached = isJsonObject(details) ? firstCount([details], CACHED) : 0;
      if (cached > 0) return { ...reported, cached_tokens: cached };
    }
  }
  return reported;
}

/** The reported counts with the cache writes for one hour of the original items, where the counts have none. */
export function withCacheWrite1h<
  Tokens extends Pick<ReportedTokens, 'cache_creation_tokens' | 'cache_write_1h_tokens'>,
>(reported: Tokens, originals: readonly JsonObject[]): Tokens {
  if (reported.cache_creation_tokens <= 0 || reported.cache_write_1h_tokens > 0) return reported;
  for (const original of originals) {
    const told = Math.max(cacheWrite1hOf(tokenHolders(original)), readTokenBreakdown(original).cacheWrite1h);
    const found = cacheWrite1hWithin(reported.cache_creation_tokens, told);
    if (found > 0) return { ...reported, cache_write_1h_tokens: found };
  }
  return reported;
}

/** The reported total of a record; 0 when missing. */
export function readReportedTotal(item: JsonObject): number {
  return firstCount(tokenHolders(item), TOTAL);
}

/** The explicit mode of a record: in `tokens`, then `usage`, then at top level. */
export function readExplicitCacheMode(item: JsonObject): CacheInputMode | null {
  for (const holder of tokenHolders(item)) {
    const mode = explicitCacheMode(readText(holder, MODE));
    if (mode !== null) return mode;
  }
  return null;
}

/** A part cannot be more than the whole. */
export function cacheWrite1hWithin(cacheCreation: number, cacheWrite1h: number): number {
  return Math.max(Math.min(cacheWrite1h, cacheCreation), 0);
}

export type TokenAccounting = ReportedTokens &
  InputBuckets &
  Pick<UsageEvent, 'cache_input_mode' | 'billable_output_tokens' | 'unclassified_tokens' | 'token_quality'>;

/**
 * All token members of an event. A complete breakdown of the gateway gives the buckets; otherwise they are inferred
 * from the reported counts.
 */
export function accountTokens(
  reported: ReportedTokens,
  explicitMode: CacheInputMode | null,
  context: CacheModeContext,
  breakdown: TokenBreakdown = NO_BREAKDOWN,
): TokenAccounting {
  const mode = explicitMode ?? inferCacheMode(context, reported);
  const buckets = breakdown.complete?.input ?? inferInputBuckets(mode, reported);
  return {
    input_tokens: reported.input_tokens,
    output_tokens: reported.output_tokens,
    reasoning_tokens: reported.reasoning_tokens,
    cached_tokens: reported.cached_tokens,
    cache_tokens: reported.cache_tokens,
    cache_read_tokens: reported.cache_read_tokens,
    cache_creation_tokens: reported.cache_creation_tokens,
    cache_write_1h_tokens: cacheWrite1hWithin(
      reported.cache_creation_tokens,
      Math.max(reported.cache_write_1h_tokens, breakdown.cacheWrite1h),
    ),
    total_tokens: totalTokens(reported.total_tokens, buckets.normalized_total_input_tokens, reported),
    normalized_uncached_input_tokens: buckets.normalized_uncached_input_tokens,
    normalized_total_input_tokens: buckets.normalized_total_input_tokens,
    normalized_cache_read_tokens: buckets.normalized_cache_read_tokens,
    normalized_cache_creation_tokens: buckets.normalized_cache_creation_tokens,
    cache_input_mode: mode,
    billable_output_tokens:
      breakdown.complete?.output ?? inferBillableOutput(context, reported, buckets.normalized_total_input_tokens),
    unclassified_tokens: breakdown.unclassified,
    token_quality: isCachedAboveInput(mode, reported) ? 'inconsistent' : breakdown.quality,
  };
}
