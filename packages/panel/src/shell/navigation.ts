import type { TextKey } from '../platform/i18n/index.ts';
import { START_PATH } from '../platform/preferences/preferences.ts';
import type { Mode } from '../platform/session/identity.ts';
import type { IconName } from '../ui/icons.tsx';

export interface NavigationEntry {
  readonly path: string;
  /** Part of the address that distinguishes entries of the same path. */
  readonly view?: string;
  readonly label: TextKey;
  readonly icon: IconName;
  /** Second key after `g`. */
  readonly key?: string;
  /** The page needs the manager, so that a gateway alone cannot serve it. */
  readonly managed?: true;
}

export interface NavigationGroup {
  readonly label: TextKey;
  readonly entries: readonly NavigationEntry[];
}

export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: 'nav.observe',
    entries: [
      { path: '/dashboard', label: 'nav.dashboard', icon: 'dashboard', key: 'd' },
      { path: '/usage-analytics', label: 'nav.analytics', icon: 'analytics', key: 'u', managed: true },
      { path: '/report', label: 'nav.report', icon: 'table', managed: true },
      { path: '/monitoring', label: 'nav.monitoring', icon: 'monitoring', key: 'm', managed: true },
    ],
  },
  {
    label: 'nav.operate',
    entries: [
      { path: '/accounts', label: 'nav.accounts', icon: 'accounts', key: 'a' },
      { path: '/oauth', label: 'nav.oauth', icon: 'signIn' },
      { path: '/accounts/actions', label: 'nav.accountActions', icon: 'inbox', managed: true },
      { path: '/accounts', view: 'health', label: 'nav.inspection', icon: 'health', managed: true },
      { path: '/notifications', label: 'nav.notifications', icon: 'bell', managed: true },
    ],
  },
  {
    label: 'nav.gateway',
    entries: [
      { path: '/providers', label: 'nav.providers', icon: 'plug', key: 'p' },
      { path: '/api-keys', label: 'nav.clientKeys', icon: 'key', key: 'k' },
      { path: '/config', label: 'nav.config', icon: 'config', key: 'c' },
      { path: '/plugins', label: 'nav.plugins', icon: 'plugins' },
    ],
  },
  {
    label: 'nav.data',
    entries: [
      { path: '/model-prices', label: 'nav.prices', icon: 'prices', managed: true },
      { path: '/import-export', label: 'nav.transfer', icon: 'transfer', managed: true },
      { path: '/usage-maintenance', label: 'nav.archives', icon: 'archive', managed: true },
    ],
  },
  {
    label: 'nav.diagnose',
    entries: [
      { path: '/doctor', label: 'nav.doctor', icon: 'doctor' },
      { path: '/logs', label: 'nav.logs', icon: 'logs', key: 'l' },
      { path: '/system', label: 'nav.system', icon: 'system' },
    ],
  },
];

export const SETTINGS: NavigationEntry = { path: '/settings', label: 'nav.settings', icon: 'settings', key: 's' };

/** The entry of a path and its `view`. */
export function activeEntry(path: string, view: string | undefined): NavigationEntry | undefined {
  const matches = ALL_ENTRIES.filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
  const exact = matches.filter((entry) => (entry.view ?? undefined) === view);
  const candidates = exact.length > 0 ? exact : matches.filter((entry) => entry.view === undefined);
  return candidates.sort((a, b) => b.path.length - a.path.length)[0];
}

export const ALL_ENTRIES: readonly NavigationEntry[] = [...NAVIGATION.flatMap((group) => group.entries), SETTINGS];

/** Whether an entry is available at the server one is signed in at. */
export function isServed({ managed }: NavigationEntry, mode: Mode): boolean {
  return managed !== true || mode === 'manager';
}

/** Pages that `/` may lead to at a server. */
export const startPages = (mode: Mode): readonly NavigationEntry[] =>
  ALL_ENTRIES.filter((entry) => entry.view === undefined && isServed(entry, mode));

/** The page that `/` leads to at a server: the chosen one where available. */
export function startPath(chosen: string, mode: Mode): string {
  return startPages(mode).find(({ path }) => path === chosen)?.path ?? START_PATH;
}

/** Bookmarks of older panels. */
export const REDIRECTS: Readonly<Record<string, string>> = {
  '/auth-files': '/accounts',
  '/quota': '/accounts',
  '/ai-providers': '/providers',
  '/monitoring/model-prices': '/model-prices',
  '/monitoring/account-actions': '/accounts/actions',
  '/plugin-store': '/plugins?tab=store',
  '/quick-start': '/dashboard',
  '/codex-inspection': '/accounts?view=health&healthMode=local',
  '/codex-inspection/server': '/accounts?view=health&healthMode=server',
};
