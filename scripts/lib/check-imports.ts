import { dirname, join, normalize } from 'node:path';
import { sourceFiles } from './source-files.ts';

/** Packages that may be imported from inside a package. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  server: ['core'],
  panel: ['core'],
  simulator: ['core'],
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'"\n]*?(?:from\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** True when packages import only in the agreed direction and no feature reads another one's store. */
export function checkImportDirections(): boolean {
  const problems: string[] = [];
  for (const file of sourceFiles()) {
    const owner = /^packages\/([^/]+)\//.exec(file.path)?.[1];
    if (!owner) continue;
    const isTest = /\.test\.tsx?$|\/testing(\/|\.ts$)/.test(file.path);
    for (const match of file.text.matchAll(IMPORT)) {
      const specifier = match[1] ?? match[2] ?? '';
      const problem = judge({ owner, path: file.path, specifier, isTest });
      if (problem) problems.push(`${file.path}: ${specifier}: ${problem}`);
    }
  }
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

function judge(use: { owner: string; path: string; specifier: string; isTest: boolean }): string | null {
  const { owner, path, specifier, isTest } = use;
  const other = /^@manager\/([^/]+)/.exec(specifier)?.[1];
  if (other) {
    if (other === owner || (ALLOWED[owner] ?? []).includes(other)) return null;
    return isTest && owner === 'server' && other === 'simulator' ? null : `${owner} may not import ${other}`;
  }
  if (owner === 'core' && !isTest && /^(node:|bun)/.test(specifier))
    return 'core is pure and imports no runtime module';
  if (!specifier.startsWith('.')) return null;
  const target = normalize(join(dirname(path), specifier)).replaceAll('\\', '/');
  const leaves = !target.startsWith(`packages/${owner}/`);
  if (leaves && !target.startsWith('packages/panel/dist/')) return 'leaves its package; import it by its package name';
  const feature = /\/features\/([^/]+)\//.exec(path)?.[1];
  const otherFeature = /\/features\/([^/]+)\/(store\.ts|queries\/)/.exec(target)?.[1];
  if (feature && otherFeature && feature !== otherFeature && !isTest)
    return `the store of ${otherFeature} belongs to that feature alone`;
  return null;
}
