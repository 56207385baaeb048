import { isRecord, readStored, writeStored } from './storage.ts';
import { createStore, useStore } from './store.ts';

export type ThemeChoice = 'auto' | 'light' | 'dark' | 'contrast';
export type Language = 'en' | 'zh-CN';

export interface Preferences {
  readonly theme: ThemeChoice;
  /** null = the browser's. */
  readonly language: Language | null;
  /** IANA name, 'UTC', or '' for the browser's zone. */
  readonly timeZone: string;
  /** Display of a fresh tab. */
  readonly startMasked: boolean;
  /** Single-key shortcuts. */
  readonly shortcuts: boolean;
  /** Seconds between refreshes of the live page, 0 = off. */
  readonly liveRefreshSeconds: number;
}

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'auto',
  language: null,
  timeZone: '',
  startMasked: true,
  shortcuts: true,
  liveRefreshSeconds: 30,
};

export const REFRESH_CHOICES: readonly number[] = [0, 5, 10, 30, 60, 300];

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Takes what is valid from a stored value, the default for the rest. */
export function parsePreferences(stored: unknown): Preferences {
  if (!isRecord(stored)) return DEFAULT_PREFERENCES;
  const { theme, language, timeZone, startMasked, shortcuts, liveRefreshSeconds } = stored;
  return {
    theme: theme === 'light' || theme === 'dark' || theme === 'contrast' ? theme : 'auto',
    language: language === 'en' || language === 'zh-CN' ? language : null,
    timeZone: typeof timeZone === 'string' && (timeZone === '' || isTimeZone(timeZone)) ? timeZone : '',
    startMasked: typeof startMasked === 'boolean' ? startMasked : true,
    shortcuts: typeof shortcuts === 'boolean' ? shortcuts : true,
    liveRefreshSeconds:
      typeof liveRefreshSeconds === 'number' && REFRESH_CHOICES.includes(liveRefreshSeconds)
        ? liveRefreshSeconds
        : DEFAULT_PREFERENCES.liveRefreshSeconds,
  };
}

const preferencesStore = createStore(parsePreferences(readStored('browser', 'prefs')));

/** Display of this tab only; switching it is not remembered. */
export const maskedStore = createStore(preferencesStore.get().startMasked);

export const getPreferences = preferencesStore.get;
export const onPreferences = preferencesStore.subscribe;

export function setPreferences(change: Partial<Preferences>): void {
  const next = { ...preferencesStore.get(), ...change };
  preferencesStore.set(next);
  writeStored('browser', 'prefs', next);
}

export function usePreferences(): Preferences {
  return useStore(preferencesStore);
}

export function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
}

/** The zone every time on screen is shown in, and every day boundary follows. */
export function useTimeZone(): string {
  return usePreferences().timeZone || browserTimeZone();
}
