/** One layer of a package: a folder or a file, by path from the package's `src`. */
interface Layer {
  readonly name: string;
  readonly paths: readonly string[];
}

export interface PackageLayers {
  /** From the lowest to the highest: a layer imports, types included, from itself and from those before it. */
  readonly layers: readonly Layer[];
  /** Folders whose sub-folders never import each other. */
  readonly apart: readonly string[];
}

/** Packages with layers. */
export const LAYERS: Readonly<Record<string, PackageLayers>> = {
  core: {
    layers: [
      { name: 'json', paths: ['json/'] },
      { name: 'csv', paths: ['csv/'] },
      { name: 'redaction', paths: ['redaction/'] },
      { name: 'contract', paths: ['contract/'] },
      { name: 'masking', paths: ['masking/'] },
      { name: 'time', paths: ['time/'] },
      { name: 'forecast', paths: ['forecast/'] },
      { name: 'budgets', paths: ['budgets/'] },
      { name: 'usage', paths: ['usage/'] },
      { name: 'pricing', paths: ['pricing/'] },
      { name: 'accounts', paths: ['accounts/'] },
    ],
    apart: [],
  },
  server: {
    layers: [
      { name: 'platform', paths: ['platform/'] },
      { name: 'sqlite', paths: ['sqlite/'] },
      { name: 'facts', paths: ['facts/'] },
      { name: 'schema', paths: ['schema/'] },
      { name: 'events', paths: ['events/'] },
      { name: 'gateway', paths: ['gateway/'] },
      { name: 'http', paths: ['http/'] },
      { name: 'features', paths: ['features/'] },
      { name: 'workers', paths: ['workers/'] },
      { name: 'app', paths: ['app/', 'main.ts'] },
    ],
    apart: ['features/'],
  },
  panel: {
    layers: [
      { name: 'code-editor', paths: ['code-editor/'] },
      { name: 'platform', paths: ['platform/'] },
      { name: 'ui', paths: ['ui/'] },
      { name: 'features', paths: ['features/'] },
      { name: 'manager-pages', paths: ['manager-pages/'] },
      { name: 'shell', paths: ['shell/'] },
      { name: 'main', paths: ['main.tsx', 'environment.d.ts'] },
    ],
    apart: ['features/'],
  },
};
