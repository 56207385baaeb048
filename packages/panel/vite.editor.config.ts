import { defineConfig } from 'vite';
import { moduleList, TARGET } from './vite.shared.ts';

// The code editor: a file beside the panel, because few visits need it and it is a quarter of the panel's budget.
export default defineConfig({
  plugins: [moduleList('code-editor-modules.json')],
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    target: TARGET,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'src/code-editor/code-editor.ts',
      preserveEntrySignatures: 'strict',
      output: { format: 'es', entryFileNames: 'code-editor.js' },
    },
  },
});
