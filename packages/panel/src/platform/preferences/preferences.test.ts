import { describe, expect, test } from 'bun:test';
import { chooseLanguage } from '../i18n/index.ts';
import { DEFAULT_PREFERENCES, parsePreferences } from './preferences.ts';

describe('stored preferences', () => {
  test('keep what is valid and take the default for the rest', () => {
    expect(parsePreferences({ theme: 'dark', language: 'fr', timeZone: 'Mars/Base', liveRefreshSeconds: 7 })).toEqual({
      ...DEFAULT_PREFERENCES,
      theme: 'dark',
    });
    expect(parsePreferences({ timeZone: 'Asia/Shanghai', liveRefreshSeconds: 0, startMasked: false })).toEqual({
      ...DEFAULT_PREFERENCES,
      timeZone: 'Asia/Shanghai',
      liveRefreshSeconds: 0,
      startMasked: false,
    });
  });

  test('of appearance are among the options', () => {
    const chosen = {
      density: 'comfortable',
      reducedMotion: true,
      firstWeekday: 0,
      numberStyle: 'space',
      startPage: '/accounts',
      idleLockMinutes: 15,
      logRefreshSeconds: 0,
      logWrap: false,
    } as const;
    expect(parsePreferences(chosen)).toEqual({ ...DEFAULT_PREFERENCES, ...chosen });
    const unknown = {
      density: 'huge',
      reducedMotion: 'yes',
      firstWeekday: 3,
      numberStyle: 'toString',
      startPage: 7,
      idleLockMinutes: 1,
      logRefreshSeconds: 4,
      logWrap: 'no',
    };
    expect(parsePreferences(unknown)).toEqual(DEFAULT_PREFERENCES);
  });

  test('are the defaults when nothing usable is stored', () => {
    for (const stored of [undefined, null, 'dark', []]) expect(parsePreferences(stored)).toEqual(DEFAULT_PREFERENCES);
  });
});

describe('language', () => {
  test('is the choice, else the first known of the browser, else English', () => {
    expect(chooseLanguage('zh-CN', ['en'])).toBe('zh-CN');
    expect(chooseLanguage(null, ['de', 'zh-Hans', 'en'])).toBe('zh-CN');
    expect(chooseLanguage(null, ['de-DE'])).toBe('en');
  });
});
