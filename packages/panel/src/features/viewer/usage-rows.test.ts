import { expect, test } from 'bun:test';
import { USAGE_SORTS, usageColumns, viewerRows } from './usage-rows.tsx';

const sums = { input_tokens: 2_000, output_tokens: 500, reasoning_tokens: 0, cached_tokens: 0, total_tokens: 2_500 };
const { models } = viewerRows(
  {
    models: [
      { ...sums, model: 'priced', calls: 3, failure_calls: 1, cost: 0.25, unpriced_calls: 0 },
      { ...sums, model: 'unpriced', calls: 1, failure_calls: 0, cost: 0, unpriced_calls: 1 },
    ],
    summary: { calls: 4 },
  } as unknown as Parameters<typeof viewerRows>[0],
  (hash) => hash,
  (key) => key,
);
const columns = usageColumns('model', { t: (key) => key, zone: 'UTC', locale: 'en' });

test('every sort key of the address is a column', () => {
  expect(columns.map(({ id }) => id)).toEqual(USAGE_SORTS);
});

test('a file has no cost of requests without a price', () => {
  const exported = models.map((row) => Object.fromEntries(columns.map(({ id, exported }) => [id, exported?.(row)])));
  expect(exported).toMatchObject([
    { name: 'priced', requests: 3, share: 0.75, failed: 1, input: 2_000, tokens: 2_500, cost_usd: 0.25 },
    { name: 'unpriced', requests: 1, share: 0.25, cost_usd: null },
  ]);
});
