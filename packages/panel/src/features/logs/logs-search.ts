import type { Address } from '../../platform/browser/address.ts';
import type { UrlSearch } from '../../platform/browser/url-search.ts';
import { LEVELS, type LogFilter, METHODS, STATUS_CLASSES } from './live/log-filter.ts';

export const TABS = ['live', 'errors'] as const;
export type LogsTab = (typeof TABS)[number];

/** Address parameters of the page. */
export interface LogsSearch extends LogFilter {
  readonly tab: LogsTab;
  /** Lines as they are written instead of columns. */
  readonly raw: boolean;
  /** Error log that is open; '' = none. */
  readonly file: string;
  /** Request whose log is open; '' = none. */
  readonly request: string;
}

const MAX_TEXT = 300;

/** Without management requests, because this page alone makes one every few seconds. */
export const DEFAULT_LOGS_SEARCH: LogsSearch = {
  tab: 'live',
  text: '',
  levels: [],
  methods: [],
  statusClasses: [],
  path: '',
  hideManagement: true,
  raw: false,
  file: '',
  request: '',
};

/** What the gateway accepts as an id. */
export const isRequestId = (text: string): boolean => /^[A-Za-z0-9_-]{1,128}$/.test(text);

/** A name with a directory part is refused. */
export const isFileName = (name: string): boolean =>
  name !== '' && name.length <= 255 && !/[/\\\0]/.test(name) && name !== '.' && name !== '..';

const known = (choices: readonly string[], values: readonly string[] | undefined): readonly string[] =>
  choices.filter((choice) => values?.includes(choice) === true);

const flag = (text: string | undefined, otherwise: boolean): boolean =>
  text === '1' || text === 'true' ? true : text === '0' || text === 'false' ? false : otherwise;

const shortText = (text: string | undefined): string => {
  const trimmed = (text ?? '').trim();
  return trimmed.length > MAX_TEXT ? '' : trimmed;
};

export function readLogsSearch(url: UrlSearch): LogsSearch {
  const file = url.file?.[0] ?? '';
  const request = url.request?.[0] ?? '';
  const open = isRequestId(request) || isFileName(file);
  return {
    // A link to one request has no tab.
    tab: open ? 'errors' : (TABS.find((tab) => tab === url.tab?.[0]) ?? 'live'),
    text: shortText(url.q?.[0]),
    levels: known(LEVELS, url.level),
    methods: known(METHODS, url.method),
    statusClasses: known(STATUS_CLASSES, url.status_class),
    path: shortText(url.path?.[0]),
    hideManagement: flag(url.hide_management?.[0], DEFAULT_LOGS_SEARCH.hideManagement),
    raw: flag(url.raw?.[0], false),
    file: isRequestId(request) || !isFileName(file) ? '' : file,
    request: isRequestId(request) ? request : '',
  };
}

/** Other parameters are kept, defaults are not written. */
export function writeLogsSearch(search: LogsSearch, before: UrlSearch): UrlSearch {
  const { tab: _tab, q: _q, level: _level, method: _method, status_class: _class, ...rest } = before;
  const { path: _path, hide_management: _hide, raw: _raw, file: _file, request: _request, ...others } = rest;
  return {
    ...others,
    ...(search.tab === 'live' ? {} : { tab: [search.tab] }),
    ...(search.text === '' ? {} : { q: [search.text] }),
    ...(search.levels.length === 0 ? {} : { level: [...search.levels] }),
    ...(search.methods.length === 0 ? {} : { method: [...search.methods] }),
    ...(search.statusClasses.length === 0 ? {} : { status_class: [...search.statusClasses] }),
    ...(search.path === '' ? {} : { path: [search.path] }),
    ...(search.hideManagement ? {} : { hide_management: ['0'] }),
    ...(search.raw ? { raw: ['1'] } : {}),
    ...(search.file === '' ? {} : { file: [search.file] }),
    ...(search.request === '' ? {} : { request: [search.request] }),
  };
}

export const LOGS_ADDRESS: Address<LogsSearch> = { read: readLogsSearch, write: writeLogsSearch };
