import { randomUUID } from 'node:crypto';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
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
  const { bavail, bsize } = statfsSync(folder);
  try {
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - freeBytes)));
  } catch {
    // The last block may be unavailable; what was written fills the volume.
  }
  return () => rmSync(filler, { force: true });
}
