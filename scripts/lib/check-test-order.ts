import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LONG_FILES, MEASURING_FILES, WAITING_FILES } from './long-test-files.ts';
import { ROOT } from './project.ts';

/** True when every file that has a place of its own in the queue of tests exists: a moved one would lose it unnoticed. */
export function checkTestOrder(): boolean {
  const missing = [...LONG_FILES, ...WAITING_FILES, ...MEASURING_FILES].filter((path) => !existsSync(join(ROOT, path)));
  for (const path of missing) console.error(`scripts/lib/long-test-files.ts: ${path} does not exist`);
  return missing.length === 0;
}
