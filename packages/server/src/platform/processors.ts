import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface ProcessorsOptions {
  /** Processors that the process may run on, whatever share of their time it gets. Default: those of this machine. */
  readonly cores?: number;
  /** Folder in which `/proc` and `/sys` are. */
  readonly root?: string;
}

/**
 * How many processors the process can keep busy: a container or service may be limited to a share of their time, which the count of the runtime
 * does not show. At least 1; parts are rounded down, so that two threads are never planned for one and a half.
 */
export function availableProcessors({ cores = availableParallelism(), root = '' }: ProcessorsOptions = {}): number {
  return Math.max(1, Math.floor(Math.min(cores, quota(root))));
}

/** The least quota of the control groups that the process is in, in processors; Infinity = none. */
function quota(root: string): number {
  const groups = (read(`${root}/proc/self/cgroup`) ?? '').split('\n').flatMap((line) => {
    const [, controllers, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (controllers === undefined || path === undefined) return [];
    if (controllers === '') return foldersOf(path).map((folder) => ofVersion2(`${root}/sys/fs/cgroup${folder}`));
    if (!controllers.split(',').includes('cpu')) return [];
    return foldersOf(path).map((folder) => ofVersion1(`${root}/sys/fs/cgroup/cpu${folder}`));
  });
  return Math.min(Number.POSITIVE_INFINITY, ...groups);
}

/**
 * The folder of a group and those of the groups around it, whose quotas hold too. In a container the path may be the host's, or lead out of
 * what is mounted: then only the topmost folder exists, and is the container's.
 */
function foldersOf(path: string): readonly string[] {
  const parts = path.split('/').filter((part) => part !== '');
  if (parts.includes('..')) return [''];
  return ['', ...parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)];
}

/** `max 100000`, or the quota in place of `max`. */
function ofVersion2(folder: string): number {
  const [time = '', period = ''] = (read(`${folder}/cpu.max`) ?? '').trim().split(' ');
  return share(time, period);
}

/** A quota of -1 is none. */
function ofVersion1(folder: string): number {
  return share(read(`${folder}/cpu.cfs_quota_us`) ?? '', read(`${folder}/cpu.cfs_period_us`) ?? '');
}

function share(time: string, period: string): number {
  const processors = Number.parseInt(time, 10) / Number.parseInt(period, 10);
  return processors > 0 ? processors : Number.POSITIVE_INFINITY;
}

/** null on systems and in containers without the file. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
