import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import reactPlugin from '@vitejs/plugin-react';
import * as react from 'react';
import * as runtime from 'react/jsx-runtime';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import { en } from './src/platform/i18n/en/index.ts';
import { zhCN } from './src/platform/i18n/zh-CN/index.ts';

const packageFile = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string };

const SCRIPT = /<script type="module"[^>]*>([\s\S]*?)<\/script>/;

/** Variables of Mantine for colours and headings that the panel has no use for; its own are in `tokens.css`. */
const UNUSED_VARIABLES =
  /--mantine-(?:color-(?:pink|grape|violet|indigo|cyan|green|lime|yellow|orange)|h\d|breakpoint)-[\w-]+:[^;}]*;?/g;

/**
 * Turns the built page into its final form: one classic script in the head, so that the theme is set before anything is
 * painted, and a policy that allows exactly this script. The policy sits in the page because the file is also served by
 * the gateway, which sends none.
 */
function panelDocument(): Plugin {
  return {
    name: 'panel-document',
    enforce: 'post',
    transformIndexHtml: (html) => html.replace('%PANEL_VERSION%', packageFile.version),
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const asset of Object.values(bundle)) {
          if (asset.type !== 'asset' || !asset.fileName.endsWith('.html')) continue;
          const html = String(asset.source).replace(UNUSED_VARIABLES, '');
          const code = SCRIPT.exec(html)?.[1];
          if (code === undefined) throw new Error('the built page holds no inline script');
          const hash = createHash('sha256').update(code).digest('base64');
          const policy = [
            "default-src 'none'",
            `script-src 'sha256-${hash}' blob:`,
            "style-src 'unsafe-inline'",
            'img-src data: blob:',
            "connect-src 'self' http: https:",
            "frame-src 'self'",
            'worker-src blob:',
            "base-uri 'none'",
            "form-action 'none'",
          ].join('; ');
          // Functions as replacements: the code may hold `$&`.
          asset.source = html
            .replace(SCRIPT, () => '')
            .replace(
              '<meta charset="utf-8" />',
              (tag) => `${tag}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
            )
            .replace('</head>', () => `  <script>${code}</script>\n  </head>`);
        }
      },
    },
  };
}

const SCHEMA = /^((?:export )?const \w+(?:: [^=\n]+)? = )([\s\S]*?);$/gm;

/**
 * The panel takes paths, limits and words from the contract and trusts the server with the rest. A schema is made by calls, which
 * a bundler has to keep, and the whole library with them, unless it is told that nothing comes of them.
 */
function withoutSchemas(): Plugin {
  return {
    name: 'without-schemas',
    enforce: 'pre',
    transform(code, id) {
      if (!/\/core\/src\/contract\/[\w-]+\.ts$/.test(id)) return null;
      return code.replace(SCHEMA, (statement, head: string, value: string) =>
        /\bz\.|\.\.\./.test(value) ? `${head}/* @__PURE__ */ (() => (${value}))();` : statement,
      );
    },
  };
}

/** Languages of the panel; the keys of texts are all that `t` is ever called with, as literals (`i18n.test.ts` sees to that). */
const LANGUAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = { en, 'zh-CN': zhCN };
const SOURCES = new URL('./src/', import.meta.url);
const TEXT_LITERAL = /'([a-zA-Z]+\.[a-zA-Z0-9]+)'/g;
const PLURAL_FORM = /_(?:one|other)$/;

/** First parts of keys that are made of parts, such as `mode.${mode}`: these keys stay as they are. */
function madePrefixes(): ReadonlySet<string> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
  const found = files.flatMap((name) => [
    ...readFileSync(new URL(name, SOURCES), 'utf8').matchAll(/`([a-zA-Z]+)\.\$\{/g),
  ]);
  return new Set(found.map(([, prefix = '']) => prefix));
}

/**
 * Keys of texts are words for who reads the code; thousands of them, in each language and at each use, are a tenth of the page. In
 * the built page a key is a number, from 1 on, and a language the list of its texts; plural forms and keys made of parts are named.
 */
