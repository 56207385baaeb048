import type { TextKey } from '../../platform/i18n/index.ts';
import type { Mode } from '../../platform/session/identity.ts';

const SETTINGS_TABS = [
  'connection',
  'collector',
  'automation',
  'inspection',
  'viewers',
  'appearance',
  'privacy',
] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export const TAB_LABELS: Readonly<Record<SettingsTab, TextKey>> = {
  connection: 'settings.connection',
  collector: 'settings.collection',
  automation: 'automation.title',
  inspection: 'inspectionSettings.title',
  viewers: 'viewerLinks.title',
  appearance: 'settings.appearance',
  privacy: 'settings.privacy',
};

/** Tabs of the form stored at the manager; the others take effect at once. */
export const FORM_TABS: ReadonlySet<SettingsTab> = new Set(['connection', 'collector', 'inspection']);

/** Tabs available at a server; the first one is the default. */
export const tabsOf = (mode: Mode): readonly SettingsTab[] =>
  mode === 'manager' ? SETTINGS_TABS : ['appearance', 'privacy'];

export function readTab(text: string | undefined, mode: Mode): SettingsTab {
  const tabs = tabsOf(mode);
  return tabs.find((tab) => tab === text?.trim()) ?? tabs[0] ?? 'appearance';
}
