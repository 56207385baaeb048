import type { DashboardResponse } from '@manager/core/contract/dashboard';
import type { Totals } from '../../facts/kernels/totals.ts';
import { ratio } from '../../facts/ratios.ts';

export type MixedTotals = Pick<
  Totals,
  | 'inputTokens'
  | 'outputTokens'
  | 'cachedTokens'
  | 'cacheReadTokens'
  | 'cacheCreationTokens'
  | 'reasoningTokens'
  | 'totalTokens'
>;

/**
 * The total as four parts that do not overlap. Reasoning tokens mostly lie inside the output, so what exceeds the total is
 * taken off the output first.
 */
export function tokenMix(totals: MixedTotals): DashboardResponse['token_mix'] {
  const cached = totals.cachedTokens + totals.cacheReadTokens + totals.cacheCreationTokens;
  const reasoning = totals.reasoningTokens;
  let input = Math.max(totals.inputTokens - cached, 0);
  let output = totals.outputTokens;
  if (totals.totalTokens > 0) {
    let excess = Math.max(input + cached + output + reasoning - totals.totalTokens, 0);
    const fromOutput = Math.min(excess, output);
    output -= fromOutput;
    excess -= fromOutput;
    input -= Math.min(excess, input);
  }
  const sum = input + cached + output + reasoning;
  const part = (key: 'input' | 'cached' | 'output' | 'reasoning', tokens: number) => ({
    key,
    tokens,
    share: ratio(tokens, sum),
  });
  return [part('input', input), part('cached', cached), part('output', output), part('reasoning', reasoning)];
}
