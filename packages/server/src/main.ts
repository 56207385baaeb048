import { randomBytes } from 'node:crypto';
import { realpathSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { usage } from './app/commands/catalogue.ts';
import { type Invocation, parseArguments } from './app/commands/parse-arguments.ts';
import { onStopSignal } from './platform/stop-signals.ts';

// Loads only what decides which part of the program runs: `--version` must answer at once and open no file.

/** Set by the build. */
declare const MANAGER_VERSION: string | undefined;
const VERSION = typeof MANAGER_VERSION === 'string' ? MANAGER_VERSION : 'dev';

const STDOUT = 1;
const STDERR = 2;
const EXIT_USAGE = 2;

const print = (line: string) => void writeSync(STDOUT, `${line}\n`);
const report = (line: string) => void writeSync(STDERR, `${line}\n`);

process.exit(await run(parseArguments(process.argv.slice(2))));

async function run(invocation: Invocation): Promise<number> {
  switch (invocation.kind) {
    case 'version':
      print(VERSION);
      return 0;
    case 'licenses':
      await (await import('./app/notices.ts')).printNotices();
      return 0;
    case 'help':
      report(usage());
      return 0;
    case 'unknown':
      report(`manager-server: ${invocation.shown}; see manager-server --help`);
      report(usage());
      return EXIT_USAGE;
    case 'command':
      return runOffline(invocation);
    case 'serve':
      return runOnline();
  }
}

async function runOffline({ entry, args }: Extract<Invocation, { kind: 'command' }>): Promise<number> {
  prepareProcess();
  const cancel = new AbortController();
  onStopSignal(() => cancel.abort());
  const { runCommand } = await import('./app/commands/command.ts');
  return runCommand(await entry.load(), args, {
    env: process.env,
    cwd: process.cwd(),
    executableDir: executableDir(),
    stdout: print,
    stderr: report,
    now: Date.now,
    randomBytes,
    signal: cancel.signal,
  });
}

async function runOnline(): Promise<number> {
  prepareProcess();
  const { runServer } = await import('./app/commands/serve.ts');
  return runServer(
    {
      env: process.env,
      cwd: process.cwd(),
      executableDir: executableDir(),
      version: VERSION,
      onSignal: onStopSignal,
      onUncaught(listener) {
        process.on('uncaughtException', listener);
        process.on('unhandledRejection', listener);
      },
      exit: process.exit,
      stderr: report,
    },
    async (request) => (await import('./app/serve.ts')).serve(request),
  );
}

function prepareProcess(): void {
  process.umask(0o077);
  // The runtime's `fetch` uses these on every call; the gateway is reached directly.
  for (const name of Object.keys(process.env)) {
    if (/_proxy$/i.test(name)) delete process.env[name];
  }
}

/** Directory of the default `config.json`: next to the executable, or in the repository when run from source. */
function executableDir(): string {
  const isExecutable = /\/(?:\$bunfs|%24bunfs|~BUN|%7EBUN)\//.test(import.meta.url);
  return isExecutable ? dirname(realpathSync(process.execPath)) : resolve(import.meta.dir, '..', '..', '..');
}
