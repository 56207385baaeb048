import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import reactPlugin from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { isSharedSource, moduleList, namedJsx, SHARED_NAMES, SHARED_OBJECT, TARGET } from './vite.shared.ts';

const SOURCES = fileURLToPath(new URL('./src', import.meta.url));
const FILE = fileURLToPath(new URL('./dist/manager-pages.js', import.meta.url));
const SHARED = 'shared:';

/** The name of a module that the page has as well; null = it has not. Of a package the name that is imported: the page resolves it again. */
function sharedName(id: string, source: string): string | null {
  const own = relative(SOURCES, id);
  if (isSharedSource(own)) return own;
  return id.includes('/node_modules/') ? source : null;
}

/** Leaves shared modules out of the file; their imports become members of an object that the page has. */
function sharedModules(): Plugin {
  return {
    name: 'shared-modules',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (importer === undefined || source.startsWith(SHARED)) return null;
      const found = await this.resolve(source, importer, { ...options, skipSelf: true });
      const name = found === null ? null : sharedName(found.id, source);
      return name === null ? found : { id: SHARED + name, external: true };
    },
    closeBundle() {
      const names: Record<string, string[]> = {};
      const code = readFileSync(FILE, 'utf8').replaceAll(
        /import\s*\{([^}]*)\}\s*from\s*["']shared:([^"']+)["'];?/g,
        (_, list: string, module: string) => {
          const members = list.split(',').map((member) => member.trim().split(/\s+as\s+/));
          names[module] = [...new Set([...(names[module] ?? []), ...members.map(([name = '']) => name)])].sort();
          return `const{${members.map(([name, own]) => (own === undefined ? name : `${name}:${own}`)).join()}}=${SHARED_OBJECT}[${JSON.stringify(module)}];`;
        },
      );
      if (code.includes(SHARED)) throw new Error('an import of a shared module has another form');
      writeFileSync(FILE, code);
      writeFileSync(SHARED_NAMES, JSON.stringify(names, null, 1));
    },
  };
}

// Pages that only a manager has: a file beside the panel, because few visits need them.
export default defineConfig({
  plugins: [sharedModules(), namedJsx(), reactPlugin(), moduleList('manager-pages-modules.json')],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: TARGET,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'src/manager-pages/manager-pages.ts',
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: 'manager-pages.js', comments: false },
    },
  },
});
