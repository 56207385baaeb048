import i18next from 'i18next';
import { useCallback } from 'react';
import { initReactI18next, useTranslation } from 'react-i18next';
import { getPreferences, type Language, onPreferences, usePreferences } from '../app/preferences.ts';
import { en } from './en/index.ts';
import { zhCN } from './zh-CN/index.ts';

/** `_one` and `_other` are plural forms; callers name the key without them. */
type Base<K> = K extends `${infer Name}_one` ? Name : K extends `${infer Name}_other` ? Name : K;
export type TextKey = Base<keyof typeof en>;
export type TextValues = Readonly<Record<string, string | number>>;
export type Translate = (key: TextKey, values?: TextValues) => string;

export const LANGUAGES: readonly { readonly code: Language; readonly name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'zh-CN', name: '简体中文' },
];

/** The stored choice, else the first language of the browser that exists here, else English. */
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

export function startI18n(): void {
  void i18next.use(initReactI18next).init({
    lng: currentLanguage(),
    fallbackLng: 'en',
    resources: { en: { translation: en }, 'zh-CN': { translation: zhCN } },
    keySeparator: false,
    nsSeparator: false,
    // React escapes.
    interpolation: { escapeValue: false },
    initAsync: false,
  });
  const apply = () => {
    document.documentElement.lang = currentLanguage();
    if (i18next.language !== currentLanguage()) void i18next.changeLanguage(currentLanguage());
  };
  apply();
  onPreferences(apply);
}

/** Translator and locale of the chosen language. */
export function useText(): { readonly t: Translate; readonly language: Language; readonly locale: string } {
  const { t } = useTranslation();
  const language = chooseLanguage(usePreferences().language, navigator.languages);
  // The same function until the language changes, so that what is reckoned with it need not be reckoned again.
  const translate = useCallback<Translate>((key, values) => t(key, { ...values }), [t]);
  // British English: day before month, 24 hours, as everywhere else in the panel.
  return { t: translate, language, locale: language === 'en' ? 'en-GB' : language };
}
