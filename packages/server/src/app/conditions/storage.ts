import { stat, statfs } from 'node:fs/promises';
import type { Condition } from '../../features/notifications/condition.ts';
import type { Store } from '../../workers/store.ts';

type Reader = Pick<Store['reader'], 'run'>;

/** A folder of the manager. */
export interface WatchedFolder {
  readonly name: string;
  readonly path: string;
}

const BACKGROUND = { priority: 'background' } as const;
/** A failed run blocks others, so there is seldom more than one. */
const MAX_RUNS = 20;

/** Volumes with less free space than wanted; a folder that is missing is on none. */
export async function diskConditions(
  folders: readonly WatchedFolder[],
  leastBytes: number,
  nowMs: number,
): Promise<readonly Condition[]> {
  const volumes = new Map<number, Condition>();
  for (const { name, path } of folders) {
    const volume = await volumeOf(path);
    if (volume === null || volumes.has(volume.device) || volume.freeBytes >= leastBytes) continue;
    const { device, freeBytes, totalBytes } = volume;
    volumes.set(device, { subject: name, name, provider: '', sinceMs: nowMs, facts: { freeBytes, totalBytes } });
  }
  return [...volumes.values()];
}

async function volumeOf(path: string) {
  try {
    const [{ dev }, { bavail, blocks, bsize }] = await Promise.all([stat(path), statfs(path)]);
    return { device: dev, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return null;
  }
}

export async function archiveConditions(reader: Reader): Promise<readonly Condition[]> {
  const listed = { limit: MAX_RUNS, status: 'failed', mode: null, after: null } as const;
  const { runs } = await reader.run('listArchiveRuns', listed, BACKGROUND);
  return runs.map(({ id, updated_at_ms: sinceMs }) => ({ subject: id, name: '', provider: '', sinceMs, facts: {} }));
}

/** The newest inspection that ended has failed. */
export async function inspectionConditions(reader: Reader): Promise<readonly Condition[]> {
  const runs = await reader.run('inspectionRuns', MAX_RUNS, BACKGROUND);
  const ended = runs.find(({ status }) => status === 'completed' || status === 'failed');
  if (ended?.status !== 'failed') return [];
  const sinceMs = ended.finishedAtMs ?? ended.startedAtMs;
  return [{ subject: '', name: '', provider: '', sinceMs, facts: {} }];
}
