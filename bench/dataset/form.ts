import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lib/paths.ts';

/** Sources that determine the bytes of a generated database. */
const SOURCES = [
  'packages/server/src/schema',
  'packages/server/src/events/detail',
  'packages/server/src/facts/segment',
  'packages/server/src/facts/sums',
  'packages/simulator/src/events',
  'test/support/traffic.ts',
  'bench/dataset/event-copies.ts',
  'bench/dataset/fact-copies.ts',
];

/** Changes with the stored formats and the generator, so that a database of another format is not reused. */
export function storedForm(): string {
  const hash = createHash('sha256');
  for (const source of SOURCES)
    for (const file of filesOf(join(ROOT, source)).toSorted()) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function filesOf(path: string): string[] {
  if (path.endsWith('.ts')) return [path];
  return readdirSync(path, { encoding: 'utf8', recursive: true })
    .filter((name) => /\.(?:ts|sql)$/.test(name) && !name.endsWith('.test.ts'))
    .map((name) => join(path, name));
}
