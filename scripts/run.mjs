// Entry of every npm script. Runs on the machine's Node, installs the pinned packages when they are missing or changed, then
// starts the task on the pinned Bun.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const bun = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'bun.exe' : 'bun');
const stamp = join(root, 'node_modules', '.manager-lock-digest');

function lockDigest() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function installPackages() {
  const digest = lockDigest();
  if (existsSync(bun) && existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  console.error('Installing packages …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error('Installing packages failed; see the lines above.');
    process.exit(1);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, digest);
}

const [task = 'start', ...args] = process.argv.slice(2);
installPackages();
if (task === 'install') process.exit(0);
const child = spawn(bun, [join(root, 'scripts', 'tasks', `${task}.ts`), ...args], { stdio: 'inherit' });
// A terminal sends its signals to the whole group; those sent to this process alone are passed on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm's shell ends at a signal without passing it on, which would leave a server running unnoticed.
if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
