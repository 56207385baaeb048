import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { SECTIONS, type Section } from './model/fields.ts';

export const MODES = ['visual', 'source', 'history'] as const;
export type ConfigurationMode = (typeof MODES)[number];

/** Address parameters of the page. */
export interface ConfigurationSearch {
  readonly mode: ConfigurationMode;
  /** '' = none chosen: the first one, and on a phone the list of them. */
  readonly section: Section | '';
  readonly text: string;
}

const MAX_TEXT = 100;

export const CONFIGURATION_ADDRESS: Address<ConfigurationSearch> = {
  read: (url) => ({
    mode: MODES.find((mode) => mode === url.mode?.[0]) ?? 'visual',
    section: SECTIONS.find((section) => section === url.section?.[0]) ?? '',
    text: (url.q?.[0] ?? '').trim().slice(0, MAX_TEXT),
  }),
  write({ mode, section, text }, before) {
    const { mode: _mode, section: _section, q: _q, ...others } = before;
    return {
      ...others,
      ...(mode === 'visual' ? {} : { mode: [mode] }),
      ...(section === '' ? {} : { section: [section] }),
      ...(text === '' ? {} : { q: [text] }),
    } satisfies UrlSearch;
  },
};
