import { parseOptions } from '../../bench/options.ts';
import { runBench } from '../../bench/run.ts';
import { buildExecutable } from '../lib/build.ts';

// `npm run bench`: speed, memory and disk of the built executable; see bench/README.md.
const options = parseOptions(process.argv.slice(2));
process.env.MANAGER_BINARY = buildExecutable('dev');
// An interrupted run must not leave managers behind: they are ended when this process exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
await runBench(options);
process.exit(0);
