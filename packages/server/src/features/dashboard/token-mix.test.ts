import { expect, test } from 'bun:test';
import { type MixedTotals, tokenMix } from './token-mix.ts';

const NONE: MixedTotals = {
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  cacheReadTokens: 0,
  cacheCreationTokens: 0,
  reasoningTokens: 0,
  totalTokens: 0,
};

interface Case {
  readonly name: string;
  readonly totals: Partial<MixedTotals>;
  /** input, cached, output, reasoning */
  readonly mix: readonly number[];
}

const CASES: readonly Case[] = [
  { name: 'nothing', totals: {}, mix: [0, 0, 0, 0] },
  {
    name: 'reasoning inside the output comes off the output',
    totals: {
      inputTokens: 7451,
      outputTokens: 1095,
      cachedTokens: 200,
      cacheReadTokens: 600,
      cacheCreationTokens: 500,
      reasoningTokens: 100,
      totalTokens: 8546,
    },
    mix: [6151, 1300, 995, 100],
  },
  {
    name: 'reasoning beside the output stays beside it',
    totals: { inputTokens: 100, outputTokens: 20, reasoningTokens: 30, totalTokens: 150 },
    mix: [100, 0, 20, 30],
  },
  {
    name: 'an excess beyond the reasoning takes the rest of the output',
    totals: { inputTokens: 100, outputTokens: 50, reasoningTokens: 10, totalTokens: 120 },
    mix: [100, 0, 10, 10],
  },
  {
    name: 'then the input',
    totals: { inputTokens: 100, outputTokens: 50, reasoningTokens: 10, totalTokens: 70 },
    mix: [60, 0, 0, 10],
  },
  {
    name: 'cached and reasoning tokens are never cut',
    totals: { inputTokens: 100, cachedTokens: 90, outputTokens: 5, reasoningTokens: 10, totalTokens: 20 },
    mix: [0, 90, 0, 10],
  },
  {
    name: 'more cached than input leaves no input',
    totals: { inputTokens: 10, cacheReadTokens: 30, totalTokens: 40 },
    mix: [0, 30, 0, 0],
  },
  {
    name: 'without a total nothing is cut',
    totals: { inputTokens: 10, outputTokens: 5, reasoningTokens: 5 },
    mix: [10, 0, 5, 5],
  },
  {
    name: 'a total above the parts changes nothing',
    totals: { inputTokens: 10, outputTokens: 5, totalTokens: 100 },
    mix: [10, 0, 5, 0],
  },
];

test.each(CASES)('token mix: $name', ({ totals, mix }) => {
  const parts = tokenMix({ ...NONE, ...totals });
  expect(parts.map(({ key }) => key)).toEqual(['input', 'cached', 'output', 'reasoning']);
  expect(parts.map(({ tokens }) => tokens)).toEqual([...mix]);
  const sum = mix.reduce((left, right) => left + right, 0);
  expect(parts.map(({ share }) => share)).toEqual(mix.map((tokens) => (sum === 0 ? 0 : tokens / sum)));
});
