import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dir, '..', '..');
export const BIN = join(ROOT, 'node_modules', '.bin');
export const DIST = join(ROOT, 'dist');
export const PANEL = join(ROOT, 'packages', 'panel');
/** The whole panel in one file. */
export const PANEL_FILE = join(PANEL, 'dist', 'management.html');
/** The same as a manager serves it: a page and its script. */
export const PAGE_FILE = join(PANEL, 'dist', 'page.html');
export const SCRIPT_FILE = join(PANEL, 'dist', 'panel.js');
/** The code editor, which the panel loads when it needs it. */
export const EDITOR_FILE = join(PANEL, 'dist', 'code-editor.js');
/** Pages that only a manager has, likewise. */
export const PAGES_FILE = join(PANEL, 'dist', 'manager-pages.js');
/** Written beside them: the paths of the modules inside. */
export const PANEL_MODULES = ['modules.json', 'code-editor-modules.json', 'manager-pages-modules.json'].map((name) =>
  join(PANEL, 'dist', name),
);
export const SERVER = join(ROOT, 'packages', 'server', 'src');
/** License notices of everything inside the executable. */
export const NOTICES = join(ROOT, 'packages', 'server', 'dist', 'THIRD_PARTY_NOTICES');

/** Runs a command with inherited output; ends this process when it fails. */
export function run(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
) {
  const status = tryRun(command, options);
  if (status !== 0) process.exit(status);
}

/** Runs a command with inherited output and returns its exit code. */
export function tryRun(
  command: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): number {
  const [file = '', ...args] = command;
  const result = spawnSync(file, args, {
    cwd: options.cwd ?? ROOT,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return result.status ?? 1;
}

/** Newest modification time below the given files and folders, build products excluded. */
function newestChange(...paths: readonly string[]): number {
  let newest = 0;
  for (const path of paths) {
    if (!existsSync(path)) continue;
    const stat = statSync(path);
    if (!stat.isDirectory()) {
      newest = Math.max(newest, stat.mtimeMs);
      continue;
    }
    for (const name of readdirSync(path)) {
      if (name === 'node_modules' || name === 'dist') continue;
      newest = Math.max(newest, newestChange(join(path, name)));
    }
  }
  return newest;
}

export function isNewer(product: string, ...sources: readonly string[]): boolean {
  return existsSync(product) && statSync(product).mtimeMs >= newestChange(...sources);
}
