import { beforeEach, expect, test } from 'bun:test';
import { createUpkeep, type Upkeep } from './upkeep.ts';
import { OperationError } from './worker/errors.ts';

let nowMs: number;
let log: string[];
let attempts: number;
/** Error code of the work, '' = it succeeds. */
let refusal: string;
let upkeep: Upkeep;

beforeEach(() => {
  nowMs = 1_000_000;
  log = [];
  attempts = 0;
  refusal = '';
  upkeep = createUpkeep({
    title: 'sealing facts',
    async work() {
      attempts += 1;
      if (refusal !== '') throw new OperationError(refusal, 'database or disk is full');
    },
    now: () => nowMs,
    log: { info: (text) => log.push(`info ${text}`), error: (text) => log.push(`error ${text}`) },
  });
});

const ERROR = 'the disk is full; free space on the volume of the database (SQLITE_FULL)';

async function tickFor(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    nowMs += 1_000;
    upkeep.tick();
    await upkeep.idle();
  }
}

test('failed work is reported with a hint, and is not retried before a pause, however often it is requested', async () => {
  refusal = 'SQLITE_FULL';
  for (let insert = 0; insert < 100; insert += 1) await upkeep.request();
  expect(attempts).toBe(1);
  expect(upkeep.failure()).toEqual({ error: ERROR, sinceMs: 1_000_000, tries: 1, nextTryAtMs: 1_001_000 });
  expect(log).toEqual([`error sealing facts failed: ${ERROR}; retrying`]);
});

test('the pauses grow up to 30 s, and the log has a line a minute', async () => {
  refusal = 'SQLITE_FULL';
  await upkeep.request();
  await tickFor(120);
  // After 0, 1, 3, 7, 15, 31, 61 and 91 s.
  expect(upkeep.failure()).toMatchObject({ sinceMs: 1_000_000, tries: 8, nextTryAtMs: 1_121_000 });
  expect(log.slice(1)).toEqual([`error sealing facts failed: ${ERROR}; retrying (6 times)`]);
});

test('failed work is done automatically once it can be, and only once', async () => {
  refusal = 'SQLITE_FULL';
  await upkeep.request();
  refusal = '';
  await tickFor(10);
  expect(attempts).toBe(2);
  expect(upkeep.failure()).toBeNull();
  expect(log.at(-1)).toBe('info sealing facts works again');
});

test('a clock that is set back does not extend the pause', async () => {
  refusal = 'SQLITE_FULL';
  await upkeep.request();
  nowMs -= 3_600_000;
  await upkeep.request();
  expect(attempts).toBe(2);
});

test('the end of the workers is no failure', async () => {
  refusal = 'WORKER_CLOSED';
  await upkeep.request();
  expect(upkeep.failure()).toBeNull();
  expect(log).toEqual([]);
});
