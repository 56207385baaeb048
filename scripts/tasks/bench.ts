import { parseOptions } from '../../bench/options.ts';
import { runBench } from '../../bench/run.ts';
import { buildExecutable } from '../lib/build.ts';

// `npm run bench`: speed, memory and disk of the built executable; see bench/README.md.
const options = parseOptions(process.argv.slice(2));
process.env.MANAGER_BINARY = buildExecutable('dev');
await runBench(options);
process.exit(0);
