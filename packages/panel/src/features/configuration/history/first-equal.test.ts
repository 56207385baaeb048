import { expect, test } from 'bun:test';
import type { ConfigurationVersion } from '@manager/core/contract/gateway-configuration';
import { firstEqual } from './first-equal.ts';

const version = (id: number, digest: string): ConfigurationVersion => ({
  id,
  digest,
  origin: 'saved',
  bytes: 1,
  firstSeenAtMs: id * 1_000,
  lastSeenAtMs: id * 1_000,
  changed: null,
});

test('a version whose text was there before names the first one with it', () => {
  const versions = [version(5, 'a'), version(4, 'c'), version(3, 'a'), version(2, 'b'), version(1, 'a')];
  expect([...firstEqual(versions)].map(([id, first]) => [id, first.id])).toEqual([
    [3, 1],
    [5, 1],
  ]);
  expect(firstEqual([]).size).toBe(0);
});
