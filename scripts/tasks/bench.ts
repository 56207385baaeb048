import { baselineBuild, thisBuild } from '../../bench/lib/builds.ts';
import { MEASURES } from '../../bench/measures.ts';
import { parseOptions } from '../../bench/options.ts';
import { printMeasures } from '../../bench/print.ts';
import { runBench } from '../../bench/run.ts';
import { buildExecutable } from '../lib/build.ts';

// `npm run bench`: speed, memory and disk of the built executable; see bench/README.md.
const options = parseOptions(process.argv.slice(2));
if (options.list) {
  printMeasures(MEASURES);
  process.exit(0);
}
// An interrupted run must not leave managers behind: they end when this process exits.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));
const builds = [
  thisBuild(buildExecutable('dev')),
  ...(options.baseline === null ? [] : [baselineBuild(options.baseline)]),
];
process.exit((await runBench(builds, options)) ? 0 : 1);
