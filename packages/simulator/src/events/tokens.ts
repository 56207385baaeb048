import type { JsonObject } from '../json.ts';
import type { Random } from '../random.ts';

type TokenFamily = 'inclusive' | 'claude' | 'gemini';

/** Providers differ in what `input_tokens` and `output_tokens` include. */
export function familyOf(provider: string): TokenFamily {
  if (provider === 'claude') return 'claude';
  return ['gemini', 'gemini-interactions', 'vertex', 'aistudio', 'antigravity'].includes(provider)
    ? 'gemini'
    : 'inclusive';
}

/** Token buckets of one request without overlap. */
export interface TokenBuckets {
  readonly uncached: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly visible: number;
  readonly reasoning: number;
}

export const NO_TOKENS: TokenBuckets = { uncached: 0, cacheRead: 0, cacheWrite: 0, visible: 0, reasoning: 0 };

/** Prompts of coding agents: long, mostly cached, with short answers. */
export function randomBuckets(random: Random, family: TokenFamily, isReasoning: boolean): TokenBuckets {
  const prompt = Math.max(20, Math.round(random.skewed(14_000, 0.9)));
  const cachedShare = random.chance(0.7) ? 0.5 + random.next() * 0.45 : 0;
  const cacheRead = Math.floor((prompt * cachedShare) / 128) * 128;
  const cacheWrite = family === 'claude' && random.chance(0.5) ? Math.round((prompt - cacheRead) * 0.6) : 0;
  const output = Math.max(1, Math.round(random.skewed(420, 0.9)));
  const reasoning = isReasoning ? Math.round(output * random.next() * 0.7) : 0;
  return { uncached: prompt - cacheRead - cacheWrite, cacheRead, cacheWrite, visible: output - reasoning, reasoning };
}

/** The `tokens` object as the provider family reports it. */
export function tokensOf(buckets: TokenBuckets, family: TokenFamily): JsonObject {
  const { uncached, cacheRead, cacheWrite, visible, reasoning } = buckets;
  const input = family === 'claude' ? uncached : uncached + cacheRead + cacheWrite;
  const output = family === 'gemini' ? visible : visible + reasoning;
  return {
    input_tokens: input,
    output_tokens: output,
    reasoning_tokens: reasoning,
    cached_tokens: family === 'claude' && cacheRead === 0 ? cacheWrite : cacheRead,
    cache_read_tokens: cacheRead,
    cache_read_tokens_present: true,
    cache_creation_tokens: family === 'claude' ? cacheWrite : 0,
    total_tokens: uncached + cacheRead + cacheWrite + visible + reasoning,
  };
}

export function breakdownOf({ uncached, cacheRead, cacheWrite, visible, reasoning }: TokenBuckets): JsonObject {
  const input = uncached + cacheRead + cacheWrite;
  const output = visible + reasoning;
  return {
    schema_version: 2,
    quality: 'complete',
    total_tokens: input + output,
    input: {
      total_tokens: input,
      uncached_tokens: uncached,
      cache_read_tokens: cacheRead,
      cache_write_tokens: cacheWrite,
    },
    output: { total_tokens: output, non_reasoning_tokens: visible, reasoning_tokens: reasoning },
    unclassified_tokens: 0,
  };
}
