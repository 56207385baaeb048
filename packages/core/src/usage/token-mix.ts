/** Sums of tokens under their wire names; the input is the total one, cache read and creation included. */
export interface TokenSums {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_creation_tokens: number;
  readonly reasoning_tokens: number;
  readonly total_tokens: number;
}

export interface TokenMixPart {
  readonly key: 'input' | 'cached' | 'output' | 'reasoning';
  readonly tokens: number;
  /** Of the four together, 0 to 1. */
  readonly share: number;
}

/**
 * The total as four parts without overlap: uncached input, cache (read and creation), output, reasoning. Reasoning
 * tokens are mostly inside the output, so any excess over the total is taken off the output first.
 *
 * @example tokenMix({ input_tokens: 100, output_tokens: 50, reasoning_tokens: 10, total_tokens: 150, … }) // input 100,
 * cached 0, output 40, reasoning 10
 */
export function tokenMix(sums: TokenSums): TokenMixPart[] {
  const cached = sums.cached_tokens + sums.cache_read_tokens + sums.cache_creation_tokens;
  const reasoning = sums.reasoning_tokens;
  let input = Math.max(sums.input_tokens - cached, 0);
  let output = sums.output_tokens;
  if (sums.total_tokens > 0) {
    let excess = Math.max(input + cached + output + reasoning - sums.total_tokens, 0);
    const fromOutput = Math.min(excess, output);
    output -= fromOutput;
    excess -= fromOutput;
    input -= Math.min(excess, input);
  }
  const all = input + cached + output + reasoning;
  const part = (key: TokenMixPart['key'], tokens: number) => ({ key, tokens, share: all > 0 ? tokens / all : 0 });
  return [part('input', input), part('cached', cached), part('output', output), part('reasoning', reasoning)];
}
