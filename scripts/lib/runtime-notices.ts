import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './project.ts';

/** The runtime's own page about its licenses, in the package of its types. */
const TYPES = join(ROOT, 'node_modules', 'bun-types');
const TEXTS = join(ROOT, 'scripts', 'licenses');

/** Entries of `process.versions` that are interfaces the runtime imitates, not code inside it. */
const IMITATED = ['node', 'modules', 'napi', 'v8', 'openssl', 'unicode', 'bun'];

/** Licenses of libraries inside the runtime. A new one needs a look, and its text in `scripts/licenses`. */
const KNOWN = [
  /^MIT\b/,
  /^BSD [23]-Clause\b/,
  /^Apache 2\.0\b/,
  /^LGPL v2\.1$/,
  /^zlib$/,
  /^ICU license$/,
  /^public domain$/,
  /^several licenses$/,
  /^dual-licensed under .*\b(?:MIT|BSD|CC0)\b/,
];

const HOLDERS = `Bun: Copyright (c) Oven and the contributors of Bun
JavaScriptCore, WebKit and WebCore: Copyright (C) Apple Inc., the KDE project, Google Inc. and others
BoringSSL: Copyright (c) the OpenSSL Project Authors, Google Inc. and others. This product includes software developed by the
  OpenSSL Project for use in the OpenSSL Toolkit (https://www.openssl.org/) and cryptographic software written by Eric Young.
zstd: Copyright (c) Meta Platforms, Inc. and affiliates
libdeflate: Copyright 2016 Eric Biggers, 2024 Google LLC
libarchive: Copyright (c) 2003-2018 Tim Kientzle and others
lol-html: Copyright (C) 2019 Cloudflare, Inc.
mimalloc: Copyright (c) Microsoft Corporation, Daan Leijen
picohttpparser: Copyright (c) 2009-2014 Kazuho Oku, Tokuhiro Matsuno, Daisuke Murase, Shigeo Mitsunari
uSockets, uWebSockets: Copyright Alex Hultman and contributors
ls-hpack, ls-qpack, lsquic: Copyright (c) LiteSpeed Technologies Inc.
base64: Copyright (c) Wojciech Mula, Matthieu Darbois, Alfred Klomp and others
libwebp: Copyright (c) 2010 Google Inc.
libjpeg-turbo: Copyright (C) The libjpeg-turbo Project, Thomas G. Lane, Guido Vollbeding, D. R. Commander and others. This software
  is based in part on the work of the Independent JPEG Group.
libspng: Copyright (c) Randy and contributors
highway: Copyright Google LLC
TinyCC: Copyright (c) Fabrice Bellard and contributors
esbuild: Copyright (c) Evan Wallace`;

/**
 * The notices of Bun and of what it links statically: its own page, the versions inside, copyright notices and license texts.
 *
 * @throws Error when the page is of another version, or has a library under a license that nobody looked at.
 */
export function runtimeNotices(versions: Readonly<Record<string, string | undefined>> = process.versions): string {
  const { version }: { version: string } = JSON.parse(readFileSync(join(TYPES, 'package.json'), 'utf8'));
  if (version !== versions.bun)
    throw new Error(`the licenses of Bun ${versions.bun} are needed, those of ${version} found`);
  const page = readFileSync(join(TYPES, 'docs', 'project', 'license.mdx'), 'utf8');
  for (const { library, license } of libraries(page))
    if (!KNOWN.some((known) => known.test(license))) throw new Error(`${library} in the runtime is under ${license}`);
  const inside = Object.entries(versions)
    .filter(([name]) => !IMITATED.includes(name))
    .map(([name, revision]) => `${name} ${revision}`);
  return [
    `Bun ${version} (https://github.com/oven-sh/bun)`,
    plain(page),
    `Versions inside, most of them commits of the repositories above:\n\n${inside.join('\n')}`,
    'WebKit is used without changes of ours; its source is the commit above of https://github.com/oven-sh/WebKit.',
    HOLDERS,
    ...texts(join(TEXTS, 'runtime')).map(([name, text]) => `${name}:\n\n${text}`),
    ...texts(TEXTS).map(([, text]) => text),
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** The rows of its tables. */
function libraries(page: string): { readonly library: string; readonly license: string }[] {
  const rows = [...page.matchAll(/^\| (.*?) *\| (.*?) *\|$/gm)].map(([, library = '', license = '']) => ({
    library: withoutLinks(library),
    license: withoutLinks(license),
  }));
  return rows.filter(({ license }) => license !== 'License' && !/^-+$/.test(license));
}

/** Without markup, but with the addresses of links. */
function plain(page: string): string {
  return page
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^\|[ -]+\|[ -]+\|\n/gm, '')
    .replace(/\[`?([^\]`]*)`?\]\(([^)]*)\)/g, '$1 ($2)')
    .replace(/^\| (.*?) *\| (.*?) *\|$/gm, '$1: $2')
    .replace(/^#+ /gm, '')
    .trim();
}

function withoutLinks(cell: string): string {
  return cell.replace(/\[`?([^\]`]*)`?\]\([^)]*\)/g, '$1');
}

function texts(folder: string): [name: string, text: string][] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map((file) => [basename(file, '.txt'), readFileSync(join(folder, file), 'utf8').trim()]);
}
