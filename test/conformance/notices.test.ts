import { afterAll, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledPackages, readPackage } from '../../scripts/lib/bundled-packages.ts';
import { copyDocuments } from '../../scripts/lib/package-documents.ts';
import { NOTICES, ROOT } from '../../scripts/lib/project.ts';
import { runtimeNotices } from '../../scripts/lib/runtime-notices.ts';
import { temporaryFolder } from '../support/manager-process.ts';

const BINARY = process.env.MANAGER_BINARY ?? '';
const folders: string[] = [];
afterAll(() => {
  for (const path of folders) rmSync(path, { recursive: true, force: true });
});
function folder(): string {
  const path = temporaryFolder();
  folders.push(path);
  return path;
}

const { stdout, exitCode } = Bun.spawnSync([BINARY, '--licenses'], { cwd: folder(), env: {} });
const printed = stdout.toString();

describe('--licenses', () => {
  test('prints the text that the packages contain, and writes nothing', () => {
    expect(exitCode).toBe(0);
    expect(printed).toBe(readFileSync(NOTICES, 'utf8'));
    expect(readdirSync(folders[0] ?? '')).toEqual([]);
    const archive = folder();
    copyDocuments(archive);
    expect(readFileSync(join(archive, 'THIRD_PARTY_NOTICES'), 'utf8')).toBe(printed);
  });

  test('has our own license, and the whole text of every package that the bundlers include', async () => {
    expect(printed).toContain(readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim());
    const packages = await bundledPackages();
    const names = packages.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'hono',
        'zod',
        'pino',
        'react',
        'react-dom',
        '@mantine/core',
        'uplot',
        'rolldown',
        'yaml',
        '@codemirror/view',
      ]),
    );
    // Built with them, but nothing of them is inside.
    for (const name of ['vite', 'typescript', 'playwright-core', 'ws']) expect(names).not.toContain(name);
    const texts = new Set(packages.map(({ text }) => text));
    for (const { name, version, license } of packages) expect(printed).toContain(`\n${name} ${version} (${license})\n`);
    // Once each; one text may be the end of another.
    const sections = printed.split(/\n\n={80}\n\n/).map((section) => section.trim());
    for (const text of texts)
      expect(sections.filter((section) => section.endsWith(`)\n\n${text.trim()}`))).toHaveLength(1);
  });

  test('has the runtime with its version, its libraries and their licenses', () => {
    for (const text of [
      `Bun ${Bun.version}`,
      `webkit ${process.versions.webkit}`,
      `sqlite ${process.versions.sqlite}`,
      'relink Bun',
      'boringssl',
      'GNU LESSER GENERAL PUBLIC LICENSE',
      'GNU LIBRARY GENERAL PUBLIC LICENSE',
      'Apache License',
      'UNICODE LICENSE V3',
    ])
      expect(printed).toContain(text);
  });

  test('ends quietly when its reader leaves', () => {
    const shell = Bun.spawnSync(['sh', '-c', `'${BINARY}' --licenses | head -n 1`], {
      env: { PATH: process.env.PATH ?? '' },
    });
    expect([shell.stdout.toString(), shell.stderr.toString()]).toEqual(['manager-server\n', '']);
  });
});

describe('the build', () => {
  function packageWith(license: string | undefined, file: string | null): string {
    const path = folder();
    writeFileSync(join(path, 'package.json'), JSON.stringify({ name: 'left-over', version: '1.2.3', license }));
    if (file !== null) writeFileSync(join(path, file), 'Permission is granted');
    return path;
  }

  test.each([
    ['MIT', 'LICENSE'],
    ['ISC', 'license.md'],
    ['(BSD-2-Clause OR GPL-2.0)', 'LICENCE'],
    ['MIT AND Zlib', 'COPYING.txt'],
  ])('accepts a package under %s with %s', (license, file) => {
    expect(readPackage(packageWith(license, file))).toMatchObject({ name: 'left-over', text: 'Permission is granted' });
  });

  test.each(['GPL-3.0', 'LGPL-2.1', 'SEE LICENSE IN x', 'MIT AND GPL-2.0', undefined])(
    'fails with a package under %s',
    (license) => {
      expect(() => readPackage(packageWith(license, 'LICENSE'))).toThrow(
        'left-over 1.2.3 is in the executable, but its license',
      );
    },
  );

  test.each([null, 'README.md', 'licensing-tool.js.map'])(
    'fails with a package whose license text is missing (%s)',
    (file) => {
      expect(() => readPackage(packageWith('MIT', file))).toThrow('has no license text');
    },
  );

  test('fails when the notices of the runtime are of another version', () => {
    expect(() => runtimeNotices({ ...process.versions, bun: '0.0.1' })).toThrow('those of');
  });
});
