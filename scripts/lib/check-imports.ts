import { dirname, join, normalize } from 'node:path';
import { LAYERS } from './layers.ts';
import { sourceFiles } from './source-files.ts';

/** Packages that may be imported from inside a package. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  core: [],
  server: ['core'],
  panel: ['core'],
  simulator: ['core'],
};

const IMPORT = /(?:^|\n)\s*(?:import|export)\b[^'"\n]*?(?:from\s*)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g;

/** True when every import goes in the allowed direction and no files import each other in a circle. */
export function checkImportDirections(): boolean {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const file of sourceFiles()) {
    const owner = /^packages\/([^/]+)\//.exec(file.path)?.[1];
    if (!owner) continue;
    const isTest = /\.test\.tsx?$|\/testing(\/|\.tsx?$)/.test(file.path);
    const targets: string[] = [];
    for (const match of file.text.matchAll(IMPORT)) {
      const specifier = match[1] ?? match[2] ?? '';
      const target = targetOf(file.path, specifier);
      if (target !== null) targets.push(target);
      const problem = judge({ owner, path: file.path, specifier, target, isTest });
      if (problem) problems.push(`${file.path}: ${specifier}: ${problem}`);
    }
    graph.set(file.path, targets);
  }
  problems.push(...circlesOf(graph).map((files) => `files import each other in a circle: ${files.join(', ')}`));
  for (const problem of problems) console.error(problem);
  return problems.length === 0;
}

/** Path of the imported file from the repository root; null for imports of packages. */
function targetOf(path: string, specifier: string): string | null {
  return specifier.startsWith('.') ? normalize(join(dirname(path), specifier)).replaceAll('\\', '/') : null;
}

interface Import {
  readonly owner: string;
  readonly path: string;
  readonly specifier: string;
  readonly target: string | null;
  readonly isTest: boolean;
}

function judge({ owner, path, specifier, target, isTest }: Import): string | null {
  const other = /^@manager\/([^/]+)/.exec(specifier)?.[1];
  if (other) {
    if (other === owner || (ALLOWED[owner] ?? []).includes(other)) return null;
    return isTest && owner === 'server' && other === 'simulator' ? null : `${owner} may not import ${other}`;
  }
  if (owner === 'core' && !isTest && /^(node:|bun)/.test(specifier))
    return 'core is pure and imports no runtime module';
  if (target === null) return null;
  const leaves = !target.startsWith(`packages/${owner}/`);
  if (leaves && !target.startsWith('packages/panel/dist/')) return 'leaves its package; import it by its package name';
  // Tests may import what they need.
  return isTest || leaves ? null : judgeLayers(owner, path, target);
}

function judgeLayers(owner: string, path: string, target: string): string | null {
  const rules = LAYERS[owner];
  const source = `packages/${owner}/src/`;
  if (rules === undefined || !path.startsWith(source) || !target.startsWith(source)) return null;
  const [from, to] = [path.slice(source.length), target.slice(source.length)];
  const rankOf = (file: string) => rules.layers.findIndex(({ paths }) => paths.some((start) => file.startsWith(start)));
  const [low, high] = [rankOf(from), rankOf(to)];
  if (low < 0) return `lies in no layer of ${owner}; see scripts/lib/layers.ts`;
  if (high > low) return `${rules.layers[low]?.name} may not import ${rules.layers[high]?.name}, which is above it`;
  for (const folder of rules.apart) {
    if (!from.startsWith(folder) || !to.startsWith(folder)) continue;
    const part = (file: string) => file.slice(folder.length).split('/')[0];
    if (part(from) !== part(to))
      return `${folder}${part(to)} is another feature; what both need belongs below ${folder}`;
  }
  return null;
}

/** Groups of files that import each other, directly or not (Tarjan's strongly connected components). */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];

  function visit(file: string): void {
    order.set(file, order.size);
    lowest.set(file, order.size - 1);
    open.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!graph.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) {
        lowest.set(file, Math.min(lowest.get(file) ?? 0, lowest.get(target) ?? 0));
      }
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = open.splice(open.indexOf(file));
    if (circle.length > 1 || graph.get(file)?.includes(file)) circles.push(circle);
  }

  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
