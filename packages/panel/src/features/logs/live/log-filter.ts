import type { LogEntry } from './log-buffer.ts';

export const LEVELS = ['debug', 'info', 'warn', 'error', 'fatal', 'panic'] as const;
export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const;
export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const;

/** Which lines of the log are shown. An empty list or text filters nothing. */
export interface LogFilter {
  readonly text: string;
  readonly levels: readonly string[];
  readonly methods: readonly string[];
  readonly statusClasses: readonly string[];
  /** Part of the path of a request. */
  readonly path: string;
  /** Requests of panels and managers to the management API. */
  readonly hideManagement: boolean;
}

const MANAGEMENT = /^\/(?:v0\/management(?:[/?]|$)|management\.html)/;

export const isManagement = (entry: LogEntry): boolean => MANAGEMENT.test(entry.head?.access?.path ?? '');

/** Part of a text, in any case, without special characters. */
const partOf = (text: string): RegExp | null =>
  text === '' ? null : new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iu');

/** A test of entries; the search covers their real text, with all lines. */
export function filterOf(filter: LogFilter): (entry: LogEntry) => boolean {
  const text = partOf(filter.text);
  const path = partOf(filter.path);
  const levels = new Set(filter.levels);
  const methods = new Set(filter.methods);
  const classes = new Set(filter.statusClasses);
  return (entry) => {
    const { head } = entry;
    if (levels.size > 0 && !levels.has(head?.level ?? '')) return false;
    const access = head?.access ?? null;
    if (methods.size > 0 && !methods.has(access?.method ?? '')) return false;
    if (classes.size > 0 && (access === null || !classes.has(`${Math.floor(access.status / 100)}xx`))) return false;
    if (path !== null && (access === null || !path.test(access.path))) return false;
    if (filter.hideManagement && isManagement(entry)) return false;
    return text === null || entry.lines.some((line) => text.test(line));
  };
}
