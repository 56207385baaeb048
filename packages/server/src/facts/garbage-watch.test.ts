import { expect, test } from 'bun:test';
import { createBodyWatch, createGarbageWatch } from './garbage-watch.ts';

test('garbage is collected when memory has grown since the least there was', () => {
  let resident = 100;
  let collected = 0;
  const watch = createGarbageWatch({
    residentBytes: () => resident,
    collect: () => {
      collected++;
      resident -= 15;
    },
    growthBytes: 20,
  });
  const after = (bytes: number) => {
    resident = bytes;
    watch.check();
    return collected;
  };
  expect(after(119)).toBe(0);
  expect(after(90)).toBe(0);
  expect(after(109)).toBe(0);
  expect(after(110)).toBe(1);
  // 95 is left: live data may have grown for good.
  expect(after(114)).toBe(1);
  expect(after(115)).toBe(2);
});

test('long bodies are collected before there are too many, and once no more come', async () => {
  let collected = 0;
  const sent = createBodyWatch(() => {
    collected++;
  });
  const mib = 1024 * 1024;
  for (let count = 0; count < 100; count++) sent(mib - 1);
  sent(17 * mib);
  expect(collected).toBe(0);
  sent(17 * mib);
  expect(collected).toBe(1);
  await Bun.sleep(700);
  expect(collected).toBe(2);
  await Bun.sleep(700);
  expect(collected).toBe(2);
});
