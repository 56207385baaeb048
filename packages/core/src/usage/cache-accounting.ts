import type { CacheInputMode, UsageEvent } from './event.ts';

/** Token counts as reported. */
export type ReportedCache = Pick<
  UsageEvent,
  'input_tokens' | 'cached_tokens' | 'cache_tokens' | 'cache_read_tokens' | 'cache_creation_tokens'
>;

/** Exclusive input buckets, independent of how the provider reports. */
export type InputBuckets = Pick<
  UsageEvent,
  | 'normalized_uncached_input_tokens'
  | 'normalized_total_input_tokens'
  | 'normalized_cache_read_tokens'
  | 'normalized_cache_creation_tokens'
>;

/** What the reporting mode is inferred from. `auth_provider_snapshot` is the record's own, not an enriched one. */
export type CacheModeContext = Pick<
  UsageEvent,
  'executor_type' | 'provider' | 'auth_provider_snapshot' | 'resolved_model' | 'requested_model' | 'model'
>;

interface Markers {
  readonly separate: RegExp;
  readonly included: RegExp;
}

const EXECUTOR: Markers = {
  separate: /claude/i,
  included:
    /openaicompat|openai_compat|openai-compat|openai|codex|gemini|aistudio|ai_studio|ai-studio|antigravity|xai|kimi/i,
};
const PROVIDER: Markers = {
  separate: /anthropic|claude/i,
  included: /openai|codex|gemini|vertex|aistudio|ai_studio|ai-studio|interaction|antigravity|xai|kimi|moonshot/i,
};
const MODEL: Markers = {
  separate: /anthropic|claude/i,
  included: /gpt-|openai|codex|gemini|vertex|aistudio|antigravity|grok|xai|kimi|moonshot/i,
};

function modeByMarkers(text: string, markers: Markers): CacheInputMode | null {
  if (text === '') return null;
  if (markers.separate.test(text)) return 'separate_from_input';
  return markers.included.test(text) ? 'included_in_input' : null;
}

/** Gemini's formats report reasoning beside the output; a compatible endpoint named after one of them does not. */
const REASONING_OUTSIDE = /gemini|interaction|vertex|aistudio|ai_studio|ai-studio|antigravity/i;
const REASONING_INSIDE = /anthropic|claude|openai/i;

function reasoningIsOutside(context: CacheModeContext): boolean {
  const { executor_type, provider, auth_provider_snapshot, resolved_model, requested_model, model } = context;
  for (const [text, markers] of [
    [executor_type, EXECUTOR],
    [provider, PROVIDER],
    [auth_provider_snapshot, PROVIDER],
    [resolved_model, MODEL],
    [requested_model, MODEL],
    [model, MODEL],
  ] as const) {
    if (REASONING_INSIDE.test(text)) return false;
    if (REASONING_OUTSIDE.test(text)) return true;
    if (modeByMarkers(text, markers) !== null) return false;
  }
  return false;
}

/**
 * Billed output tokens of an event without a usable breakdown: with the reasoning where the provider reports it beside
 * the output and no total says otherwise.
 *
 * @param totalInput as normalized
 * @example inferBillableOutput(gemini, { output_tokens: 50, reasoning_tokens: 300, total_tokens: 1350 }, 1000) // 350
 */
export function inferBillableOutput(
  context: CacheModeContext,
  tokens: Pick<UsageEvent, 'output_tokens' | 'reasoning_tokens' | 'total_tokens'>,
  totalInput: number,
): number {
  const output = Math.max(tokens.output_tokens, 0);
  const reasoning = Math.max(tokens.reasoning_tokens, 0);
  if (reasoning === 0) return output;
  const isInTotal = tokens.total_tokens <= 0 || tokens.total_tokens === totalInput + output + reasoning;
  return isInTotal && reasoningIsOutside(context) ? output + reasoning : output;
}

/** Whether more input is reported as cached than there was: then the provider's counts contradict each other. */
export function isCachedAboveInput(mode: CacheInputMode, tokens: ReportedCache): boolean {
  if (mode !== 'included_in_input') return false;
  const cached = residualCachedTokens(tokens) + Math.max(tokens.cache_read_tokens, 0);
  return cached + Math.max(tokens.cache_creation_tokens, 0) > Math.max(tokens.input_tokens, 0);
}

/** One of the two modes, ignoring case; null for any other text. */
export function explicitCacheMode(text: string): CacheInputMode | null {
  const mode = text.toLowerCase();
  return mode === 'included_in_input' || mode === 'separate_from_input' ? mode : null;
}

/**
 * Whether cache tokens are included in `input_tokens`. The executor counts before provider names, those before model
 * names: a model alias does not show how a compatible endpoint reports.
 */
export function inferCacheMode(
  context: CacheModeContext,
  tokens: Pick<ReportedCache, 'cache_read_tokens' | 'cache_creation_tokens'>,
): CacheInputMode {
  return (
    modeByMarkers(context.executor_type, EXECUTOR) ??
    modeByMarkers(context.provider, PROVIDER) ??
    modeByMarkers(context.auth_provider_snapshot, PROVIDER) ??
    modeByMarkers(context.resolved_model, MODEL) ??
    modeByMarkers(context.requested_model, MODEL) ??
    modeByMarkers(context.model, MODEL) ??
    (tokens.cache_read_tokens > 0 || tokens.cache_creation_tokens > 0 ? 'separate_from_input' : 'included_in_input')
  );
}

/**
 * The part of the older cached count beyond cache read and creation. Only this part may be added to them, because the
 * older count usually repeats one of them.
 */
export function residualCachedTokens(tokens: Omit<ReportedCache, 'input_tokens'>): number {
  const cached = Math.max(tokens.cached_tokens, tokens.cache_tokens);
  const explained = Math.max(tokens.cache_read_tokens, 0) + Math.max(tokens.cache_creation_tokens, 0);
  return cached > 0 && cached > explained ? cached - explained : 0;
}

/**
 * Input buckets from the reported counts.
 *
 * @example inferInputBuckets('included_in_input', { input_tokens: 9000, cached_tokens: 6000, cache_read_tokens: 6000, … })
 * // uncached 3000, total 9000, read 6000, creation 0
 */
export function inferInputBuckets(mode: CacheInputMode, tokens: ReportedCache): InputBuckets {
  const input = Math.max(tokens.input_tokens, 0);
  const read = residualCachedTokens(tokens) + Math.max(tokens.cache_read_tokens, 0);
  const creation = Math.max(tokens.cache_creation_tokens, 0);
  const included = mode === 'included_in_input';
  return {
    normalized_uncached_input_tokens: included ? Math.max(input - read - creation, 0) : input,
    normalized_total_input_tokens: included ? input : input + read + creation,
    normalized_cache_read_tokens: read,
    normalized_cache_creation_tokens: creation,
  };
}

/** The reported total, else the sum of the buckets. */
export function totalTokens(
  reported: number,
  totalInput: number,
  tokens: Pick<UsageEvent, 'output_tokens' | 'reasoning_tokens'>,
): number {
  return reported > 0
    ? reported
    : totalInput + Math.max(tokens.output_tokens, 0) + Math.max(tokens.reasoning_tokens, 0);
}
