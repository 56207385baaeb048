import { ACTION_STATUSES, INSPECTION_ACTIONS, INSPECTION_LOG_LEVELS } from '@manager/core/contract/constants';
import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';

const INSPECTION_TABS = ['results', 'log', 'history'] as const;
export type InspectionTab = (typeof INSPECTION_TABS)[number];

/** Address parameters of the page. */
export interface InspectionSearch {
  /** Id of a run; '' = the newest one. */
  readonly run: string;
  readonly tab: InspectionTab;
  /** Filters of the results; '' = all. */
  readonly action: string;
  readonly provider: string;
  readonly state: string;
  readonly search: string;
  /** Id of the result open beside the list; '' = none. */
  readonly result: string;
  /** Filter of the log; '' = all. */
  readonly level: string;
  /** More than the newest runs. */
  readonly allRuns: boolean;
}

const NAMES = ['run', 'tab', 'action', 'provider', 'state', 'search', 'result', 'level', 'runs'] as const;
const FILTERS = ['action', 'provider', 'state', 'search'] as const;

export function readInspectionSearch(url: UrlSearch): InspectionSearch {
  const first = (name: (typeof NAMES)[number]) => url[name]?.[0]?.trim() ?? '';
  const oneOf = (name: (typeof NAMES)[number], values: readonly string[]) =>
    values.includes(first(name)) ? first(name) : '';
  return {
    run: /^[0-9a-f]{32}$/.test(first('run')) ? first('run') : '',
    tab: INSPECTION_TABS.find((tab) => tab === first('tab')) ?? 'results',
    action: oneOf('action', INSPECTION_ACTIONS),
    provider: first('provider'),
    state: oneOf('state', ACTION_STATUSES),
    search: first('search'),
    result: /^[1-9][0-9]{0,14}$/.test(first('result')) ? first('result') : '',
    level: oneOf('level', INSPECTION_LOG_LEVELS),
    allRuns: first('runs') === 'all',
  };
}

/** Other parameters are kept, defaults are not written. */
export function writeInspectionSearch(search: InspectionSearch, before: UrlSearch): UrlSearch {
  const written: UrlSearch = Object.fromEntries(
    Object.entries(before).filter(([name]) => !NAMES.some((own) => own === name)),
  );
  for (const name of ['run', ...FILTERS, 'result', 'level'] as const) {
    if (search[name] !== '') written[name] = [search[name]];
  }
  if (search.tab !== 'results') written.tab = [search.tab];
  if (search.allRuns) written.runs = ['all'];
  return written;
}

export const INSPECTION_ADDRESS: Address<InspectionSearch> = {
  read: readInspectionSearch,
  write: writeInspectionSearch,
};

export function hasFilters(search: InspectionSearch): boolean {
  return FILTERS.some((name) => search[name] !== '');
}

export const NO_FILTERS = { action: '', provider: '', state: '', search: '' } as const;
