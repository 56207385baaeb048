import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { errorCode } from '../../platform/files/held-files.ts';
import type { RandomBytes } from '../../platform/secrets/admin-key.ts';
import { CommandError, throwIfCancelled } from './command.ts';

const SLOTS = ['database', 'wal', 'shm', 'journal', 'dataKey'] as const;
type Slot = (typeof SLOTS)[number];

/** Live path of each file that a snapshot covers. */
export type SnapshotTargets = Readonly<Record<Slot, string>>;

interface Work {
  readonly signal: AbortSignal;
  readonly randomBytes: RandomBytes;
}

const FILE = z.union([
  z.object({ existed: z.literal(false) }),
  z.object({
    existed: z.literal(true),
    mode: z.int().nonnegative().optional(),
    size: z.int().nonnegative(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
  }),
]);
const MANIFEST = z.object({
  version: z.literal(1),
  files: z.object({ database: FILE, wal: FILE, shm: FILE, journal: FILE, dataKey: FILE }),
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
    await syncDirectory(temporary);
    renameSync(temporary, directory);
    await syncDirectory(dirname(directory));
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Restores every file of the snapshot. Everything is verified and staged next to its target before the first live file
 * moves; any failure moves all of them back.
 */
export async function restoreSnapshot(directory: string, targets: SnapshotTargets, work: Work): Promise<void> {
  const { files } = readManifest(directory);
  await verify(directory, files, work);
  const staged = new Map<Slot, string>();
  try {
    for (const slot of SLOTS) {
      const file = files[slot];
      if (!file.existed) continue;
      mkdirSync(dirname(targets[slot]), { recursive: true, mode: 0o700 });
      const path = sibling(targets[slot], work);
      staged.set(slot, path);
      await copy(join(directory, slot), path, work);
      if (process.platform !== 'win32') chmodSync(path, file.mode ?? PRIVATE_FILE);
    }
    swap(targets, staged, work);
    for (const folder of new Set(SLOTS.map((slot) => dirname(targets[slot])))) await syncDirectory(folder);
  } finally {
    for (const path of staged.values()) rmSync(path, { force: true });
  }
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

function swap(targets: SnapshotTargets, staged: ReadonlyMap<Slot, string>, work: Work): void {
  const undo: (() => void)[] = [];
  const aside: string[] = [];
  try {
    for (const slot of SLOTS) {
      const status = lstatSync(targets[slot], { throwIfNoEntry: false });
      if (status === undefined) continue;
      if (!status.isFile()) throw new CommandError(`${targets[slot]} is not a regular file; nothing was changed`);
      const path = sibling(targets[slot], work);
      moveAside(targets[slot], path);
      undo.push(() => renameSync(path, targets[slot]));
      aside.push(path);
    }
    for (const [slot, path] of staged) {
      renameSync(path, targets[slot]);
      undo.push(() => rmSync(targets[slot]));
    }
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
  for (const path of aside) rmSync(path, { force: true });
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

async function verify(directory: string, files: Manifest['files'], work: Work): Promise<void> {
  for (const slot of SLOTS) {
    const file = files[slot];
    if (!file.existed) continue;
    const path = join(directory, slot);
    const found = lstatSync(path, { throwIfNoEntry: false });
    const intact = found?.isFile() && found.size === file.size && (await hashFile(path, work)) === file.sha256;
    if (!intact) throw new CommandError(`the ${slot} file of the database snapshot is damaged; nothing was changed`);
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

async function hashFile(path: string, work: Work): Promise<string> {
  return (await readThrough(path, work, async () => undefined)).sha256;
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

async function syncDirectory(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
