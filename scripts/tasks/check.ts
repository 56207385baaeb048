import { checkFileSizes } from '../lib/check-file-sizes.ts';
import { checkImportDirections } from '../lib/check-imports.ts';
import { BIN, tryRun } from '../lib/project.ts';

// `npm run check`: types, lint and format, dead code, import directions, file sizes. All are run; any finding fails.
const steps: readonly [name: string, check: () => boolean][] = [
  ['types', () => tryRun([`${BIN}/tsc`, '-p', 'tsconfig.json']) === 0],
  ['types of the panel', () => tryRun([`${BIN}/tsc`, '-p', 'packages/panel/tsconfig.json']) === 0],
  ['lint and format', () => tryRun([`${BIN}/biome`, 'check', '--error-on-warnings', '.']) === 0],
  ['dead code', () => tryRun([`${BIN}/knip`]) === 0],
  ['import directions', checkImportDirections],
  ['file sizes', checkFileSizes],
];

const failed = steps.filter(([name, check]) => {
  const ok = check();
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}`);
  return !ok;
});
process.exit(failed.length === 0 ? 0 : 1);
