import { join } from 'node:path';
import { buildPanel } from '../lib/build.ts';
import { ROOT } from '../lib/project.ts';
import { becomeServer } from '../lib/server-process.ts';

// `npm start`: the server from source, with the panel built when needed. Arguments go to the server's command line.
buildPanel();
await becomeServer([join(ROOT, 'packages/server/src/main.ts'), ...process.argv.slice(2)]);
