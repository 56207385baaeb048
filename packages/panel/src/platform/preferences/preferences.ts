import { isRecord, readStored, writeStored } from '../browser/storage.ts';
import { NUMBER_STYLES, type NumberStyle } from '../format/format.ts';
import { createStore, useStore } from '../store.ts';

export type ThemeChoice = 'auto' | 'light' | 'dark' | 'contrast';
export type Language = 'en' | 'zh-CN';
export type Density = 'compact' | 'comfortable';
/** px of a table row. */
export const ROW_HEIGHTS: Readonly<Record<Density, number>> = { compact: 28, comfortable: 36 };

export interface Preferences {
  readonly theme: ThemeChoice;
  /** null = the browser's. */
  readonly language: Language | null;
  /** IANA name, 'UTC', or '' for the browser's zone. */
  readonly timeZone: string;
  readonly density: Density;
  /** No animations, even if the system allows them. */
  readonly reducedMotion: boolean;
  /** 0 = Sunday; null = the language's default. */
  readonly firstWeekday: number | null;
  readonly numberStyle: NumberStyle;
  /** Path of the page that `/` leads to, where that page exists. */
  readonly startPage: string;
  /** Minutes without input after which the panel locks, 0 = never. */
  readonly idleLockMinutes: number;
  /** Checks for updates automatically, at a server outside. */
  readonly updateChecks: boolean;
  /** Masking of a new tab. */
  readonly startMasked: boolean;
  /** Single-key shortcuts. */
  readonly shortcuts: boolean;
  /** Seconds between refreshes of the monitoring page, 0 = off. */
  readonly liveRefreshSeconds: number;
  /** Seconds between looks at the gateway's log, 0 = off. */
  readonly logRefreshSeconds: number;
  /** Long lines of logs break instead of being scrolled. */
  readonly logWrap: boolean;
}

/** Target of `/` by default. */
export const START_PATH = '/dashboard';

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'auto',
  language: null,
  timeZone: '',
  density: 'compact',
  reducedMotion: false,
  firstWeekday: null,
  numberStyle: 'comma',
  startPage: START_PATH,
  idleLockMinutes: 0,
  updateChecks: false,
  startMasked: true,
  shortcuts: true,
  liveRefreshSeconds: 30,
  logRefreshSeconds: 5,
  logWrap: true,
};

export const FIRST_WEEKDAYS: readonly number[] = [1, 0, 6];
export const IDLE_LOCK_CHOICES: readonly number[] = [0, 15, 60];
export const REFRESH_CHOICES: readonly number[] = [0, 5, 10, 30, 60, 300];
export const LOG_REFRESH_CHOICES: readonly number[] = [0, 3, 5, 10];

/** Whether the browser knows the zone. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The value if it is one of the choices, else the default. */
function oneOf<T>(choices: readonly T[], value: unknown, otherwise: T): T {
  return choices.find((choice) => choice === value) ?? otherwise;
}

/** Valid parts of a stored value, defaults for the rest. */
export function parsePreferences(stored: unknown): Preferences {
  if (!isRecord(stored)) return DEFAULT_PREFERENCES;
  const { language, timeZone, firstWeekday, startPage, startMasked, shortcuts } = stored;
  const usual = DEFAULT_PREFERENCES;
  return {
    theme: oneOf<ThemeChoice>(['light', 'dark', 'contrast'], stored.theme, usual.theme),
    language: language === 'en' || language === 'zh-CN' ? language : null,
    timeZone: typeof timeZone === 'string' && (timeZone === '' || isTimeZone(timeZone)) ? timeZone : '',
    density: oneOf<Density>(['comfortable'], stored.density, usual.density),
    reducedMotion: stored.reducedMotion === true,
    firstWeekday: FIRST_WEEKDAYS.find((day) => day === firstWeekday) ?? null,
    numberStyle: oneOf(NUMBER_STYLES, stored.numberStyle, usual.numberStyle),
    startPage: typeof startPage === 'string' ? startPage : usual.startPage,
    idleLockMinutes: oneOf(IDLE_LOCK_CHOICES, stored.idleLockMinutes, usual.idleLockMinutes),
    updateChecks: stored.updateChecks === true,
    startMasked: typeof startMasked === 'boolean' ? startMasked : true,
    shortcuts: typeof shortcuts === 'boolean' ? shortcuts : true,
    liveRefreshSeconds: oneOf(REFRESH_CHOICES, stored.liveRefreshSeconds, usual.liveRefreshSeconds),
    logRefreshSeconds: oneOf(LOG_REFRESH_CHOICES, stored.logRefreshSeconds, usual.logRefreshSeconds),
    logWrap: typeof stored.logWrap === 'boolean' ? stored.logWrap : usual.logWrap,
  };
}

const preferencesStore = createStore(parsePreferences(readStored('browser', 'prefs')));

/** Masking of this tab only; not stored. */
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

let browserZone = 'UTC';
let browserOffset = Number.NaN;

/** `Intl` is slow, so the zone is only read again when the clock's offset changes. */
export function browserTimeZone(): string {
  const offset = new Date().getTimezoneOffset();
  if (offset !== browserOffset) {
    browserZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    browserOffset = offset;
  }
  return browserZone;
}

/** The zone of every time and day boundary on screen. */
export function useTimeZone(): string {
  return usePreferences().timeZone || browserTimeZone();
}
