import { join } from 'node:path';
import { PANEL_PAGES, type PanelPage } from '../lib/panel-pages.ts';
import { PANEL } from '../lib/project.ts';

interface NavigationModule {
  readonly ALL_ENTRIES: readonly { readonly path: string; readonly view?: string; readonly later?: string }[];
}

/** Every finished entry of the navigation, then the tabs, views and drawers that have a line of their own. */
export async function allPages(): Promise<readonly PanelPage[]> {
  // By a path: the panel is compiled with other settings than the scripts.
  const { ALL_ENTRIES }: NavigationModule = await import(join(PANEL, 'src/shell/navigation.ts'));
  const entries = ALL_ENTRIES.filter(({ later }) => later === undefined).map(({ path, view }) => ({
    name: path.slice(1).replaceAll('/', '-') + (view === undefined ? '' : `-${view}`),
    path: view === undefined ? path : `${path}?view=${view}`,
  }));
  return [...entries, ...PANEL_PAGES];
}

/** The address with the values of a scene; null when it lacks one of them. */
export function filled(page: PanelPage, values: Readonly<Record<string, string>>): string | null {
  let complete = true;
  const path = page.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) complete = false;
    return name === 'range' ? (value ?? '') : encodeURIComponent(value ?? '');
  });
  return complete ? path : null;
}

/** English texts without values that read differently in the language: none of them may be seen there. */
export async function foreignTexts(language: string): Promise<readonly string[]> {
  if (language === 'en') return [];
  const { en } = await import(join(PANEL, 'src/platform/i18n/en/index.ts'));
  const { zhCN } = await import(join(PANEL, 'src/platform/i18n/zh-CN/index.ts'));
  const own = new Set(Object.values(zhCN as Record<string, string>));
  const texts = Object.values(en as Record<string, string>);
  return [...new Set(texts.filter((text) => /[a-z]{2}/.test(text) && !text.includes('{{') && !own.has(text)))];
}

/** First parts of the keys of texts: `nav` of `nav.dashboard`. */
export async function keyParts(): Promise<readonly string[]> {
  const { en } = await import(join(PANEL, 'src/platform/i18n/en/index.ts'));
  return [...new Set(Object.keys(en as object).map((key) => key.split('.')[0] ?? ''))];
}
