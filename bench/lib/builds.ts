import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { storedForm } from '../dataset/form.ts';
import { OUT, ROOT } from './paths.ts';

/** A clone and the fingerprint of its formats: each clone writes its own databases, because stored formats differ. */
export interface Clone {
  readonly label: 'this' | 'baseline';
  readonly root: string;
  /** The pinned runtime of the clone. */
  readonly runtime: string;
  /** Changes with the bytes stored for the same events. */
  readonly form: string;
}

export interface Build extends Clone {
  readonly executable: string;
}

export function thisClone(): Clone {
  return { label: 'this', root: ROOT, runtime: process.execPath, form: storedForm() };
}

export function thisBuild(executable: string): Build {
  return { ...thisClone(), executable: copied(executable, 'manager-server') };
}

/** Another clone, of any commit whose bench has the same drivers; see `runDriver` and `copiesOf`. */
export function baselineBuild(folder: string): Build {
  const root = resolve(folder);
  const built = join(root, 'dist/manager-server');
  const runtime = join(root, 'node_modules/.bin/bun');
  for (const path of [built, runtime])
    if (!existsSync(path)) throw new Error(`${path} is missing: run \`npm run build\` in ${root}`);
  const form = createHash('sha256').update(readFileSync(built)).digest('hex').slice(0, 12);
  return { label: 'baseline', root, runtime, form, executable: copied(built, 'manager-server-baseline') };
}

/** A rebuild during the run must not change what is measured. */
function copied(executable: string, name: string): string {
  mkdirSync(OUT, { recursive: true });
  const path = join(OUT, name);
  copyFileSync(executable, path);
  return path;
}
