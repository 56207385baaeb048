import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { WORKER_ENTRIES } from '../../packages/server/src/workers/entries.ts';
import {
  DIST,
  EDITOR_FILE,
  isNewer,
  NOTICES,
  PAGE_FILE,
  PAGES_FILE,
  PANEL,
  PANEL_FILE,
  PANEL_MODULES,
  ROOT,
  run,
  SCRIPT_FILE,
  SERVER,
} from './project.ts';

const SERVER_SOURCES = ['packages/server/src', 'packages/core/src'].map((path) => join(ROOT, path));

/** Builds what the server embeds: the panel and the license notices. Does nothing when both are up to date. */
export function buildPanel(): void {
  buildPage();
  buildNotices();
}

/** The panel as one file and as page and script, and the two files that it loads when it needs them, with compressed variants. */
function buildPage(): void {
  const sources = [
    join(PANEL, 'src'),
    ...['vite.config.ts', 'vite.editor.config.ts', 'vite.pages.config.ts', 'vite.shared.ts', 'management.html'].map(
      (name) => join(PANEL, name),
    ),
    join(ROOT, 'packages/core/src'),
  ];
  if (isNewer(`${PANEL_FILE}.br`, ...sources, join(ROOT, 'package-lock.json'))) return;
  console.error('Building the panel …');
  const vite = [process.execPath, join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
  // First, because the page names their digests.
  for (const config of ['vite.editor.config.ts', 'vite.pages.config.ts'])
    run([...vite, '--config', config], { cwd: PANEL });
  run(vite, { cwd: PANEL });
  for (const file of [PAGE_FILE, SCRIPT_FILE]) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  // The whole panel is compressed to know its size, and last: the others are up to date when it is.
  for (const file of [EDITOR_FILE, PAGES_FILE, PAGE_FILE, SCRIPT_FILE, PANEL_FILE]) compress(file);
}

function compress(file: string): void {
  const bytes = readFileSync(file);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: quality }));
}

/** License notices of what the bundlers include; the executable contains them. */
function buildNotices(): void {
  const scripts = ['scripts/lib', 'scripts/licenses', 'LICENSE', 'package-lock.json'].map((path) => join(ROOT, path));
  if (isNewer(`${NOTICES}.br`, ...SERVER_SOURCES, ...scripts, ...PANEL_MODULES)) return;
  run([process.execPath, join(ROOT, 'scripts/tasks/notices.ts')]);
}

/** Compiles the server with panel and workers into one executable. */
export function compileServer(options: {
  readonly outfile: string;
  readonly version: string;
  readonly target?: string;
  /** Runtime of the target platform; default: the running one. */
  readonly runtime?: string;
  /** For the fault tests: enables stop points, which the product does not have. */
  readonly stopPoints?: boolean;
}): void {
  run([
    process.execPath,
    'build',
    '--compile',
    // Without bytecode the start takes twice as long.
    '--bytecode',
    '--format=esm',
    '--minify',
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--define=MANAGER_VERSION=${JSON.stringify(options.version)}`,
    ...(options.stopPoints === true ? [] : ['--define=MANAGER_STOP_POINTS=false']),
    ...(options.target ? [`--target=${options.target}`] : []),
    ...(options.runtime ? [`--compile-executable-path=${options.runtime}`] : []),
    // Workers are found by their path below this folder; by default the build may choose another one.
    `--root=${SERVER}`,
    join(SERVER, 'main.ts'),
    ...WORKER_ENTRIES.map((entry) => join(SERVER, entry)),
    '--outfile',
    options.outfile,
  ]);
}

const EXECUTABLE = process.platform === 'win32' ? 'manager-server.exe' : 'manager-server';

/** Builds panel and executable of this platform unless they are newer than their sources. */
export function buildExecutable(version: string): string {
  return build(join(DIST, EXECUTABLE), version, false);
}

/** The same with stop points, for the fault tests: a start from source takes twice the processor time. */
export function buildStoppingExecutable(): string {
  return build(join(DIST, 'stopping', EXECUTABLE), 'dev', true);
}

/** Bundles the workers for tests that run from source; returns their folder. */
export function buildTestWorkers(): string {
  const folder = join(DIST, 'test-workers');
  const entries = WORKER_ENTRIES.map((entry) => join(SERVER, entry));
  if (
    !isNewer(join(folder, 'workers', 'writer.js'), ...SERVER_SOURCES, join(ROOT, 'package-lock.json'), import.meta.path)
  ) {
    const form = ['--target=bun', '--format=cjs', '--bytecode', `--root=${SERVER}`, `--outdir=${folder}`];
    run([process.execPath, 'build', ...form, ...entries]);
  }
  return folder;
}

function build(outfile: string, version: string, stopPoints: boolean): string {
  buildPanel();
  if (
    !isNewer(outfile, ...SERVER_SOURCES, PANEL_FILE, `${NOTICES}.br`, join(ROOT, 'package-lock.json'), import.meta.path)
  ) {
    console.error('Compiling the server …');
    compileServer({ outfile, version, stopPoints });
  }
  return outfile;
}

/** `MANAGER_VERSION` when a release sets it, else `dev`. */
export function buildVersion(): string {
  return process.env.MANAGER_VERSION?.trim() || 'dev';
}
