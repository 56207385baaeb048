import type { Plugin, Rollup } from 'vite';

export const TARGET = ['chrome120', 'firefox121', 'safari17'];

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
