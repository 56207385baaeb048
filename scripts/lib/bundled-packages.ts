import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKER_ENTRIES } from '../../packages/server/src/workers/entries.ts';
import { PANEL_MODULES, ROOT, SERVER } from './project.ts';

/** An npm package with code in the executable or in the panel. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression. */
  readonly license: string;
  /** Its license and notice files, in one text. */
  readonly text: string;
}

/** Licenses that allow what we do with code in an executable: a notice is all they ask for. */
const ALLOWED = [
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Zlib',
  'CC0-1.0',
  'Unlicense',
];

/** Texts for packages that state their license, but come without it. */
const TEXTS = join(ROOT, 'scripts', 'licenses', 'packages');

/** Every package of which the bundlers really put code into the executable or the panel. */
export async function bundledPackages(): Promise<BundledPackage[]> {
  const folders = packageFolders([...(await serverModules()), ...panelModules()]);
  return folders.map(readPackage).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** As the compiler bundles it; embedded files are left out. */
async function serverModules(): Promise<string[]> {
  const { metafile } = await Bun.build({
    entrypoints: ['main.ts', ...WORKER_ENTRIES].map((entry) => join(SERVER, entry)),
    root: SERVER,
    target: 'bun',
    minify: true,
    metafile: true,
    external: ['*.html', '*.br', '*.gz'],
  });
  const outputs = Object.values(metafile?.outputs ?? {});
  if (outputs.length === 0) throw new Error('the bundler does not say what it includes');
  return outputs.flatMap(({ inputs }) =>
    Object.entries(inputs)
      .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
      .map(([path]) => path),
  );
}

/** Written by the build of the panel. */
function panelModules(): string[] {
  return PANEL_MODULES.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as string[]);
}

/** @example packageFolders(['node_modules/a/x.js', '/work/node_modules/@b/c/y.js']) // ['…/node_modules/@b/c', '…/node_modules/a'] */
function packageFolders(modules: readonly string[]): string[] {
  const folders = modules.flatMap((path) => {
    // Helpers that the bundler of the panel adds.
    if (path.startsWith('\0rolldown/')) return [join(ROOT, 'node_modules', 'rolldown')];
    const inside = /^(.*[\\/]|)node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)/.exec(path);
    if (inside === null) return [];
    const [, before = '', name = ''] = inside;
    return [join(before === '' ? ROOT : before, 'node_modules', name)];
  });
  return [...new Set(folders)];
}

/** @throws Error that names the package, when its license is not allowed or its text is missing. */
export function readPackage(folder: string): BundledPackage {
  const { name, version, license }: { name: string; version: string; license?: string } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  if (!isAllowed(license ?? ''))
    throw new Error(`${name} ${version} is in the executable, but its license is not allowed: ${license ?? 'none'}`);
  const files = readdirSync(folder).filter((file) =>
    /^(?:licen[cs]e|copying|notice)(?:\.(?:md|txt))?(?:-[\w.-]+)?$/i.test(file),
  );
  const text = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const own = join(TEXTS, `${name.replace('/', '+')}.txt`);
  if (text.length === 0 && existsSync(own)) text.push(readFileSync(own, 'utf8').trim());
  if (text.join('') === '') throw new Error(`${name} ${version} is in the executable, but has no license text`);
  return { name, version, license: license ?? '', text: text.join('\n\n') };
}

/** One side of an OR is enough; AND needs both. */
function isAllowed(expression: string): boolean {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(/ OR /);
  return choices.some((choice) => choice.split(/ AND /).every((license) => ALLOWED.includes(license.trim())));
}
