import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { STATUS_WORDS } from './runs/run-view.ts';

export const TABS = ['overview', 'create', 'runs', 'storage'] as const;
export type Tab = (typeof TABS)[number];

const MODES = ['manual', 'retention'] as const;

/** Address parameters of the page. */
export interface ArchivesSearch {
  readonly tab: Tab;
  /** Filter of the run list; '' = all. */
  readonly status: string;
  readonly mode: '' | (typeof MODES)[number];
  /** The run open beside the page; '' = none. */
  readonly run: string;
}

const ID = /^[0-9a-f]{32}$/;
const NAMES = ['tab', 'status', 'mode', 'run'] as const satisfies readonly (keyof ArchivesSearch)[];

export function readArchivesSearch(search: UrlSearch): ArchivesSearch {
  const [tab, status, mode, run] = NAMES.map((name) => search[name]?.[0] ?? '');
  return {
    tab: TABS.find((known) => known === tab) ?? 'overview',
    status: status !== undefined && Object.hasOwn(STATUS_WORDS, status) ? status : '',
    mode: MODES.find((known) => known === mode) ?? '',
    run: run !== undefined && ID.test(run) ? run : '',
  };
}

/** Other parameters are kept, defaults are not written. */
export function writeArchivesSearch(search: ArchivesSearch, before: UrlSearch): UrlSearch {
  const others = Object.fromEntries(Object.entries(before).filter(([name]) => !NAMES.some((own) => own === name)));
  const written = NAMES.flatMap((name) => {
    const value = search[name];
    return value === '' || value === 'overview' ? [] : [[name, [value]]];
  });
  return { ...others, ...Object.fromEntries(written) };
}

export const ARCHIVES_ADDRESS: Address<ArchivesSearch> = { read: readArchivesSearch, write: writeArchivesSearch };
