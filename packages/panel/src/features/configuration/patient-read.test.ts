import { expect, test } from 'bun:test';
import { ApiError } from '../../platform/api/errors.ts';
import { isCanceled, PATIENCE_MS, readPatiently, type Wait } from './patient-read.ts';

/** Reads that the test answers, and a clock that it moves. */
function reading(signal?: AbortSignal) {
  const requests: { readonly signal: AbortSignal; readonly answer: (text: string) => void }[] = [];
  const timers = new Set<() => void>();
  const waits: Wait[] = [];
  const result = readPatiently<string>(
    {
      read: (given) =>
        new Promise((resolve, reject) => {
          requests.push({ signal: given, answer: resolve });
          given.addEventListener('abort', () => reject(new DOMException('gone', 'AbortError')));
        }),
      onWait: (wait) => waits.push(wait),
      onEnd: (wait) => waits.includes(wait) && waits.splice(waits.indexOf(wait), 1),
      after(ms, then) {
        expect(ms).toBe(PATIENCE_MS);
        timers.add(then);
        return () => timers.delete(then);
      },
    },
    signal,
  );
  result.catch(() => undefined);
  const pass = () => {
    for (const then of timers) then();
  };
  return { requests, timers, waits, result, pass };
}

test('a quick answer waits for nothing', async () => {
  const { requests, timers, waits, result } = reading();
  requests[0]?.answer('port: 1\n');
  expect(await result).toBe('port: 1\n');
  expect([timers.size, waits.length]).toEqual([0, 0]);
});

test('a slow one is reported, and no longer once it is there', async () => {
  const { requests, waits, result, pass } = reading();
  pass();
  expect(waits).toHaveLength(1);
  requests[0]?.answer('late');
  expect(await result).toBe('late');
  expect(waits).toEqual([]);
});

test('it is given up, also while its body arrives', async () => {
  const { requests, timers, waits, result, pass } = reading();
  pass();
  waits[0]?.cancel();
  const error = await result.catch((thrown: unknown) => thrown);
  expect(isCanceled(error)).toBe(true);
  expect([requests.length, timers.size, waits.length]).toEqual([1, 0, 0]);
});

test('it is sent again, and that one is waited for as long', async () => {
  const { requests, waits, result, pass } = reading();
  pass();
  waits[0]?.again();
  await Bun.sleep(0);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(waits).toEqual([]);
  pass();
  expect(waits).toHaveLength(1);
  requests[1]?.answer('second');
  expect(await result).toBe('second');
});

test('nobody wants it any more', async () => {
  const page = new AbortController();
  const { requests, waits, result, pass } = reading(page.signal);
  pass();
  page.abort();
  await expect(result).rejects.toThrow('gone');
  expect([requests.length, waits.length]).toEqual([1, 0]);
});

test('failures are passed on', async () => {
  const error = new ApiError('status', 'no', { path: 'x', atMs: 0, status: 502 });
  const idle = { onWait: () => undefined, onEnd: () => undefined, after: () => () => undefined };
  await expect(readPatiently({ ...idle, read: () => Promise.reject(error) })).rejects.toBe(error);
});
