import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { syncDirectory } from './sync-directory.ts';

// A restore replaces several files. What it is about to do stands in a file beside the database, so that a restore that was
// killed is completed or undone before anybody opens the database.

const STEP = z.object({
  target: z.string().min(1),
  /** Verified copy that takes the place of the target; null = nothing does. */
  staged: z.string().min(1).nullable(),
  /** Where the target waits until all is done. */
  aside: z.string().min(1),
  /** Whether there was a target. */
  existed: z.boolean(),
});
const PENDING = z.object({
  version: z.literal(1),
  /** `staging` = no target has changed. */
  phase: z.enum(['staging', 'moving']),
  steps: z.array(STEP),
});

export type RestoreStep = Readonly<z.infer<typeof STEP>>;
export type PendingRestore = Readonly<Omit<z.infer<typeof PENDING>, 'version'>>;

/** What the operator is told. */
export const SETTLED_RESTORE = {
  completed: 'a restore of a database snapshot had been interrupted and was completed now',
  undone: 'a restore of a database snapshot had been interrupted before it changed anything; restore again',
} as const;

const recordOf = (database: string) => join(dirname(database), `.${basename(database)}.restore`);

export function hasPendingRestore(database: string): boolean {
  return existsSync(recordOf(database));
}

/** On disk when it returns. */
export function writePendingRestore(database: string, pending: PendingRestore): void {
  const path = recordOf(database);
  writeFileSync(`${path}.tmp`, JSON.stringify({ version: 1, ...pending }), { mode: 0o600, flush: true });
  renameSync(`${path}.tmp`, path);
  syncDirectory(dirname(path));
}

export function clearPendingRestore(database: string): void {
  rmSync(recordOf(database), { force: true });
  syncDirectory(dirname(database));
}

/**
 * Completes a restore that was killed, or removes its copies when it had changed nothing yet. Call it under the lock, before the
 * database and the data key are opened.
 */
export function settlePendingRestore(database: string): 'none' | 'undone' | 'completed' {
  const pending = readPending(recordOf(database));
  if (pending === null) return 'none';
  const isMoving = pending.phase === 'moving';
  if (isMoving) {
    for (const step of pending.steps) complete(step);
    for (const folder of foldersOf(pending.steps)) syncDirectory(folder);
  }
  for (const { staged, aside } of pending.steps) {
    if (staged !== null) rmSync(staged, { force: true });
    if (isMoving) rmSync(aside, { force: true });
  }
  clearPendingRestore(database);
  return isMoving ? 'completed' : 'undone';
}

function complete({ target, staged, aside, existed }: RestoreStep): void {
  if (staged !== null) {
    if (existsSync(staged)) renameSync(staged, target);
  } else if (existed && !existsSync(aside)) {
    rmSync(target, { force: true });
  }
}

function readPending(path: string): PendingRestore | null {
  if (!existsSync(path)) return null;
  try {
    return PENDING.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new Error(`the record of an interrupted restore, ${path}, is damaged; delete it and restore again`);
  }
}

export function foldersOf(steps: readonly Pick<RestoreStep, 'target'>[]): ReadonlySet<string> {
  return new Set(steps.map(({ target }) => dirname(target)));
}
