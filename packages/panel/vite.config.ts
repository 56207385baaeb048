import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PANEL_SCRIPT_PATH } from '@manager/core/contract/constants';
import reactPlugin from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';
import {
  isSharedSource,
  moduleList,
  namedJsx,
  SHARED_NAMES,
  SHARED_OBJECT,
  TARGET,
  workerModules,
} from './vite.shared.ts';

const packageFile = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8')) as { version: string };

/** The page runs this file alone. Without it, as on a first `vite` without a build, '': the source mode is a text area. */
function digestOf(name: string): string {
  const file = new URL(`./dist/${name}`, import.meta.url);
  return existsSync(file) ? createHash('sha256').update(readFileSync(file)).digest('hex') : '';
}

const SCRIPT = /<script type="module"[^>]*>([\s\S]*?)<\/script>/;

const TEXTS = fileURLToPath(new URL('./src/platform/i18n', import.meta.url));

/** Chinese texts in the order of the English ones, so that the page has every key once: 67 kB less. */
function textsByOrder(): Plugin {
  const chinese = `${TEXTS}/zh-CN/index.ts`;
  return {
    name: 'texts-by-order',
    enforce: 'pre',
    apply: 'build',
    async load(id) {
      if (id !== chinese) return null;
      const { en } = (await import(`${TEXTS}/en/index.ts`)) as { en: object };
      const { zhCN } = (await import(chinese)) as { zhCN: Readonly<Record<string, string>> };
      // Chinese has fewer plural forms.
      const texts = Object.keys(en).map((key) => zhCN[key] ?? null);
      return `import { en } from '../en/index.ts';
        const texts = ${JSON.stringify(texts)};
        export const zhCN = Object.fromEntries(Object.keys(en).map((key, index) => [key, texts[index] ?? undefined]));`;
    },
  };
}

const SHARED_ID = 'virtual:shared-modules';

/** What the pages of the manager import of the page's modules; see `vite.pages.config.ts`. While developing they are part of it. */
function sharedModules(): Plugin {
  let isBuild = false;
  return {
    name: 'shared-modules',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    resolveId: (source) => (source === SHARED_ID ? source : null),
    load(id) {
      if (id !== SHARED_ID) return null;
      if (!isBuild) return `export const fromSources = () => import('/src/manager-pages/manager-pages.ts');`;
      const names = Object.entries(JSON.parse(readFileSync(SHARED_NAMES, 'utf8')) as Record<string, readonly string[]>);
      const path = (module: string) => JSON.stringify(isSharedSource(module) ? `/src/${module}` : module);
      return [
        ...names.map(([module], at) => `import * as shared${at} from ${path(module)};`),
        `${SHARED_OBJECT} = {`,
        ...names.map(
          ([module, members], at) =>
            `${JSON.stringify(module)}: { ${members.map((name) => `${JSON.stringify(name)}: shared${at}.${name}`).join(', ')} },`,
        ),
        '};',
        'export const fromSources = null;',
      ].join('\n');
    },
  };
}

/** Shown when the page's script does not arrive. In the languages of the panel, because they are in the script. */
const SCRIPT_MISSING = `addEventListener('error', ({ target }) => {
  if (!(target instanceof HTMLScriptElement)) return;
  const text = document.createElement('p');
  text.style.cssText = 'max-width: 40em; margin: 4em auto; padding: 0 1em; font: 14px/1.5 system-ui';
  text.textContent = navigator.language.startsWith('zh')
    ? '面板脚本无法加载。请刷新页面；如果仍然如此，请检查反向代理是否将 /usage-service/ 转发到管理器。'
    : "The panel's script could not be loaded. Reload the page. If that does not help, check that the reverse proxy forwards /usage-service/ to the manager.";
  addEventListener('DOMContentLoaded', () => document.body.append(text));
}, true);`;

const digestText = (code: string, encoding: 'base64' | 'hex') => createHash('sha256').update(code).digest(encoding);

/** With a policy that allows these sources of scripts; it sits in the page because a gateway, which serves it too, sends none. */
function withScripts(html: string, sources: readonly string[], scripts: string): string {
  const policy = [
    "default-src 'none'",
    `script-src ${sources.join(' ')} blob:`,
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    "connect-src 'self' http: https:",
    "frame-src 'self'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Functions as replacements: the code may hold `$&`.
  return html
    .replace(
      '<meta charset="utf-8" />',
      (tag) => `${tag}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
    )
    .replace('</head>', () => `  ${scripts}\n  </head>`);
}

/**
 * Turns the built page into its two final forms, each with one classic script in the head, so that the theme is set before anything is
 * painted:
 *
 * - `management.html`, which has the script inside and works wherever the file is served;
 * - `page.html` with `panel.js` beside it, which a manager serves: browsers keep a script with an address of its own compiled, and
 *   compile one inside of a page at every visit (docs/decisions/0009).
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
          const html = String(asset.source);
          const code = SCRIPT.exec(html)?.[1];
          if (code === undefined) throw new Error('the built page holds no inline script');
          const bare = html.replace(SCRIPT, () => '');
          const allowed = (script: string) => `'sha256-${digestText(script, 'base64')}'`;
          asset.source = withScripts(bare, [allowed(code)], `<script>${code}</script>`);

          // Not every browser applies hashes to scripts with an address; `integrity` lets only this one run in its place.
          const address = `.${PANEL_SCRIPT_PATH}?digest=${digestText(code, 'hex')}`;
          const apart = `<script src="${address}" integrity="sha256-${digestText(code, 'base64')}"></script>`;
          this.emitFile({ type: 'asset', fileName: 'panel.js', source: code });
          this.emitFile({
            type: 'asset',
            fileName: 'page.html',
            source: withScripts(
              bare,
              ["'self'", allowed(SCRIPT_MISSING)],
              `<script>${SCRIPT_MISSING}</script>\n    ${apart}`,
            ),
          });
        }
      },
    },
  };
}

/** The library always has its light scheme, because the panel's themes are its own variables, and no language is written from the right. */
const ALWAYS_MATCHES = /:where\(\[data-mantine-color-scheme=['"]?light['"]?\]\)\s+(?=\S)/g;
const NEVER_MATCHES = /\[data-mantine-color-scheme=['"]?dark['"]?\]|\[dir=['"]?rtl['"]?\]/;

/** Rules and conditions of the library that never and always match here. */
const deadRules = {
  postcssPlugin: 'dead-rules',
  Rule(rule: { readonly selectors: readonly string[]; selector: string; remove(): void }) {
    if (rule.selectors.every((selector) => NEVER_MATCHES.test(selector))) return rule.remove();
    const selector = rule.selector.replaceAll(ALWAYS_MATCHES, '');
    if (selector !== rule.selector) rule.selector = selector;
  },
};

export default defineConfig({
  base: './',
  css: { postcss: { plugins: [deadRules] } },
  define: {
    __PANEL_VERSION__: JSON.stringify(packageFile.version),
    __CODE_EDITOR_DIGEST__: JSON.stringify(digestOf('code-editor.js')),
    __MANAGER_PAGES_DIGEST__: JSON.stringify(digestOf('manager-pages.js')),
  },
  plugins: [
    namedJsx(),
    textsByOrder(),
    sharedModules(),
    reactPlugin(),
    moduleList('modules.json'),
    viteSingleFile(),
    panelDocument(),
  ],
  worker: { plugins: () => [workerModules()], rolldownOptions: { output: { comments: false } } },
  build: {
    outDir: 'dist',
    // The files beside the page were built into it before.
    emptyOutDir: false,
    target: TARGET,
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: { input: 'management.html', output: { format: 'iife', comments: false } },
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
