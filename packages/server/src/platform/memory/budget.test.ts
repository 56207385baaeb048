import { expect, test } from 'bun:test';
import { availableMiB, defaultMemoryMiB, LEAST_MEMORY_MIB, memoryShares } from './budget.ts';

test.each([
  [256, 192],
  [512, 192],
  [768, 288],
  [1_024, 320],
  [65_536, 320],
])('a machine of %d MiB gives the manager %d', (available, expected) => {
  expect(defaultMemoryMiB(available)).toBe(expected);
});

test('the memory of this machine is known', () => {
  expect(availableMiB()).toBeGreaterThan(100);
  expect(defaultMemoryMiB()).toBeGreaterThanOrEqual(LEAST_MEMORY_MIB);
});

test('the shares of the least budget stay within it, and grow to what was always given', () => {
  const least = Object.values(memoryShares(LEAST_MEMORY_MIB)).reduce((sum, bytes) => sum + bytes, 0);
  expect(least / 2 ** 20).toBeLessThan(LEAST_MEMORY_MIB - 120);
  const most = { columnBytes: 128, sumBytes: 24, garbageBytes: 24, writerPageBytes: 32, readerPageBytes: 8 };
  for (const [name, mib] of Object.entries(most)) {
    const bytes = (budget: number) => memoryShares(budget)[name as keyof typeof most];
    expect(bytes(4_096)).toBe(mib * 2 ** 20);
    expect(bytes(320)).toBeGreaterThan(bytes(192));
    expect(bytes(320)).toBeGreaterThan(0.9 * mib * 2 ** 20);
  }
});

test('a second thread scans only with plenty of memory', () => {
  expect(memoryShares(320, 2_048).secondColumnBytes).toBe(32 * 2 ** 20);
  expect(memoryShares(319, 65_536).secondColumnBytes).toBe(0);
  expect(memoryShares(320, 2_047).secondColumnBytes).toBe(0);
});
