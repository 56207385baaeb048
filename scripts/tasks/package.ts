import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPanel, buildVersion, compileServer } from '../lib/build.ts';
import { copyDocuments } from '../lib/package-documents.ts';
import { checkPanelSize } from '../lib/panel-size.ts';
import { DIST, PANEL_FILE, run } from '../lib/project.ts';
import { fetchRuntime } from '../lib/runtime.ts';
import { zip } from '../lib/zip.ts';

interface Target {
  readonly os: 'linux' | 'darwin' | 'windows';
  readonly arch: 'amd64' | 'arm64';
  /** Name of the runtime for the compiler, and of its npm package. The amd64 ones need no AVX2. */
  readonly compiler: string;
  readonly runtimePackage: string;
}

const TARGETS: readonly Target[] = [
  { os: 'linux', arch: 'amd64', compiler: 'bun-linux-x64-baseline', runtimePackage: 'bun-linux-x64-baseline' },
  { os: 'linux', arch: 'arm64', compiler: 'bun-linux-arm64', runtimePackage: 'bun-linux-aarch64' },
  { os: 'darwin', arch: 'amd64', compiler: 'bun-darwin-x64-baseline', runtimePackage: 'bun-darwin-x64-baseline' },
  { os: 'darwin', arch: 'arm64', compiler: 'bun-darwin-arm64', runtimePackage: 'bun-darwin-aarch64' },
  { os: 'windows', arch: 'amd64', compiler: 'bun-windows-x64-baseline', runtimePackage: 'bun-windows-x64-baseline' },
  { os: 'windows', arch: 'arm64', compiler: 'bun-windows-arm64', runtimePackage: 'bun-windows-aarch64' },
];

const OUT = join(DIST, 'packages');

function packageTarget(target: Target, version: string): string {
  const name = `manager-server_${version}_${target.os}_${target.arch}`;
  const folder = join(OUT, name);
  const binary = target.os === 'windows' ? 'manager-server.exe' : 'manager-server';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  compileServer({
    outfile: join(folder, binary),
    version,
    target: target.compiler,
    runtime: fetchRuntime(target.os, target.runtimePackage),
  });
  chmodSync(join(folder, binary), 0o755);
  copyDocuments(folder);

  const archive = `${name}${target.os === 'windows' ? '.zip' : '.tar.gz'}`;
  if (target.os === 'windows') writeFileSync(join(OUT, archive), zip(listFiles(folder, name)));
  else run(['tar', '--owner=0', '--group=0', '--numeric-owner', '-czf', join(OUT, archive), '-C', OUT, name]);
  rmSync(folder, { recursive: true, force: true });
  return archive;
}

function listFiles(folder: string, prefix: string): { name: string; path: string; mode: number }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const name = `${prefix}/${entry.name}`;
    if (entry.isDirectory()) return listFiles(path, name);
    return [{ name, path, mode: entry.name.endsWith('.exe') ? 0o755 : 0o644 }];
  });
}

// `npm run package`: archives for six platforms with their checksums, and the panel alone, in dist/packages.
const version = buildVersion();
buildPanel();
checkPanelSize();
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const files = TARGETS.map((target) => packageTarget(target, version));
copyFileSync(PANEL_FILE, join(OUT, 'management.html'));
const checksums = [...files, 'management.html']
  .map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(join(OUT, file)))
        .digest('hex')}  ${file}\n`,
  )
  .join('');
writeFileSync(join(OUT, 'checksums.txt'), checksums);
process.stdout.write(checksums);
