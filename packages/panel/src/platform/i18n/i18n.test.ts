import { describe, expect, test } from 'bun:test';
import { Glob } from 'bun';
import { en } from './en/index.ts';
import { zhCN } from './zh-CN/index.ts';

const root = new URL('../..', import.meta.url).pathname;
const plural = /_(one|other)$/;
const base = (key: string): string => key.replace(plural, '');
const placeholders = (text: string): string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1] ?? '').sort();

async function sources(pattern: string): Promise<readonly { readonly path: string; readonly text: string }[]> {
  const files: { path: string; text: string }[] = [];
  for await (const path of new Glob(pattern).scan(root)) {
    if (/\.test\.tsx?$|\/testing\//.test(path) || /^platform\/i18n\/(en|zh-CN)\//.test(path)) continue;
    files.push({ path, text: await Bun.file(root + path).text() });
  }
  return files;
}

/** The texts of each file of one language. */
async function filesOf(language: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const files = new Map<string, readonly string[]>();
  for await (const name of new Glob('*.ts').scan(`${root}platform/i18n/${language}`)) {
    if (name === 'index.ts') continue;
    const texts: Record<string, Record<string, string>> = await import(`./${language}/${name}`);
    files.set(name, Object.values(texts).flatMap(Object.keys));
  }
  return files;
}

describe('texts', () => {
  test.each([
    ['en', Object.keys(en)],
    ['zh-CN', Object.keys(zhCN)],
  ] as const)('every file of %s is merged, and no key stands in two of them', async (language, merged) => {
    const keys = [...(await filesOf(language)).values()].flat();
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(keys.sort()).toEqual([...merged].sort());
  });

  test('a key is in the same file in both languages', async () => {
    const [english, chinese] = [await filesOf('en'), await filesOf('zh-CN')];
    const bases = (keys: readonly string[] | undefined) => [...new Set((keys ?? []).map(base))].sort();
    expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
    for (const [name, keys] of english)
      expect({ name, keys: bases(chinese.get(name)) }).toEqual({ name, keys: bases(keys) });
  });

  test('both languages hold the same keys', () => {
    const english = new Set(Object.keys(en).map(base));
    const chinese = new Set(Object.keys(zhCN).map(base));
    expect([...english].filter((key) => !chinese.has(key))).toEqual([]);
    expect([...chinese].filter((key) => !english.has(key))).toEqual([]);
  });

  test('plural forms are complete', () => {
    const forms = Object.keys(en)
      .filter((key) => plural.test(key))
      .map(base);
    for (const key of new Set(forms)) {
      expect(Object.keys(en)).toContain(`${key}_one`);
      expect(Object.keys(en)).toContain(`${key}_other`);
      expect(Object.keys(zhCN)).toContain(`${key}_other`);
    }
  });

  test('placeholders are the same in both languages', () => {
    const english: Record<string, string> = en;
    for (const [key, text] of Object.entries(zhCN)) {
      expect({ key, names: placeholders(text) }).toEqual({ key, names: placeholders(english[key] ?? '') });
    }
  });

  test('Chinese texts use Chinese punctuation', () => {
    const wrong = Object.entries(zhCN).filter(([, text]) => /[一-鿿][,;?!]|[,;][一-鿿]/.test(text));
    expect(wrong).toEqual([]);
  });

  test('every key is used, and every used key exists', async () => {
    const code = (await sources('**/*.{ts,tsx}')).map((file) => file.text).join('\n');
    const literals = new Set([...code.matchAll(/'([a-zA-Z]+\.[a-zA-Z0-9]+)'/g)].map((match) => match[1] ?? ''));
    const keys = new Set(Object.keys(en).map(base));
    expect([...keys].filter((key) => !literals.has(key))).toEqual([]);
    const prefixes = new Set([...keys].map((key) => key.split('.')[0] ?? ''));
    const unknown = [...literals].filter((text) => prefixes.has(text.split('.')[0] ?? '') && !keys.has(text));
    expect(unknown).toEqual([]);
  });

  test('no visible text is written into a component', async () => {
    const found: string[] = [];
    for (const { path, text } of await sources('**/*.tsx')) {
      const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\/\/.*$/gm, '');
      for (const match of code.matchAll(/>\s*([A-Z][a-z]+(?: [a-z]+)*)\s*</g)) found.push(`${path}: ${match[1]}`);
      for (const match of code.matchAll(/(?:aria-label|title|placeholder|label)="([A-Za-z][^"]*)"/g))
        found.push(`${path}: ${match[1]}`);
    }
    expect(found).toEqual([]);
  });

  test('names of the wire that carry a product word never reach the screen', () => {
    const all = [...Object.values(en), ...Object.values(zhCN)].join('\n');
    expect(all).not.toMatch(/cpa|codex/i);
  });
});
