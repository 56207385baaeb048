import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { buildExecutable, buildPanel, buildStoppingExecutable, buildTestWorkers } from '../lib/build.ts';
import { ensureChromium } from '../lib/chromium.ts';
import { ensureFileSystemTools } from '../lib/file-system-tools.ts';
import { ensureNginx } from '../lib/nginx.ts';
import { ROOT } from '../lib/project.ts';
import { sourceFiles } from '../lib/source-files.ts';
import { runTestFiles, type TestResult } from '../lib/test-queue.ts';

// `npm test`: unit and integration tests of the packages, then the tests against the built executable (conformance, faults,
// panel). With arguments only the tests whose path contains one of them: `npm test -- collector`.
const filters = process.argv.slice(2);
const files = sourceFiles()
  .map(({ path }) => path)
  .filter((path) => /\.test\.tsx?$/.test(path))
  .filter((path) => filters.length === 0 || filters.some((filter) => path.includes(filter)));
const against = (folder: string) => files.some((path) => path.startsWith(folder));

const artefacts = join(ROOT, 'test-artefacts');
const reports = join(artefacts, 'reports');
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
if (against('test/faults/')) ensureFileSystemTools();
const env = {
  ...(against('test/e2e/') ? { CHROMIUM_PATH: ensureChromium() } : {}),
  ...(against('test/faults/') ? { NGINX_PATH: ensureNginx() } : {}),
  ...(against('test/') ? { MANAGER_BINARY: buildExecutable('dev') } : {}),
  ...(against('test/accounts/') || against('test/faults/') ? { MANAGER_STOPPING: buildStoppingExecutable() } : {}),
  ...(against('packages/server/') ? { MANAGER_TEST_WORKERS: buildTestWorkers() } : {}),
  MANAGER_TEST_ARTEFACTS: artefacts,
};

// The server imports the panel's file.
if (against('packages/server/')) buildPanel();

const results: TestResult[] = [];
await runTestFiles({
  files,
  // Tests also wait for processes, disks and clocks: one file more than there are cores.
  workers: availableParallelism() + 1,
  env,
  reports,
  onResult(result) {
    results.push(result);
    const { path, passed, failed, output } = result;
    if (failed > 0) console.log(output);
    console.log(`${failed > 0 ? 'FAILED' : 'ok    '} ${path}: ${passed} passed in ${costOf(result)}`);
  },
});

const slowest = results.toSorted((a, b) => b.processorMs - a.processorMs).slice(0, 15);
console.log(`\nMost processor time:\n${slowest.map((result) => `${result.path}: ${costOf(result)}`).join('\n')}`);
// Repeated at the end, where the last page of a long log shows them.
const failures = results.filter(({ failed }) => failed > 0);
if (failures.length > 0) console.log(`\nFailed tests:\n${failures.map(failureText).join('\n')}`);
const sum = (of: (result: TestResult) => number) => results.reduce((total, result) => total + of(result), 0);
const failed = sum((result) => result.failed) + (files.length === 0 ? 1 : 0);
console.log(`${sum((result) => result.passed)} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** `12.3 s (4.5 s of processor)` */
function costOf({ tookMs, processorMs }: TestResult): string {
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  return `${seconds(tookMs)} s (${seconds(processorMs)} s of processor)`;
}

/** A file's failed tests, each with the error before it. */
function failureText({ path, output }: TestResult): string {
  const KEPT_LINES = 60;
  const texts: string[] = [];
  let sinceLastTest: string[] = [];
  for (const line of output.split('\n')) {
    if (line.startsWith('(fail)')) texts.push([...sinceLastTest.slice(-KEPT_LINES), line].join('\n'));
    if (line.startsWith('(fail)') || line.startsWith('(pass)')) sinceLastTest = [];
    else if (line !== '') sinceLastTest.push(line);
  }
  return `${path}:\n${texts.length > 0 ? texts.join('\n') : output.split('\n').slice(-KEPT_LINES).join('\n')}\n`;
}
