import { copyFileSync, cpSync } from 'node:fs';
import { basename, join } from 'node:path';
import { NOTICES, ROOT } from './project.ts';

/** Copies what a release archive contains beside the executable. */
export function copyDocuments(folder: string): void {
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md']) copyFileSync(join(ROOT, file), join(folder, file));
  copyFileSync(NOTICES, join(folder, basename(NOTICES)));
  cpSync(join(ROOT, 'docs'), join(folder, 'docs'), { recursive: true });
}
