import { fileURLToPath } from 'node:url';
import type { Plugin, Rollup } from 'vite';

export const TARGET = ['chrome120', 'firefox121', 'safari17'];

/** Names that the pages of the manager import, by module. */
export const SHARED_NAMES = fileURLToPath(new URL('./dist/manager-pages-imports.json', import.meta.url));
/** Where the page puts them. */
export const SHARED_OBJECT = 'globalThis.panelModules';

const JSX_RUNTIME = fileURLToPath(new URL('./src/jsx-runtime.ts', import.meta.url));

/** Whether a file below `src` is one that the pages of the manager share with the page: its layers below the features. */
export const isSharedSource = (path: string): boolean => /^(?:ui|platform)\//.test(path) || path === 'jsx-runtime.ts';

/** Calls of `jsx` by a name of its own: 45 kB less than through the object of a CommonJS module. */
export function namedJsx(): Plugin {
  return {
    name: 'named-jsx',
    enforce: 'pre',
    apply: 'build',
    resolveId: (source, importer) => (source === 'react/jsx-runtime' && importer !== JSX_RUNTIME ? JSX_RUNTIME : null),
  };
}

/** Modules of workers, which are bundled apart and then part of the page as texts. */
const inWorkers = new Set<string>();

/** Notes the modules of a worker, for `moduleList`. */
export function workerModules(): Plugin {
  return {
    name: 'worker-modules',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        for (const path of includedModules(bundle)) inWorkers.add(path);
      },
    },
  };
}

/** Lists the modules of a built file, for their license notices. */
export function moduleList(fileName: string): Plugin {
  return {
    name: 'module-list',
    generateBundle: {
      order: 'pre',
      handler(_options, bundle) {
        const styles = [...this.getModuleIds()].filter((id) => id.endsWith('.css'));
        const paths = [...new Set([...includedModules(bundle), ...inWorkers, ...styles])].sort();
        this.emitFile({ type: 'asset', fileName, source: JSON.stringify(paths, null, 1) });
      },
    },
  };
}

function includedModules(bundle: Rollup.OutputBundle): string[] {
  return Object.values(bundle)
    .flatMap((part) =>
      part.type === 'chunk' ? Object.entries(part.modules).filter(([, { code }]) => code !== null) : [],
    )
    .map(([path]) => path);
}
