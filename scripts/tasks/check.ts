import { checkErrors } from '../lib/check-errors.ts';
import { checkFileSizes } from '../lib/check-file-sizes.ts';
import { checkImportDirections } from '../lib/check-imports.ts';
import { checkTestOrder } from '../lib/check-test-order.ts';
import { BIN, ROOT } from '../lib/project.ts';

// `npm run check`: types, lint and format, dead code, import directions, errors, file sizes, order of tests. All run at once; any finding fails.
const tool = (...command: readonly string[]) => runTool(command);
const steps: readonly [name: string, check: () => Promise<boolean> | boolean][] = [
  ['types', () => tool('tsc', '-p', 'tsconfig.json')],
  ['types of the panel', () => tool('tsc', '-p', 'packages/panel/tsconfig.json')],
  ['lint and format', () => tool('biome', 'check', '--error-on-warnings', '.')],
  ['dead code', () => tool('knip')],
  ['import directions', checkImportDirections],
  ['errors', checkErrors],
  ['file sizes', checkFileSizes],
  ['order of tests', checkTestOrder],
];

const results = await Promise.all(
  steps.map(async ([name, check]) => {
    const ok = await check();
    console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}`);
    return ok;
  }),
);
process.exit(results.every(Boolean) ? 0 : 1);

/** Prints output in one piece, since several tools run at once. */
async function runTool([name = '', ...args]: readonly string[]): Promise<boolean> {
  const child = Bun.spawn([`${BIN}/${name}`, ...args], { cwd: ROOT, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
  const texts = await Promise.all([child.stdout.text(), child.stderr.text()]);
  const ok = (await child.exited) === 0;
  if (!ok) process.stdout.write(texts.join(''));
  return ok;
}
