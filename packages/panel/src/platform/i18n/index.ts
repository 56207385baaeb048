import { getPreferences, type Language, onPreferences, usePreferences } from '../preferences/preferences.ts';
import { en } from './en/index.ts';
import { createTranslator } from './translator.ts';
import { zhCN } from './zh-CN/index.ts';

/** `_one` and `_other` are plural forms; callers omit the suffix. */
type Base<K> = K extends `${infer Name}_one` ? Name : K extends `${infer Name}_other` ? Name : K;
export type TextKey = Base<keyof typeof en>;
export type TextValues = Readonly<Record<string, string | number>>;
export type Translate = (key: TextKey, values?: TextValues) => string;

export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'zh-CN', name: '简体中文' },
];

/** The stored choice, else the browser's first supported language, else English. */
export function chooseLanguage(choice: Language | null, browser: readonly string[]): Language {
  if (choice !== null) return choice;
  for (const tag of browser) {
    if (/^zh\b/i.test(tag)) return 'zh-CN';
    if (/^en\b/i.test(tag)) return 'en';
  }
  return 'en';
}

function currentLanguage(): Language {
  return chooseLanguage(getPreferences().language, navigator.languages);
}

/** Sets the document's language to that of the texts. */
export function startI18n(): void {
  const apply = () => {
    document.documentElement.lang = currentLanguage();
  };
  apply();
  onPreferences(apply);
}

/** One object per language, so that values derived from it are recomputed only when the language changes. */
const TRANSLATORS: Readonly<Record<Language, Translate>> = {
  en: createTranslator('en', en),
  'zh-CN': createTranslator('zh-CN', zhCN),
};

/** Translator and locale of the chosen language. */
export function useText(): { readonly t: Translate; readonly language: Language; readonly locale: string } {
  const language = chooseLanguage(usePreferences().language, navigator.languages);
  // British English: day before month, 24 hours, as everywhere else in the panel.
  return { t: TRANSLATORS[language], language, locale: language === 'en' ? 'en-GB' : language };
}
