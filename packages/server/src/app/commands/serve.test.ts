import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'serve-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A process that runs `runServer` around the given `serve` function. */
function start(serve: string, env: Record<string, string> = {}) {
  const source = `
    import { runServer } from ${JSON.stringify(join(import.meta.dir, 'serve.ts'))};
    const never = new Promise(() => {});
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    setInterval(() => {}, 1000);
    process.exit(await runServer({
      env: process.env, cwd: process.cwd(), executableDir: process.cwd(), version: 'v1',
      onSignal: (listener) => { for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => listener(name)); },
      onUncaught: (listener) => process.on('unhandledRejection', listener),
      exit: process.exit, stderr: console.error,
    }, ${serve}));`;
  return Bun.spawn([process.execPath, '-e', source], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', USAGE_DATA_DIR: directory, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

const text = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

/** Everything up to and including the marker. */
async function readUntil(
  reader: { read(): Promise<{ done: boolean; value?: Uint8Array | undefined }> },
  marker: string,
): Promise<string> {
  const decoder = new TextDecoder();
  let seen = '';
  while (!seen.includes(marker)) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`ended before ${marker}: ${seen}`);
    seen += decoder.decode(value, { stream: true });
  }
  return seen;
}

const RUNNING = `async ({ logging }) => { logging.logger.info('up'); return { ended: never, stop: async () => {} }; }`;
const STUCK = `async ({ logging }) => { logging.logger.info('up'); return { ended: never, stop: () => never }; }`;

test('a signal stops it with 0', async () => {
  const child = start(RUNNING);
  const reader = child.stdout.getReader();
  await readUntil(reader, '"up"');
  child.kill('SIGTERM');
  await readUntil(reader, '"stopped"');
  expect(await child.exited).toBe(0);
});

test('a second signal forces 1, but one Ctrl-C that arrives twice is one', async () => {
  const child = start(STUCK);
  const reader = child.stdout.getReader();
  await readUntil(reader, '"up"');
  child.kill('SIGINT');
  child.kill('SIGINT');
  await readUntil(reader, '"stopping"');
  await Bun.sleep(400);
  expect(child.exitCode).toBeNull();
  child.kill('SIGINT');
  expect(await child.exited).toBe(1);
});

test('a failure of the server stops it with 1', async () => {
  const child = start(`async () => ({ ended: sleep(10), stop: async () => console.log('stopped cleanly') })`);
  expect(await child.exited).toBe(1);
  expect(await text(child.stdout)).toContain('stopped cleanly');
});

test('a refused start is one line without a stack, and 1', async () => {
  const child = start(`async () => { throw Object.assign(new Error('the lock is held'), { name: 'LockError' }); }`);
  expect(await child.exited).toBe(1);
  const lines = (await text(child.stdout)).trim().split('\n');
  expect(lines.length).toBe(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'fatal', msg: 'cannot run: the lock is held' });
  expect(lines[0]).not.toContain('stack');
});

test('a bad configuration is one line and 1', async () => {
  const child = start(RUNNING, { HTTP_ADDR: 'nonsense' });
  expect(await child.exited).toBe(1);
  expect(await text(child.stdout)).toContain('HTTP_ADDR');
});

test('warnings are logged, configured secrets never', async () => {
  const env = {
    MANAGER_ADMIN_KEY: 'admin-s3cret',
    UPSTREAM_MANAGEMENT_KEY: 'upstream-s3cret',
    UPSTREAM_URL: 'http://g',
    USAGE_BATCH_SIZE: 'x',
  };
  const child = start(
    `async ({ config, logging }) => { logging.logger.info({ config }, config.adminKey); return { ended: sleep(5), stop: async () => {} }; }`,
    env,
  );
  await child.exited;
  const output = (await text(child.stdout)) + (await text(child.stderr));
  expect(output).toContain('USAGE_BATCH_SIZE');
  expect(output).not.toContain('s3cret');
});

