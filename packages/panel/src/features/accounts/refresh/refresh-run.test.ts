import { expect, test } from 'bun:test';
import { runRefresh } from './refresh-run.ts';

test('one account of a provider at a time, three providers at once, and none after the stop', async () => {
  const items = ['a', 'b', 'c', 'd'].flatMap((provider) => [1, 2, 3].map((number) => ({ provider, number })));
  const running = new Map<string, number>();
  const seen: string[] = [];
  let most = 0;
  let mostOfOne = 0;
  await runRefresh(
    items,
    ({ provider }) => provider,
    async ({ provider, number }) => {
      running.set(provider, (running.get(provider) ?? 0) + 1);
      most = Math.max(
        most,
        [...running.values()].reduce((sum, count) => sum + count, 0),
      );
      mostOfOne = Math.max(mostOfOne, running.get(provider) ?? 0);
      await new Promise((resolve) => setTimeout(resolve, 1));
      running.set(provider, (running.get(provider) ?? 0) - 1);
      seen.push(`${provider}${number}`);
    },
    new AbortController().signal,
  );
  expect([most, mostOfOne, seen.length]).toEqual([3, 1, 12]);

  const stopped = new AbortController();
  let asked = 0;
  await runRefresh(
    items,
    () => 'one',
    async () => {
      asked += 1;
      if (asked === 2) stopped.abort();
    },
    stopped.signal,
  );
  expect(asked).toBe(2);
});
