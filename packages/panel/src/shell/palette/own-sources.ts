import { TAB_LABELS, tabsOf } from '../../features/settings/settings-search.ts';
import { LANGUAGES } from '../../platform/i18n/index.ts';
import { toggleMasking } from '../../platform/preferences/masking.ts';
import { setPreferences } from '../../platform/preferences/preferences.ts';
import type { PaletteSource } from '../../ui/palette-source.ts';
import { ALL_ENTRIES, isServed } from '../navigation.ts';

/** Pages by name in the chosen language or by path; settings by their sections too. */
export const pageSource: PaletteSource = {
  id: 'pages',
  heading: 'palette.pages',
  found: 'always',
  load:
    () =>
    ({ t, mode }) => [
      ...ALL_ENTRIES.filter((entry) => isServed(entry, mode)).map((entry) => ({
        key: entry.label,
        label: t(entry.label),
        icon: entry.icon,
        words:
          entry.path === '/settings'
            ? [entry.path, ...tabsOf(mode).map((tab) => t(TAB_LABELS[tab])), t('settings.reportZone')].join(' ')
            : entry.path,
        open: { to: entry.path, search: entry.view === undefined ? {} : { view: [entry.view] } },
      })),
      // Tabs that a person looks for as if they were pages.
      {
        key: 'model-rules',
        label: t('modelRules.title'),
        detail: t('nav.accounts'),
        icon: 'accounts' as const,
        words: t('modelRules.excluded'),
        open: { to: '/accounts', search: { view: ['oauth'] } },
      },
      {
        key: 'error-logs',
        label: t('logs.errors'),
        detail: t('nav.logs'),
        icon: 'logs' as const,
        open: { to: '/logs', search: { tab: ['errors'] } },
      },
    ],
};

const THEMES = [
  ['auto', 'theme.auto'],
  ['light', 'theme.light'],
  ['dark', 'theme.dark'],
  ['contrast', 'theme.contrast'],
] as const;

/** Actions available everywhere. */
export const actionSource: PaletteSource = {
  id: 'actions',
  heading: 'palette.actions',
  found: 'typed',
  load:
    () =>
    ({ t, masker, services }) => [
      {
        key: 'masking',
        label: masker.on ? t('masking.show') : t('masking.hide'),
        icon: masker.on ? 'eye' : 'eyeOff',
        words: t('masking.toggle'),
        open: toggleMasking,
      },
      ...THEMES.map(([theme, name]) => ({
        key: theme,
        label: `${t('shell.theme')}: ${t(name)}`,
        icon: 'moon' as const,
        open: () => setPreferences({ theme }),
      })),
      ...LANGUAGES.map(({ code, name }) => ({
        key: code,
        label: `${t('shell.language')}: ${name}`,
        icon: 'language' as const,
        words: 'language',
        open: () => setPreferences({ language: code }),
      })),
      {
        key: 'refresh',
        label: t('palette.refreshAll'),
        icon: 'refresh',
        open: () => void services.queries.invalidateQueries(),
      },
      { key: 'sign-out', label: t('shell.signOut'), icon: 'signOut', open: () => services.session.signOut() },
    ],
};
