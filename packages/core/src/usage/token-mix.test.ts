import { expect, test } from 'bun:test';
import { type TokenSums, tokenMix } from './token-mix.ts';

const NONE: TokenSums = {
  input_tokens: 0,
  output_tokens: 0,
  cached_tokens: 0,
  cache_read_tokens: 0,
  cache_creation_tokens: 0,
  reasoning_tokens: 0,
  total_tokens: 0,
};

interface Case {
  readonly name: string;
  readonly totals: Partial<TokenSums>;
  /** input, cached, output, reasoning */
  readonly mix: readonly number[];
}

const CASES: readonly Case[] = [
  { name: 'nothing', totals: {}, mix: [0, 0, 0, 0] },
  {
    name: 'reasoning inside the output comes off the output',
    totals: {
      input_tokens: 7451,
      output_tokens: 1095,
      cached_tokens: 200,
      cache_read_tokens: 600,
      cache_creation_tokens: 500,
      reasoning_tokens: 100,
      total_tokens: 8546,
    },
    mix: [6151, 1300, 995, 100],
  },
  {
    name: 'reasoning beside the output stays beside it',
    totals: { input_tokens: 100, output_tokens: 20, reasoning_tokens: 30, total_tokens: 150 },
    mix: [100, 0, 20, 30],
  },
  {
    name: 'an excess beyond the reasoning takes the rest of the output',
    totals: { input_tokens: 100, output_tokens: 50, reasoning_tokens: 10, total_tokens: 120 },
    mix: [100, 0, 10, 10],
  },
  {
    name: 'then the input',
    totals: { input_tokens: 100, output_tokens: 50, reasoning_tokens: 10, total_tokens: 70 },
    mix: [60, 0, 0, 10],
  },
  {
    name: 'cached and reasoning tokens are never cut',
    totals: { input_tokens: 100, cached_tokens: 90, output_tokens: 5, reasoning_tokens: 10, total_tokens: 20 },
    mix: [0, 90, 0, 10],
  },
  {
    name: 'more cached than input leaves no input',
    totals: { input_tokens: 10, cache_read_tokens: 30, total_tokens: 40 },
    mix: [0, 30, 0, 0],
  },
  {
    name: 'without a total nothing is cut',
    totals: { input_tokens: 10, output_tokens: 5, reasoning_tokens: 5 },
    mix: [10, 0, 5, 5],
  },
  {
    name: 'a total above the parts changes nothing',
    totals: { input_tokens: 10, output_tokens: 5, total_tokens: 100 },
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
