import { statSync } from 'node:fs';
import { buildExecutable, buildVersion } from '../lib/build.ts';
import { checkPanelSize } from '../lib/panel-size.ts';

// `npm run build`: dist/manager-server for this platform, panel and workers inside.
const outfile = buildExecutable(buildVersion());
checkPanelSize();
console.log(`${outfile} (${(statSync(outfile).size / 1e6).toFixed(0)} MB)`);
