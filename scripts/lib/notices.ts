import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import prices from '../../packages/server/src/features/prices/built-in/prices.json';
import { type BundledPackage, bundledPackages } from './bundled-packages.ts';
import { NOTICES, ROOT } from './project.ts';
import { runtimeNotices } from './runtime-notices.ts';

const RULE = '='.repeat(80);

/** Writes the license notices of everything inside the executable: as text for the packages, compressed for the executable. */
export async function writeNotices(): Promise<void> {
  const text = noticesText(await bundledPackages(), runtimeNotices());
  mkdirSync(dirname(NOTICES), { recursive: true });
  writeFileSync(NOTICES, text);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(`${NOTICES}.br`, brotliCompressSync(text, { params: quality }));
}

function priceOrigin(): string {
  const { origin } = prices;
  return `The prices of common models are from the catalog of ${origin.catalogue}, as in ${origin.package} ${origin.version} (${origin.license}).`;
}

/** Packages with the same text share it. */
function noticesText(packages: readonly BundledPackage[], runtime: string): string {
  const byText = Map.groupBy(packages, ({ text }) => text);
  const sections = [...byText].map(
    ([text, group]) =>
      `${group.map(({ name, version, license }) => `${name} ${version} (${license})`).join('\n')}\n\n${text}`,
  );
  return `${[
    `manager-server\n\n${readFileSync(join(ROOT, 'LICENSE'), 'utf8').trim()}`,
    priceOrigin(),
    'This program contains the following packages, or parts of them.',
    ...sections,
    'It runs on the following runtime, which is part of the executable.',
    runtime,
  ].join(`\n\n${RULE}\n\n`)}\n`;
}
