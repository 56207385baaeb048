import { expect, test } from 'bun:test';
import { listedEntries, makeRow } from '../model/rows.ts';
import type { ApiCall } from '../probe/probe.ts';
import { type Checked, checkAll, hasFailed, isChecked } from './bulk-check.ts';

const keys = (...names: string[]) => names.map((name) => ({ 'api-key': name }));

test('a check asks each key once, three at a time, and a provider fails with its last key', async () => {
  const rows = listedEntries({
    openai: [
      { name: 'half', 'base-url': 'https://half.test', 'api-key-entries': keys('good', 'bad') },
      { name: 'none', 'base-url': 'https://none.test', 'api-key-entries': keys('bad1', 'bad2', 'bad3') },
    ],
  }).map((listed) => makeRow(listed, null, null));
  let running = 0;
  let most = 0;
  const asked: string[] = [];
  const ask = async ({ header, data }: ApiCall) => {
    running += 1;
    most = Math.max(most, running);
    const key = header.Authorization?.slice(7) ?? '';
    asked.push(key);
    expect(data).toContain('"m"');
    await Promise.resolve();
    running -= 1;
    return { status: key === 'good' ? 200 : 401, ms: 1, host: '', body: '' };
  };
  const checked = new Map<string, Checked>();
  await checkAll(
    rows,
    () => 'm',
    ask,
    (id, answers) => checked.set(id, answers),
  );
  expect(most).toBe(3);
  expect(asked.toSorted()).toEqual(['bad', 'bad1', 'bad2', 'bad3', 'good']);
  expect(rows.map(({ id }) => hasFailed(checked.get(id)))).toEqual([false, true]);
  expect(isChecked([undefined, { status: 200, ms: 1, host: '', body: '' }])).toBe(false);
  expect(hasFailed(undefined)).toBe(false);
  // Nothing is known of a provider that the gateway did not ask.
  const unasked = { status: 0, ms: 1, host: '', body: 'network error' };
  expect(hasFailed([unasked])).toBe(false);
  expect(hasFailed([{ ...unasked, body: 'the gateway returned 502: request failed' }])).toBe(true);
});
