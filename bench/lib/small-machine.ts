import { chmodSync, existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build } from './builds.ts';
import { OUT } from './paths.ts';

/** What a rented server has. */
export interface SmallMachine extends Disposable {
  /** The build, started on one core and within the memory. */
  limit(build: Build): Build;
  /** Processes that the kernel killed for want of memory. */
  kills(): number;
  /** How often memory was asked for at the limit: pages of files are given up first, which costs only time. */
  atLimit(): number;
}

/** Files of the two versions of the kernel's control groups. */
const VERSIONS = [
  {
    root: '/sys/fs/cgroup/memory',
    limits: ['memory.limit_in_bytes'],
    kills: { file: 'memory.oom_control', name: 'oom_kill' },
    atLimit: { file: 'memory.failcnt', name: '' },
  },
  {
    root: '/sys/fs/cgroup',
    limits: ['memory.max'],
    kills: { file: 'memory.events', name: 'oom_kill' },
    atLimit: { file: 'memory.events', name: 'max' },
  },
] as const;

/**
 * One core and so much memory for the manager; everything else here runs on the other cores. Needs root and a memory controller.
 *
 * @param mib memory of the manager and of the pages of its files, MiB
 */
export function smallMachine(mib: number): SmallMachine {
  const version = VERSIONS.find(({ root }) => existsSync(join(root, 'cgroup.procs')));
  if (version === undefined) throw new Error('this machine has no control group for memory');
  const group = join(version.root, `manager-bench-${process.pid}`);
  mkdirSync(group);
  for (const file of version.limits) writeFileSync(join(group, file), String(mib * 2 ** 20));
  const launchers: string[] = [];
  const read = ({ file, name }: { readonly file: string; readonly name: string }) => {
    const line = readFileSync(join(group, file), 'utf8')
      .split('\n')
      .find((one) => name === '' || one.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };
  pin(process.pid, OTHER_CORES);
  return {
    limit(build) {
      const path = join(OUT, `small-${process.pid}-${build.label}`);
      const script = ['#!/bin/sh', `echo $$ > ${group}/cgroup.procs`, `exec taskset -c 0 ${build.executable} "$@"`];
      writeFileSync(path, `${script.join('\n')}\n`);
      chmodSync(path, 0o755);
      launchers.push(path);
      return { ...build, executable: path };
    },
    kills: () => read(version.kills),
    atLimit: () => read(version.atLimit),
    [Symbol.dispose]() {
      pin(process.pid, ALL_CORES);
      for (const path of launchers) rmSync(path);
      rmdirSync(group);
    },
  };
}

const OTHER_CORES = '1-1023';
const ALL_CORES = '0-1023';

/** All threads of the process, and what it starts. */
function pin(pid: number, cores: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['taskset', '-acp', cores, String(pid)], { stderr: 'pipe' });
  if (exitCode !== 0) throw new Error(`the bench needs a second core: ${stderr.toString().trim()}`);
}
