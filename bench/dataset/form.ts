import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BENCH } from '../lib/paths.ts';

/** Sources that decide what the bytes of a generated database look like. */
const SOURCES = [
  '../packages/server/src/events/detail',
  '../packages/server/src/facts/segment',
  '../packages/simulator/src/events',
  'dataset/events.ts',
];

/**
 * Changes with the stored formats and the generator, so that a database of another form is not taken. An older schema is
 * none: such a database is brought up to date as an operator's is.
 *
 * @param more further sources that decide, relative to this package
 */
export function storedForm(more: readonly string[] = []): string {
  const hash = createHash('sha256');
  for (const source of [...SOURCES, ...more])
    for (const file of filesOf(join(BENCH, source))) hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 12);
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(path, name));
}
