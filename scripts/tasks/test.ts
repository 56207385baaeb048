import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildExecutable } from '../lib/build.ts';
import { ensureChromium } from '../lib/chromium.ts';
import { ensureFileSystemTools } from '../lib/file-system-tools.ts';
import { ensureNginx } from '../lib/nginx.ts';
import { ROOT } from '../lib/project.ts';

// `npm test`: unit and integration tests of the packages, then the tests against the built executable (conformance, faults,
// panel). With arguments only the tests whose path contains one of them: `npm test -- collector`.
const filters = process.argv.slice(2);
const SUITES = [
  { name: 'packages', folder: 'packages', timeoutMs: 120_000 },
  { name: 'product', folder: 'test', timeoutMs: 180_000 },
] as const;

const artefacts = join(ROOT, 'test-artefacts');
mkdirSync(artefacts, { recursive: true });
if (filters.length === 0) ensureFileSystemTools();
const env = {
  CHROMIUM_PATH: filters.length === 0 ? ensureChromium() : (process.env.CHROMIUM_PATH ?? ''),
  NGINX_PATH: filters.length === 0 ? ensureNginx() : (process.env.NGINX_PATH ?? ''),
  MANAGER_BINARY: buildExecutable('dev'),
  MANAGER_TEST_ARTEFACTS: artefacts,
};

let passed = 0;
let failed = 0;
// Both at once: much of their time is waiting for processes, disks and clocks.
const runs = filters.length === 0 ? SUITES.map(run) : [run(SUITES[0])];
for (const { status, report } of await Promise.all(runs)) {
  const counts = readCounts(report);
  passed += counts.passed;
  failed += counts.failed;
  // A crash of the runner, or a suite that ran nothing, is a failure too.
  if (status !== 0 && counts.failed === 0) failed += 1;
  if (filters.length === 0 && counts.passed + counts.failed === 0) failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

async function run(suite: (typeof SUITES)[number]): Promise<{ status: number; report: string }> {
  const report = join(artefacts, `${suite.name}.xml`);
  rmSync(report, { force: true });
  const paths = filters.length === 0 ? [`./${suite.folder}/`] : filters;
  const child = Bun.spawn(
    [
      process.execPath,
      'test',
      `--timeout=${suite.timeoutMs}`,
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...paths,
    ],
    { cwd: ROOT, env: { ...process.env, ...env }, stdin: 'ignore', stdout: 'inherit', stderr: 'inherit' },
  );
  return { status: await child.exited, report };
}

function readCounts(report: string): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const head = /<testsuites[^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '';
  const count = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failures = count('failures') + count('errors');
  return { passed: count('tests') - failures - count('skipped'), failed: failures };
}
