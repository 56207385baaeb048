import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '..', '..');
export const BENCH = join(ROOT, 'bench');
export const OUT = join(BENCH, 'out');

/** A new folder on the disk of the databases: the machine's temporary folder may be in memory. */
export function workFolder(): string {
  mkdirSync(OUT, { recursive: true });
  return mkdtempSync(join(OUT, 'work-'));
}
