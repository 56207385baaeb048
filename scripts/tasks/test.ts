import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { buildExecutable } from '../lib/build.ts';
import { ensureChromium } from '../lib/chromium.ts';
import { ensureFileSystemTools } from '../lib/file-system-tools.ts';
import { ensureNginx } from '../lib/nginx.ts';
import { ROOT } from '../lib/project.ts';

// `npm test`: unit and integration tests of the packages, then the tests against the built executable (conformance, faults,
// panel). With arguments only the tests whose path contains one of them: `npm test -- collector`.
const filters = process.argv.slice(2);
interface Suite {
  readonly name: string;
  /** Folders and files below the root of the repository. */
  readonly paths: readonly string[];
  readonly timeoutMs: number;
}
const PACKAGES: Suite = { name: 'packages', paths: ['packages'], timeoutMs: 120_000 };
/** Wait for clocks most of their time. */
const ACCOUNTS: Suite = { name: 'accounts', paths: ['test/accounts'], timeoutMs: 180_000 };
const PRODUCT: Suite = {
  name: 'product',
  paths: readdirSync(join(ROOT, 'test'))
    .filter((name) => name !== 'e2e' && name !== 'accounts')
    .map((name) => `test/${name}`),
  timeoutMs: 180_000,
};
const E2E = readdirSync(join(ROOT, 'test/e2e'))
  .filter((name) => name.endsWith('.test.ts'))
  .toSorted();
const panel = (name: string, chosen: (place: number) => boolean): Suite => ({
  name,
  paths: E2E.filter((_, place) => chosen(place)).map((file) => `test/e2e/${file}`),
  timeoutMs: 180_000,
});
// One browser in each lane; every third file is a bit less than half of the time.
const PANEL = panel('panel', (place) => place % 3 !== 0);
const PANEL_REST = panel('panel-rest', (place) => place % 3 === 0);

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
const failures: string[] = [];
// Lanes at once: much of their time is waiting for processes, disks and clocks.
const lanes = filters.length === 0 ? [[PACKAGES, PANEL_REST], [PRODUCT, PANEL], [ACCOUNTS]] : [[PACKAGES]];
for (const { status, report } of (await Promise.all(lanes.map(runLane))).flat()) {
  const counts = readCounts(report);
  passed += counts.passed;
  failed += counts.failed;
  // A crash of the runner, or a suite that ran nothing, is a failure too.
  if (status !== 0 && counts.failed === 0) failed += 1;
  if (filters.length === 0 && counts.passed + counts.failed === 0) failed += 1;
}
// Once more at the end, where the last page of a long log shows them.
if (failures.length > 0) console.log(`\nFailed tests:\n${failures.join('\n')}\n`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

interface Run {
  readonly status: number;
  readonly report: string;
}

async function runLane(suites: readonly Suite[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const suite of suites) runs.push(await run(suite));
  return runs;
}

async function run(suite: Suite): Promise<Run> {
  const report = join(artefacts, `${suite.name}.xml`);
  rmSync(report, { force: true });
  const paths = filters.length === 0 ? suite.paths.map((path) => `./${path}`) : filters;
  const child = Bun.spawn(
    [
      process.execPath,
      'test',
      `--timeout=${suite.timeoutMs}`,
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...paths,
    ],
    { cwd: ROOT, env: { ...process.env, ...env }, stdin: 'ignore', stdout: 'inherit', stderr: 'pipe' },
  );
  await passOn(child.stderr);
  return { status: await child.exited, report };
}

/** Passes the runner's report on, line by line, and keeps what stands before each failure: its error and its file. */
async function passOn(report: ReadableStream<Uint8Array>): Promise<void> {
  const KEPT_LINES = 60;
  let file = '';
  let sinceLastTest: string[] = [];
  for await (const line of createInterface({ input: Readable.fromWeb(report) })) {
    process.stderr.write(`${line}\n`);
    if (/^\S+\.test\.tsx?:$/.test(line)) file = line;
    if (line.startsWith('(fail)')) failures.push([file, ...sinceLastTest.slice(-KEPT_LINES), line].join('\n'));
    if (line.startsWith('(fail)') || line.startsWith('(pass)')) sinceLastTest = [];
    else if (line !== '' && line !== file) sinceLastTest.push(line);
  }
}

function readCounts(report: string): { passed: number; failed: number } {
  if (!existsSync(report)) return { passed: 0, failed: 0 };
  const head = /<testsuites[^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '';
  const count = (name: string) => Number(new RegExp(`${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const failures = count('failures') + count('errors');
  return { passed: count('tests') - failures - count('skipped'), failed: failures };
}
