import { beforeEach, expect, test } from 'bun:test';
import { createReading, type Reading } from './reading.ts';

const START_MS = 1_000_000;
let nowMs: number;
let isRead: boolean;
let reading: Reading;

beforeEach(() => {
  nowMs = START_MS;
  isRead = true;
  const socket = {
    pause() {
      isRead = false;
    },
    resume() {
      isRead = true;
    },
  };
  reading = createReading(socket, () => nowMs);
});

async function pause(ms: number): Promise<void> {
  const ready = Promise.withResolvers<void>();
  reading.pauseUntil(ready.promise);
  expect(isRead).toBe(false);
  nowMs += ms;
  ready.resolve();
  await Bun.sleep(0);
  expect(isRead).toBe(true);
}

test('bytes may have waited in the socket since the first of several pauses', async () => {
  expect(reading.unreadSinceMs()).toBeNull();
  await pause(5_000);
  nowMs += 900;
  await pause(5_000);
  nowMs += 900;
  reading.received();
  expect(reading.unreadSinceMs()).toBe(START_MS);
  nowMs += 100;
  expect(reading.unreadSinceMs()).toBeNull();
  await pause(5_000);
  expect(reading.unreadSinceMs()).toBe(START_MS + 11_900);
});

test('a pause is no silence', async () => {
  const ready = Promise.withResolvers<void>();
  reading.pauseUntil(ready.promise);
  nowMs += 3_600_000;
  expect(reading.silentSinceMs()).toBeNull();
  expect(reading.lastByteAtMs()).toBe(START_MS);
  ready.resolve();
  await Bun.sleep(0);
  nowMs += 10;
  expect(reading.silentSinceMs()).toBe(nowMs - 10);
  reading.received();
  expect(reading.silentSinceMs()).toBe(nowMs);
});

test('whoever asks for a pause during one changes nothing', async () => {
  const ready = Promise.withResolvers<void>();
  reading.pauseUntil(ready.promise);
  reading.pauseUntil(Promise.resolve());
  await Bun.sleep(0);
  expect(isRead).toBe(false);
  ready.resolve();
  await Bun.sleep(0);
  expect(isRead).toBe(true);
});
