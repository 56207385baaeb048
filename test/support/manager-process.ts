import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@manager/core/testing/until';
import { runtimeOptions } from './runtime-options.ts';

/** Far longer than a start or stop on a busy machine. */
const START_MS = 120_000;
const END_MS = 120_000;
const ROOT = join(import.meta.dir, '..', '..');

/** A built executable, or the server from source where there is no build or only source has the feature. */
function command({ stopAt, executable }: ManagerOptions): string[] {
  const binary = stopAt === undefined ? (executable ?? process.env.MANAGER_BINARY) : process.env.MANAGER_STOPPING;
  return binary && existsSync(binary) ? [binary] : [process.execPath, join(ROOT, 'packages/server/src/main.ts')];
}

function limited(started: string[], { descriptors, ignoreHangup }: ManagerOptions): string[] {
  const hangup = ignoreHangup === true ? ['sh', '-c', 'trap "" HUP; exec "$@"', 'sh'] : ['env', '--default-signal=HUP'];
  const before = ignoreHangup === undefined ? started : [...hangup, ...started];
  return descriptors === undefined
    ? before
    : ['sh', '-c', 'ulimit -n "$0" && exec "$@"', String(descriptors), ...before];
}

/** The launcher is replaced by what it starts, so the process keeps its id. */
export function asUser(uid: number | undefined): string[] {
  return uid === undefined ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
}

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'manager-test-'));
}

export interface ManagerOptions {
  /** Data directory; default: a new temporary one. */
  readonly dataDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: a fixed key, the same for every start of a data directory. '' = the manager generates one. */
  readonly adminKey?: string;
  /** Fixed port, for restarts at one address; default a free one. */
  readonly port?: number;
  /** A stop point, `name` or `name#visit`, at which the server kills itself. */
  readonly stopAt?: string;
  /** A module loaded before the server. */
  readonly preload?: string;
  /** Limit of file descriptors; default: as this process. */
  readonly descriptors?: number;
  /** Default: `MANAGER_BINARY`. */
  readonly executable?: string;
  /** Run by this user, which needs root. The executable and the working directory must be reachable for it. */
  readonly uid?: number;
  /** As `nohup` starts a program, or as it does not; default: as this process was started. */
  readonly ignoreHangup?: boolean;
  /** Working directory; default: the data directory. */
  readonly cwd?: string;
}

export const TEST_ADMIN_KEY = 'the-admin-key-of-the-tests';

/** One running manager process. */
export class ManagerProcess {
  readonly dataDir: string;
  readonly adminKey: string;
  url = '';
  /** Everything printed so far. */
  output = '';
  readonly #process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>;
  readonly #streams: Promise<unknown>;

  private constructor(options: ManagerOptions) {
    this.dataDir = options.dataDir ?? temporaryFolder();
    this.adminKey = options.adminKey ?? TEST_ADMIN_KEY;
    this.#process = Bun.spawn([...asUser(options.uid), ...limited(command(options), options)], {
      cwd: options.cwd ?? this.dataDir,
      env: {
        PATH: process.env.PATH ?? '',
        HOME: this.dataDir,
        TMPDIR: tmpdir(),
        ...runtimeOptions(),
        HTTP_ADDR: `127.0.0.1:${options.port ?? 0}`,
        USAGE_DATA_DIR: this.dataDir,
        ...(this.adminKey === '' ? {} : { MANAGER_ADMIN_KEY: this.adminKey }),
        ...(options.preload === undefined ? {} : { BUN_OPTIONS: `"--preload=${options.preload}"` }),
        ...(options.stopAt === undefined ? {} : { MANAGER_STOP_AT: options.stopAt }),
        ...options.env,
      },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
    });
    this.#streams = Promise.all([this.#collect(this.#process.stdout), this.#collect(this.#process.stderr)]);
  }

  /** Starts a manager and waits until it serves. */
  static async start(options: ManagerOptions = {}): Promise<ManagerProcess> {
    const manager = new ManagerProcess(options);
    const deadline = Date.now() + START_MS;
    while (manager.url === '') {
      const address = /http:\/\/[\w.[\]:]+:\d+/.exec(manager.output)?.[0];
      if (address && (await isHealthy(address))) manager.url = address;
      else if (manager.#process.exitCode !== null || Date.now() > deadline)
        throw new Error(`the manager did not start:\n${manager.output}`);
      else await Bun.sleep(5);
    }
    return manager;
  }

  /** Starts a manager that is expected to exit; returns its exit code and output. */
  static async runToEnd(options: ManagerOptions = {}): Promise<{ code: number; output: string }> {
    const manager = new ManagerProcess(options);
    const code = await manager.#process.exited;
    await manager.#streams;
    return { code, output: manager.output };
  }

  /** Starts a server that kills itself at its stop point, maybe before it reports that it serves. */
  static runUntilKilled(options: ManagerOptions & { readonly stopAt: string }): Promise<void> {
    return new ManagerProcess(options).killed();
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Resolves when the process has ended. */
  get ended(): Promise<unknown> {
    return this.#process.exited;
  }

  get running(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Waits for a server that kills itself at a stop point. */
  async killed(): Promise<void> {
    const timeout = Bun.sleep(END_MS).then(() => 'still running');
    const ended = await Promise.race([this.#process.exited, timeout]);
    if (ended === 'still running' || this.#process.signalCode !== 'SIGKILL')
      throw new Error(`the manager was not killed (${ended}):\n${this.output}`);
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#process.exited;
  }

  /** Stops normally; returns the exit code. */
  async stop(): Promise<number> {
    if (this.running) this.#process.kill('SIGTERM');
    return this.#process.exited;
  }

  async remove(): Promise<void> {
    if (this.running) await this.kill();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  /** Sends a request with the admin key. */
  fetch(path: string, init: BunFetchRequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('Authorization')) headers.set('Authorization', `Bearer ${this.adminKey}`);
    return fetch(this.url + path, { ...init, headers });
  }

  async json<T = Record<string, unknown>>(path: string, init: BunFetchRequestInit = {}): Promise<T> {
    const answer = await this.fetch(path, init);
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  post<T = Record<string, unknown>>(path: string, body: unknown): Promise<T> {
    return this.json<T>(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  /** Resident memory in bytes. */
  residentBytes(): number {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  }

  /** Peak resident memory in bytes. */
  peakResidentBytes(): number {
    const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${this.pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  }

  /** The peak counts from now on. */
  resetPeak(): void {
    writeFileSync(`/proc/${this.pid}/clear_refs`, '5');
  }

  /** Waits for a line of the log: what was printed arrives a moment later than an answer. */
  async printed(text: string): Promise<void> {
    await until(() => this.output.includes(text), `"${text}" in the log`);
  }

  async #collect(stream: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.output += decoder.decode(chunk, { stream: true });
  }
}

async function isHealthy(url: string): Promise<boolean> {
  return fetch(`${url}/health`).then(
    (answer) => answer.ok,
    () => false,
  );
}
