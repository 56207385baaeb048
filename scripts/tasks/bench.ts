import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { OUT } from '../../bench/lib/paths.ts';
import { parseOptions } from '../../bench/options.ts';
import { runBench } from '../../bench/run.ts';
import { buildExecutable } from '../lib/build.ts';

// `npm run bench`: speed, memory and disk of the built executable; see bench/README.md.
const options = parseOptions(process.argv.slice(2));
// A copy: a build meanwhile must not change what is measured.
const executable = join(OUT, 'manager-server');
mkdirSync(OUT, { recursive: true });
copyFileSync(buildExecutable('dev'), executable);
process.env.MANAGER_BINARY = executable;
// An interrupted run must not leave managers behind: they are ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
await runBench(options);
process.exit(0);