test('an uncaught error is logged and the server continues', async () => {
  const child = start(
    `async ({ logging }) => { Promise.reject(new Error('lost')); await sleep(50); logging.logger.info('up'); return { ended: never, stop: async () => {} }; }`,
  );
  const reader = child.stdout.getReader();
  const seen = await readUntil(reader, '"up"');
  expect(seen).toContain('"lost"');
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
});

function main(...args: string[]) {
  const child = Bun.spawnSync([process.execPath, join(import.meta.dir, '..', '..', 'main.ts'), ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '', MANAGER_CONFIG: join(directory, 'missing.json') },
  });
  return { code: child.exitCode, out: child.stdout.toString(), err: child.stderr.toString() };
}

test('the version is printed without reading any file', () => {
  for (const flag of ['--version', '-v', '-version']) expect(main(flag)).toEqual({ code: 0, out: 'dev\n', err: '' });
  expect(readdirSync(directory)).toEqual([]);
});

test('an unknown first argument prints the usage and ends with 2', () => {
  for (const argument of ['serve', '', '--port', 'reset']) {
    const { code, out, err } = main(argument);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('store-upstream-connection');
  }
  expect(main('--help')).toMatchObject({ code: 0, out: '' });
  expect(readdirSync(directory)).toEqual([]);
});

test('an unknown first argument is named only if it is a word, which no key is', () => {
  const first = (argument: string) => main(argument).err.split('\n')[0];
  expect(first('serve')).toBe('manager-server: unknown command serve; see manager-server --help');
  expect(first('--port=80')).toBe('manager-server: unknown flag --port; see manager-server --help');
  expect(first('sk-1a2B3c4D')).toBe('manager-server: unknown command; see manager-server --help');
});

test('an address in use is one line that names it, and the key that was shown before stays valid', async () => {
  const holder = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() });
  const { port } = holder;
  const run = () =>
    Bun.spawn([process.execPath, join(import.meta.dir, '..', '..', 'main.ts')], {
      cwd: directory,
      env: { PATH: process.env.PATH ?? '', USAGE_DATA_DIR: directory, HTTP_ADDR: `127.0.0.1:${port}` },
      stdout: 'pipe',
      stderr: 'pipe',
    });
  const refused = run();
  const output = await text(refused.stdout);
  expect(await refused.exited).toBe(1);
  expect(await text(refused.stderr)).toBe('');
  expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toMatchObject({
    level: 'fatal',
    msg: `cannot run: the address 127.0.0.1:${port} is in use; set HTTP_ADDR to another address`,
  });
  expect(output).not.toContain('stack');
  const key = /New admin key: (\S+)/.exec(output)?.[1] ?? '';
  expect(key).not.toBe('');

  await holder.stop(true);
  const second = run();
  try {
    expect(await readUntil(second.stdout.getReader(), 'listening on')).toContain(
      'the admin key is set; if it was lost, stop the manager and run manager-server reset-admin-key',
    );
    const answer = await fetch(`http://127.0.0.1:${port}/status`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    expect(answer.status).toBe(200);
  } finally {
    second.kill('SIGTERM');
    await second.exited;
  }
}, 180_000);

test('a command runs from the command line', () => {
  const { code, out, err } = main('reset-admin-key');
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toBe(`reset-admin-key: no database at ${join(directory, 'data', 'usage.sqlite')}; check the path\n`);
  expect(readdirSync(directory)).toEqual([]);
});

test.each([
  ['SQLITE_FULL', 'the disk of the database is full'],
  ['SQLITE_CORRUPT', 'the database is damaged; restore a backup'],
  ['SQLITE_IOERR_WRITE', 'the database cannot be written'],
])('a start that fails with %s says what to do', async (code, expected) => {
  const child = start(`async () => { throw Object.assign(new Error('raw text'), { code: ${JSON.stringify(code)} }); }`);
  expect(await text(child.stdout)).toContain(`cannot run: ${expected}`);
  expect(await child.exited).toBe(1);
});
