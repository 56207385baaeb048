import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { LONG_FILES, MEASURING_FILES, WAITING_FILES } from './long-test-files.ts';
import { ROOT } from './project.ts';

/** Time limits of one test, and of one process. */
const TEST_TIMEOUT_MS = 180_000;
const PROCESS_TIMEOUT_MS = 900_000;

/**
 * Their files share one process a folder: starting a process and loading the modules takes longer than most of these files. Not the
 * folders whose files wait or take long, which are spread over the queue.
 */
const SHARED_PROCESS = [
  ...['packages/core/', 'packages/panel/', 'packages/simulator/'],
  ...['events/detail', 'events/ingest', 'facts', 'gateway', 'http', 'platform', 'schema', 'sqlite'].map(
    (folder) => `packages/server/src/${folder}/`,
  ),
  ...['account-actions', 'accounts', 'client-keys', 'cooldowns', 'dashboard', 'inspection', 'monitoring', 'prices'].map(
    (feature) => `packages/server/src/features/${feature}/`,
  ),
  ...['quotas', 'setup', 'system'].map((feature) => `packages/server/src/features/${feature}/`),
];

const WAITING_AT_ONCE = 2;
const MEASURING_AT_ONCE = 2;

export interface TestResult {
  /** A test file, or a folder whose files share a process. */
  readonly path: string;
  readonly passed: number;
  readonly failed: number;
  readonly tookMs: number;
  /** Of the process and of all it waited for: servers and browsers too. */
  readonly processorMs: number;
  /** Everything the runner printed. */
  readonly output: string;
}

export interface QueueOptions {
  readonly files: readonly string[];
  readonly workers: number;
  readonly env: Readonly<Record<string, string>>;
  readonly reports: string;
  readonly onResult: (result: TestResult) => void;
}

interface Unit {
  readonly path: string;
  readonly files: readonly string[];
}

/**
 * Runs each file in a process of its own, except those of `SHARED_PROCESS`. The longest start first, `workers` at once and waiting ones
 * beside them; the files that measure come last.
 */
export async function runTestFiles(options: QueueOptions): Promise<void> {
  const units = unitsOf(options.files).sort((a, b) => place(a) - place(b));
  const { measuring = [], waiting = [], queued = [] } = Object.groupBy(units, laneOf);
  const work = async (lane: Unit[]) => {
    for (let unit = lane.shift(); unit !== undefined; unit = lane.shift())
      options.onResult(await runUnit(unit, options));
  };
  const lanes = [...Array<Unit[]>(WAITING_AT_ONCE).fill(waiting), ...Array<Unit[]>(options.workers).fill(queued)];
  await Promise.all(lanes.map(work));
  await Promise.all(Array<Unit[]>(MEASURING_AT_ONCE).fill(measuring).map(work));
}

function laneOf({ path }: Unit): 'measuring' | 'waiting' | 'queued' {
  if (MEASURING_FILES.includes(path)) return 'measuring';
  return WAITING_FILES.includes(path) ? 'waiting' : 'queued';
}

function unitsOf(files: readonly string[]): Unit[] {
  const grouped = Map.groupBy(files, (file) => SHARED_PROCESS.find((folder) => file.startsWith(folder)) ?? file);
  return [...grouped].map(([path, members]) => ({ path, files: members }));
}

const ORDER = [...LONG_FILES, ...WAITING_FILES, ...MEASURING_FILES];

function place({ path }: Unit): number {
  const found = ORDER.indexOf(path);
  return found < 0 ? ORDER.length : found;
}

/**
 * A test's process lives for seconds: most functions that the runtime would optimize never pay for it, and freed memory is
 * needed again at once. A fifth less processor time. Managers get the same (`runtimeOptions`), except their memory.
 */
const SHORT_LIVED = {
  BUN_JSC_thresholdForOptimizeAfterWarmUp: '10000',
  BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '400000',
  MIMALLOC_PURGE_DELAY: '-1',
};

async function runUnit({ path, files }: Unit, { env, reports }: QueueOptions): Promise<TestResult> {
  const report = join(reports, `${path.replaceAll('/', '.')}.xml`);
  rmSync(report, { force: true });
  const began = performance.now();
  const child = Bun.spawn(
    [
      process.execPath,
      'test',
      // Servers and browsers of a failed test end with its file.
      '--no-orphans',
      `--timeout=${TEST_TIMEOUT_MS}`,
      '--reporter=junit',
      `--reporter-outfile=${report}`,
      ...files.map((file) => `./${file}`),
    ],
    {
      cwd: ROOT,
      env: { ...process.env, ...(MEASURING_FILES.includes(path) ? {} : SHORT_LIVED), ...env },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    },
  );
  const deadline = setTimeout(() => child.kill('SIGKILL'), PROCESS_TIMEOUT_MS);
  const parts: string[] = [];
  await Promise.all([collect(child.stdout, parts), collect(child.stderr, parts)]);
  const status = await child.exited;
  clearTimeout(deadline);
  const { tests, passed, failed } = readCounts(report);
  // A crash of the runner, or a file without tests, is a failure too.
  const broken = failed === 0 && (status !== 0 || tests === 0);
  return {
    path,
    passed,
    failed: broken ? 1 : failed,
    tookMs: performance.now() - began,
    processorMs: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1000,
    output: parts.join(''),
  };
}

async function collect(stream: ReadableStream<Uint8Array>, parts: string[]): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) parts.push(decoder.decode(chunk, { stream: true }));
}

function readCounts(report: string): { tests: number; passed: number; failed: number } {
  if (!existsSync(report)) return { tests: 0, passed: 0, failed: 0 };
  const head = /<testsuites[^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] ?? '';
  const count = (name: string): number => Number(new RegExp(`${name}="(\\d+)"`).exec(head)?.[1] ?? 0);
  const tests = count('tests');
  const failed = count('failures') + count('errors');
  return { tests, passed: tests - failed - count('skipped'), failed };
}
