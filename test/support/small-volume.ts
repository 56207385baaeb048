import { randomUUID } from 'node:crypto';
import { appendFileSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './manager-process.ts';

/** A small volume that can be filled. */
export function mountSmallVolume(megabytes: number): { readonly folder: string; unmount(): void } {
  const folder = temporaryFolder();
  const mounted = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', folder]);
  if (mounted.exitCode !== 0) throw new Error(`a small volume is needed (root): ${mounted.stderr.toString()}`);
  return {
    folder,
    unmount() {
      Bun.spawnSync(['umount', '-l', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Takes every free byte but some; returns how to release them. */
export function fillVolume(folder: string, freeBytes = 0): () => void {
  const filler = join(folder, `filler-${randomUUID()}`);
  // The size of the free space is old when somebody else writes: the volume may be full before, or have room after the last byte.
  let tries = 0;
  for (let free = freeBytesOf(folder); free > freeBytes; free = freeBytesOf(folder)) {
    tries += 1;
    if (tries > 1_000) throw new Error(`${free} bytes of the volume stay free`);
    try {
      appendFileSync(filler, Buffer.alloc(free - freeBytes));
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
    }
  }
  return () => rmSync(filler, { force: true });
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function isOutOfSpace(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}
