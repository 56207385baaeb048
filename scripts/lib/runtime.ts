import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './project.ts';

/** Fetches a platform's runtime in the running version from its npm package; returns the path of the executable. */
export function fetchRuntime(os: 'linux' | 'darwin' | 'windows', runtimePackage: string): string {
  const version = Bun.version;
  const folder = join(ROOT, '.cache', 'runtimes', `${runtimePackage}-${version}`);
  const executable = join(folder, 'package', 'bin', os === 'windows' ? 'bun.exe' : 'bun');
  if (existsSync(executable)) return executable;
  mkdirSync(folder, { recursive: true });
  run(['npm', 'pack', '--silent', `@oven/${runtimePackage}@${version}`, '--pack-destination', folder]);
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  if (!archive) throw new Error(`no archive of ${runtimePackage}`);
  run(['tar', '-xzf', join(folder, archive), '-C', folder]);
  rmSync(join(folder, archive));
  return executable;
}
