// A process that collects until it is killed; started by `crash.test.ts`.
import type { CollectorMode } from '../../platform/config/config.ts';
import { startProcess } from './testing.ts';
import { DEFAULT_TIMING } from './timing.ts';

const [url = '', directory = '', databasePath = '', mode = 'auto'] = process.argv.slice(2);

const started = await startProcess({
  files: { directory, databasePath, remove: () => {} },
  connection: { baseUrl: url, managementKey: 'sim-management-key' },
  mode: mode as CollectorMode,
  settings: { pollIntervalMs: 500 },
  timing: { ...DEFAULT_TIMING },
});
await started.start();
console.log('started');
process.on('SIGTERM', async () => {
  await started.end();
  process.exit(0);
});
setInterval(() => {}, 60_000);
