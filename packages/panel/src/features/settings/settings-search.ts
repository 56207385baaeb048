import type { TextKey } from '../../i18n/index.ts';

export const SETTINGS_TABS = ['connection', 'collector', 'automation', 'inspection', 'appearance', 'privacy'] as const;
export type SettingsTab = (typeof SETTINGS_TABS)[number];

export const TAB_LABELS: Readonly<Record<SettingsTab, TextKey>> = {
  connection: 'settings.connection',
  collector: 'settings.collection',
  automation: 'automation.title',
  inspection: 'inspection.title',
  appearance: 'settings.appearance',
  privacy: 'settings.privacy',
};

/** Tabs of the form that is saved at the manager; the others take effect at once. */
export const FORM_TABS: ReadonlySet<SettingsTab> = new Set(['connection', 'collector', 'inspection']);

export function readTab(text: string | undefined): SettingsTab {
  return SETTINGS_TABS.find((tab) => tab === text?.trim()) ?? 'connection';
}
