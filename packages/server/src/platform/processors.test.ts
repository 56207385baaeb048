import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { availableProcessors } from './processors.ts';
import { createTestFolder, type TestFolder } from './testing/test-folder.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.dispose());

/** On a machine with 8 processors and these files. */
function processorsWith(files: Readonly<Record<string, string>>): number {
  for (const [path, content] of Object.entries(files)) {
    const file = folder.path(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${content}\n`);
  }
  return availableProcessors({ cores: 8, root: folder.path('.') });
}

const HOST_PATH = '/docker/0123456789abcdef';
const VERSION_1 = `5:cpuset:${HOST_PATH}\n4:cpu,cpuacct:${HOST_PATH}\n0::/system.slice/containerd.service`;

test.each<[string, number, Readonly<Record<string, string>>]>([
  ['without control groups', 8, {}],
  ['in a container without a quota', 8, { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': 'max 100000' }],
  ['in a container with one processor', 1, { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '100000 100000' }],
  ['with one and a half', 1, { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '150000 100000' }],
  ['with half of one', 1, { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '25000 50000' }],
  ['with more than there are', 8, { 'proc/self/cgroup': '0::/', 'sys/fs/cgroup/cpu.max': '3200000 100000' }],
  [
    'in a container whose path leads out of it',
    2,
    { 'proc/self/cgroup': '0::/../../other', 'sys/fs/cgroup/cpu.max': '200000 100000' },
  ],
  [
    'as a service with a quota',
    3,
    {
      'proc/self/cgroup': '0::/system.slice/manager.service',
      'sys/fs/cgroup/system.slice/cpu.max': 'max 100000',
      'sys/fs/cgroup/system.slice/manager.service/cpu.max': '300000 100000',
    },
  ],
  [
    'as a service in a slice with a lower quota',
    2,
    {
      'proc/self/cgroup': '0::/system.slice/manager.service',
      'sys/fs/cgroup/system.slice/cpu.max': '200000 100000',
      'sys/fs/cgroup/system.slice/manager.service/cpu.max': '300000 100000',
    },
  ],
  [
    'in a container of version 1',
    1,
    {
      'proc/self/cgroup': VERSION_1,
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '100000',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    },
  ],
  [
    'of version 1 without a quota',
    8,
    {
      'proc/self/cgroup': VERSION_1,
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      'sys/fs/cgroup/cpu/cpu.cfs_period_us': '100000',
    },
  ],
  [
    'of version 1 in a group of the host',
    4,
    {
      'proc/self/cgroup': '4:cpu,cpuacct:/manager',
      'sys/fs/cgroup/cpu/cpu.cfs_quota_us': '-1',
      'sys/fs/cgroup/cpu/manager/cpu.cfs_quota_us': '400000',
      'sys/fs/cgroup/cpu/manager/cpu.cfs_period_us': '100000',
    },
  ],
  ['with files that mean nothing', 8, { 'proc/self/cgroup': '0::/\nx', 'sys/fs/cgroup/cpu.max': '' }],
])('%s: %d', (_, expected, files) => {
  expect(processorsWith(files)).toBe(expected);
});

test('this machine has one at least, and no more than the runtime counts', () => {
  expect(availableProcessors()).toBeWithin(1, availableParallelism() + 1);
});
