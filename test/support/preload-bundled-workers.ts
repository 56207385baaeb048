import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

// `npm test` bundles the workers of the server once: hundreds of tests start some, and loading each module anew takes most of their
// time. Without the folder, as in `bun test <file>`, workers start from source.
const folder = process.env.MANAGER_TEST_WORKERS;
const SERVER = join(import.meta.dir, '..', '..', 'packages', 'server', 'src');

function bundled(entry: string | URL): string | URL {
  if (folder === undefined || !(entry instanceof URL) || entry.protocol !== 'file:') return entry;
  const file = join(folder, relative(SERVER, fileURLToPath(entry)).replace(/\.ts$/, '.js'));
  return existsSync(file) ? file : entry;
}

if (folder !== undefined) {
  globalThis.Worker = class extends Worker {
    constructor(entry: string | URL, options?: WorkerOptions) {
      super(bundled(entry), options);
    }
  };
}
