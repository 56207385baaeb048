import type { Address } from '../../platform/browser/address.ts';
import { isPluginId } from './model/plugin.ts';

export const TABS = ['installed', 'store'] as const;

/** Address parameters of the page. */
export interface PluginsSearch {
  readonly tab: (typeof TABS)[number];
  /** Id of the open plugin, '' = none. */
  readonly plugin: string;
  readonly search: string;
}

const MAX_TEXT = 200;

export const PLUGINS_ADDRESS: Address<PluginsSearch> = {
  read: (url) => ({
    tab: TABS.find((tab) => tab === url.tab?.[0]) ?? 'installed',
    plugin: isPluginId(url.plugin?.[0]) ? url.plugin[0] : '',
    search: (url.search?.[0] ?? '').trim().slice(0, MAX_TEXT),
  }),
  write({ tab, plugin, search }, before) {
    const { tab: _tab, plugin: _plugin, search: _search, ...others } = before;
    return {
      ...others,
      ...(tab === 'installed' ? {} : { tab: [tab] }),
      ...(plugin === '' ? {} : { plugin: [plugin] }),
      ...(search === '' ? {} : { search: [search] }),
    };
  },
};
