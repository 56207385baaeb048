import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../platform/files/held-files.ts';
import {
  clearPendingRestore,
  foldersOf,
  type RestoreStep,
  writePendingRestore,
} from '../../platform/files/pending-restore.ts';
import { syncDirectory } from '../../platform/files/sync-directory.ts';
import type { RandomBytes } from '../../platform/secrets/admin-key.ts';
import { stopPoint } from '../../platform/stop-point.ts';
import { CommandError, throwIfCancelled } from './command.ts';

const SLOTS = ['database', 'wal', 'shm', 'journal', 'dataKey'] as const;
type Slot = (typeof SLOTS)[number];

/** Live path of each file that a snapshot covers. */
export type SnapshotTargets = Readonly<Record<Slot, string>>;

interface Work {
  readonly signal: AbortSignal;
  readonly randomBytes: RandomBytes;
}

const PRESENT = z.object({
  existed: z.literal(true),
  mode: z.int().nonnegative().optional(),
  size: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const FILE = z.union([z.object({ existed: z.literal(false) }), PRESENT]);
const MANIFEST = z.object({
  version: z.literal(1),
  files: z.object({ database: PRESENT, wal: FILE, shm: FILE, journal: FILE, dataKey: FILE }),
});
type Manifest = z.infer<typeof MANIFEST>;

const MANIFEST_NAME = 'manifest.json';
/** It has about 600. */
const MANIFEST_BYTES = 64 * 1024;
const CHUNK_BYTES = 1 << 20;
const PRIVATE_FILE = 0o600;

/** Copies the files into a temporary sibling of the directory and renames it into place. */
export async function createSnapshot(directory: string, targets: SnapshotTargets, work: Work): Promise<void> {
  if (lstatSync(directory, { throwIfNoEntry: false })) throw new CommandError(`${directory} exists already`);
  mkdirSync(dirname(directory), { recursive: true, mode: 0o700 });
  const temporary = sibling(directory, work);
  mkdirSync(temporary, { mode: 0o700 });
  try {
    const files: Partial<Record<Slot, Manifest['files'][Slot]>> = {};
    for (const slot of SLOTS) files[slot] = await copyIfPresent(targets[slot], join(temporary, slot), work);
    const manifest = JSON.stringify({ version: 1, files }, null, 2);
    writeFileSync(join(temporary, MANIFEST_NAME), `${manifest}\n`, { mode: PRIVATE_FILE, flush: true });
    syncDirectory(temporary);
    renameSync(temporary, directory);
    syncDirectory(dirname(directory));
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Restores every file of the snapshot, and removes those that it does not have. A data key that it does not have stays, because nothing
 * else could bring it back; the result says whether that was so. Everything is verified as it is staged next to its target, before the
 * first live file moves; any failure moves all of them back, and a restore that was killed is completed by the next use of the database.
 */
export async function restoreSnapshot(
  directory: string,
  targets: SnapshotTargets,
  work: Work,
): Promise<{ readonly keptDataKey: boolean }> {
  const { files } = readManifest(directory);
  const restored = SLOTS.filter((slot) => slot !== 'dataKey' || files.dataKey.existed);
  const steps = restored.map((slot): RestoreStep => {
    const target = targets[slot];
    const status = lstatSync(target, { throwIfNoEntry: false });
    if (status !== undefined && !status.isFile()) {
      throw new CommandError(`${target} is not a regular file; nothing was changed`);
    }
    const staged = files[slot].existed ? sibling(target, work) : null;
    return { target, staged, aside: sibling(target, work), existed: status !== undefined };
  });
  for (const folder of foldersOf(steps)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  writePendingRestore(targets.database, { phase: 'staging', steps });
  let isRecordNeeded = false;
  try {
    for (const [index, slot] of restored.entries()) {
      const staged = steps[index]?.staged;
      if (staged) await stage(join(directory, slot), staged, { slot, file: files[slot], work });
    }
    stopPoint('restore-staged');
    writePendingRestore(targets.database, { phase: 'moving', steps });
    stopPoint('restore-recorded');
    isRecordNeeded = true;
    swap(steps, () => {
      isRecordNeeded = false;
    });
    isRecordNeeded = false;
  } finally {
    // Where files could not be moved back, the record says where they are.
    if (!isRecordNeeded) {
      for (const { staged } of steps) if (staged !== null) rmSync(staged, { force: true });
      clearPendingRestore(targets.database);
    }
  }
  return { keptDataKey: !files.dataKey.existed && existsSync(targets.dataKey) };
}

interface Staging {
  readonly slot: Slot;
  readonly file: Manifest['files'][Slot];
  readonly work: Work;
}

async function stage(from: string, to: string, { slot, file, work }: Staging): Promise<void> {
  const damaged = () => new CommandError(`the ${slot} file of the database snapshot is damaged; nothing was changed`);
  const found = lstatSync(from, { throwIfNoEntry: false });
  if (!file.existed || !found?.isFile() || found.size !== file.size) throw damaged();
  const { size, sha256 } = await copy(from, to, work);
  if (size !== file.size || sha256 !== file.sha256) throw damaged();
  if (process.platform !== 'win32') chmodSync(to, file.mode ?? PRIVATE_FILE);
}

/** Removes the files of a snapshot only: a directory without a valid manifest is not touched. */
export function deleteSnapshot(directory: string): void {
  readManifest(directory);
  for (const slot of SLOTS) rmSync(join(directory, slot), { force: true });
  rmSync(join(directory, MANIFEST_NAME));
  try {
    rmdirSync(directory);
  } catch {
    throw new CommandError(`the database snapshot is deleted, but ${directory} contains other files and stays`);
  }
}

/** All or nothing. `undone` is called when a failure has changed nothing in the end. */
function swap(steps: readonly RestoreStep[], undone: () => void): void {
  const undo: (() => void)[] = [];
  try {
    for (const { target, aside, existed } of steps) {
      if (!existed) continue;
      moveAside(target, aside);
      undo.push(() => renameSync(aside, target));
      stopPoint('restore-aside');
    }
    for (const { target, staged } of steps) {
      if (staged === null) continue;
      renameSync(staged, target);
      undo.push(() => rmSync(target));
      stopPoint('restore-moved');
    }
    for (const folder of foldersOf(steps)) syncDirectory(folder);
  } catch (error) {
    for (const step of undo.reverse()) step();
    undone();
    throw error;
  }
  for (const { aside } of steps) rmSync(aside, { force: true });
}

function moveAside(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) !== 'EBUSY') throw error;
    throw new CommandError(
      `${from} is a mount point and cannot be replaced; nothing was changed. Mount its directory in place of the single file ` +
        `(-v DIRECTORY:${dirname(from)}), and restore again`,
    );
  }
}

function readManifest(directory: string): Manifest {
  const path = join(directory, MANIFEST_NAME);
  try {
    const status = lstatSync(path);
    // A pipe would wait for a writer.
    if (!status.isFile() || status.size > MANIFEST_BYTES) throw new Error('no manifest');
    return MANIFEST.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CommandError(`${directory} is not a database snapshot: it has no valid ${MANIFEST_NAME}`);
  }
}

async function copyIfPresent(from: string, to: string, work: Work): Promise<Manifest['files'][Slot]> {
  const status = lstatSync(from, { throwIfNoEntry: false });
  if (status === undefined) return { existed: false };
  if (!status.isFile()) throw new CommandError(`${from} is not a regular file`);
  return { existed: true, mode: status.mode & 0o777, ...(await copy(from, to, work)) };
}

/** Copies into a new private file, synced to disk on return. */
async function copy(from: string, to: string, work: Work): Promise<{ size: number; sha256: string }> {
  const target = await open(to, 'wx', PRIVATE_FILE);
  try {
    const result = await readThrough(from, work, (chunk) => writeAll(target, chunk));
    await target.sync();
    return result;
  } finally {
    await target.close();
  }
}

async function readThrough(
  path: string,
  work: Work,
  each: (chunk: Uint8Array) => Promise<void>,
): Promise<{ size: number; sha256: string }> {
  const source = await open(path, 'r');
  const hash = createHash('sha256');
  const buffer = new Uint8Array(CHUNK_BYTES);
  let size = 0;
  try {
    for (;;) {
      throwIfCancelled(work.signal);
      const { bytesRead } = await source.read(buffer, 0, CHUNK_BYTES, size);
      if (bytesRead === 0) return { size, sha256: hash.digest('hex') };
      const chunk = buffer.subarray(0, bytesRead);
      hash.update(chunk);
      await each(chunk);
      size += bytesRead;
    }
  } finally {
    await source.close();
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let written = 0;
  while (written < chunk.length) written += (await file.write(chunk, written, chunk.length - written)).bytesWritten;
}

function sibling(path: string, work: Work): string {
  return join(dirname(path), `.${basename(path)}.${Buffer.from(work.randomBytes(6)).toString('hex')}.tmp`);
}