function numberedTexts(): Plugin {
  const made = madePrefixes();
  const keys = Object.keys(en).filter((key) => !made.has(key.split('.')[0] ?? ''));
  const alone = keys.filter((key) => !PLURAL_FORM.test(key));
  const plural = new Set(keys.filter((key) => PLURAL_FORM.test(key)).map((key) => key.replace(PLURAL_FORM, '')));
  const numbers = new Map([...alone, ...plural].map((key, index) => [key, index + 1]));
  const textsOf = (texts: Readonly<Record<string, string>>): string => {
    const named = Object.entries(texts)
      .filter(([key]) => !alone.includes(key))
      .map(([key, text]) => [key.replace(/^[a-zA-Z]+\.[a-zA-Z0-9]+/, (name) => `${numbers.get(name) ?? name}`), text]);
    const listed = ['', ...alone.map((key) => texts[key])];
    return `Object.assign(${JSON.stringify(listed)}, ${JSON.stringify(Object.fromEntries(named))})`;
  };
  return {
    name: 'numbered-texts',
    enforce: 'pre',
    apply: 'build',
    transform(code, id) {
      const [, path = ''] = /\/panel\/src\/(.*\.tsx?)$/.exec(id) ?? [];
      const texts = LANGUAGES[/^platform\/i18n\/([\w-]+)\/index\.ts$/.exec(path)?.[1] ?? ''];
      if (texts !== undefined)
        return code.replace(/(export const \w+)[\s\S]*/, (_, head: string) => `${head} = ${textsOf(texts)};`);
      return path === ''
        ? null
        : code.replace(TEXT_LITERAL, (literal, key: string) => `${numbers.get(key) ?? literal}`);
    },
  };
}

/**
 * A name imported from a CommonJS module is called as `(0, module.name)(…)`, thousands of times for the elements and hooks of React.
 * In the built page each name is a constant of its own.
 */
function directReact(): Plugin {
  const modules: Readonly<Record<string, readonly string[]>> = {
    react: Object.keys(react),
    'react/jsx-runtime': Object.keys(runtime),
  };
  return {
    name: 'direct-react',
    enforce: 'pre',
    apply: 'build',
    resolveId(source, importer, { kind }) {
      return modules[source] === undefined || kind !== 'import-statement' || importer?.startsWith('\0direct:')
        ? null
        : `\0direct:${source}`;
    },
    load(id) {
      if (!id.startsWith('\0direct:')) return null;
      const source = id.slice('\0direct:'.length);
      const names = (modules[source] ?? []).filter((name) => name !== 'default');
      return [
        `import whole from '${source}';`,
        'export default whole;',
        ...names.map((name) => `export const ${name} = whole.${name};`),
      ].join('\n');
    },
  };
}

/** A member set on a component, in the layout Mantine is published in. */
const MEMBER = /^([A-Z]\w*\.\w+) = (\w+|"[^"\n]*"|\{[^{}]*\});$/gm;
const MANTINE = new URL('../../node_modules/@mantine/core/esm/', import.meta.url);

/**
 * Parts hang on the components of Mantine as members (`Menu.Sub`), so that a bundler has to keep them all. Members that neither the
 * panel nor Mantine itself reads are left out of the built page.
 */
function withoutUnusedMembers(): Plugin {
  const sources = [MANTINE, SOURCES].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:mjs|tsx?)$/.test(name))
      .map((name) => readFileSync(new URL(name, root), 'utf8').replace(MEMBER, '')),
  );
  const read = new Set(sources.flatMap((code) => code.match(/(?<!")\b[A-Z]\w*\.\w+|"@mantine\/[^"\n]*"/g) ?? []));
  return {
    name: 'without-unused-members',
    apply: 'build',
    transform(code, id) {
      if (!id.includes('/@mantine/core/')) return null;
      return code
        .replace(MEMBER, (statement, member: string, value: string) =>
          read.has(member) || read.has(value) ? statement : '',
        )
        .replace(/^(const \w+ = )(?=\w+\()/gm, '$1/* @__PURE__ */ ');
    },
  };
}

export default defineConfig({
  base: './',
  define: { __PANEL_VERSION__: JSON.stringify(packageFile.version) },
  plugins: [
    withoutSchemas(),
    numberedTexts(),
    directReact(),
    withoutUnusedMembers(),
    reactPlugin(),
    viteSingleFile(),
    panelDocument(),
  ],
  build: {
    outDir: 'dist',
    target: ['chrome120', 'firefox121', 'safari17'],
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: 'management.html', output: { format: 'iife' } },
  },
  server: {
    open: '/management.html',
    proxy: Object.fromEntries(
      ['/usage-service', '/status', '/setup', '/health', '/models', '/v0', '/v1'].map((path) => [
        path,
        { target: process.env.MANAGER_URL ?? 'http://127.0.0.1:18317', changeOrigin: true },
      ]),
    ),
  },
});
