import { join } from 'node:path';
import { buildPanel } from '../lib/build.ts';
import { ADMIN_KEY, startDemoSite } from '../lib/demo-site.ts';
import { BIN, ROOT } from '../lib/project.ts';

// `npm run dev`: the demo's manager and gateway, and the panel from source with hot reload. Arguments go to Vite.
buildPanel();
const site = await startDemoSite();
const managerUrl = await site.managerUrl;
console.log(`\n  Manager:    ${managerUrl} (restart to load a change of the server)\n  Admin key:  ${ADMIN_KEY}\n`);
const vite = Bun.spawn([`${BIN}/vite`, ...process.argv.slice(2)], {
  cwd: join(ROOT, 'packages/panel'),
  env: { ...process.env, MANAGER_URL: managerUrl },
  stdin: 'ignore',
  stdout: 'inherit',
  stderr: 'inherit',
});
void vite.exited.then(site.stop);
const code = await site.ended;
vite.kill();
process.exit(code);
