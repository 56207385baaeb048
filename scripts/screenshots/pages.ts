import { join } from 'node:path';
import { PANEL_PAGES, type PanelPage } from '../lib/panel-pages.ts';
import { PANEL } from '../lib/project.ts';

interface NavigationModule {
  readonly ALL_ENTRIES: readonly { readonly path: string; readonly view?: string }[];
}

/** Every entry of the navigation. */
export async function navigationPages(): Promise<readonly PanelPage[]> {
  // Imported by path: the panel is compiled with other settings than the scripts.
  const { ALL_ENTRIES }: NavigationModule = await import(join(PANEL, 'src/shell/navigation.ts'));
  return ALL_ENTRIES.map(({ path, view }) => ({
    name: path.slice(1).replaceAll('/', '-') + (view === undefined ? '' : `-${view}`),
    path: view === undefined ? path : `${path}?view=${view}`,
  }));
}

/** The same, then the listed tabs, views and drawers. */
export const allPages = async (): Promise<readonly PanelPage[]> => [...(await navigationPages()), ...PANEL_PAGES];

/** The address with a scene's values; null when one is missing. */
export function filled(page: PanelPage, values: Readonly<Record<string, string>>): string | null {
  let complete = true;
  const path = page.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) complete = false;
    return name === 'range' ? (value ?? '') : encodeURIComponent(value ?? '');
  });
  return complete ? path : null;
}

/** English texts without placeholders that have a different translation: none of them may appear in that language. */
export async function foreignTexts(language: string): Promise<readonly string[]> {
  if (language === 'en') return [];
  const { en } = await import(join(PANEL, 'src/platform/i18n/en/index.ts'));
  const { zhCN } = await import(join(PANEL, 'src/platform/i18n/zh-CN/index.ts'));
  const own = new Set(Object.values(zhCN as Record<string, string>));
  const texts = Object.values(en as Record<string, string>);
  return [...new Set(texts.filter((text) => /[a-z]{2}/.test(text) && !text.includes('{{') && !own.has(text)))];
}

/** First parts of text keys: `nav` of `nav.dashboard`. */
export async function keyParts(): Promise<readonly string[]> {
  const { en } = await import(join(PANEL, 'src/platform/i18n/en/index.ts'));
  return [...new Set(Object.keys(en as object).map((key) => key.split('.')[0] ?? ''))];
}
