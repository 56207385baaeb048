import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../../test/support/browser.ts';
import { buildExecutable } from '../lib/build.ts';
import { ensureChromium } from '../lib/chromium.ts';
import { ROOT } from '../lib/project.ts';
import { allPages } from '../screenshots/pages.ts';
import { SCENE_NAMES, startScene } from '../screenshots/scenes.ts';
import { THEMES, takePage, WIDTHS } from '../screenshots/take.ts';

// `npm run screenshots`: pictures and automatic checks of every page of the panel. See `CONTRIBUTING.md`.
const PATIENCE_MS = { empty: 15_000, little: 15_000, large: 60_000 } as const;

const { values: options } = parseArgs({
  args: process.argv.slice(2),
  options: {
    only: { type: 'string', default: SCENE_NAMES.join() },
    page: { type: 'string' },
    language: { type: 'string', default: 'en' },
    width: { type: 'string', default: WIDTHS.join() },
    theme: { type: 'string', default: THEMES.join() },
    events: { type: 'string', default: '3200000' },
  },
});
const scenes = chosen('--only', options.only, SCENE_NAMES);
const themes = chosen('--theme', options.theme, THEMES);
const widths = options.width.split(',').map(Number);
const [language = 'en'] = chosen('--language', options.language, ['en', 'zh-CN']);
const wanted = options.page?.split(',');
const pages = (await allPages()).filter(
  ({ name }) => wanted === undefined || wanted.some((part) => name === part || name.startsWith(`${part}-`)),
);
/** A partial run keeps the pictures of earlier runs. */
const whole =
  wanted === undefined && language === 'en' && widths.length === WIDTHS.length && themes.length === THEMES.length;
if (pages.length === 0) throw new Error(`no page is called ${options.page}`);

process.env.CHROMIUM_PATH = ensureChromium();
process.env.MANAGER_BINARY = buildExecutable('dev');
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1));

let faults = 0;
let pictures = 0;
const root = join(ROOT, 'test-artefacts', 'screenshots');
const browser = await launchBrowser();
for (const sceneName of scenes) {
  const folder = join(root, sceneName);
  if (whole) rmSync(folder, { recursive: true, force: true });
  console.error(`${sceneName}: making the data …`);
  const scene = await startScene(sceneName, Number(options.events));
  try {
    for (const page of pages) {
      const patienceMs = PATIENCE_MS[sceneName];
      await takePage(browser, scene, page, { folder, language, widths, themes, patienceMs }, (picture) => {
        pictures += 1;
        if (picture.faults.length > 0) faults += 1;
        console.log(`${picture.faults.length > 0 ? 'FAULT' : 'ok   '} ${sceneName}/${picture.name}`);
        for (const line of [...picture.faults, ...picture.remarks]) console.log(`        ${line}`);
      });
    }
  } finally {
    await scene.end();
  }
}
await browser.close();
console.log(`${pictures} pictures in ${root}, ${faults} with faults`);
process.exit(faults === 0 ? 0 : 1);

function chosen<Name extends string>(option: string, text: string, names: readonly Name[]): Name[] {
  return text.split(',').map((part) => {
    const name = names.find((known) => known === part.trim());
    if (name === undefined) throw new Error(`${option}: one of ${names.join(', ')} expected`);
    return name;
  });
}
