import { type AnalyticsFilters, analyticsFiltersSchema } from '@manager/core/contract/monitoring/analytics';
import { LIST_FILTERS } from '@manager/core/contract/monitoring/filter-names';
import { dateOf } from '@manager/core/time/months';
import { createZone } from '@manager/core/time/zones';
import { CACHE_STATUSES } from '../../facts/query.ts';
import { UsageError } from './flags.ts';

/** What the filters of a command ask for. */
export interface ExportFilters {
  readonly filters: AnalyticsFilters;
  readonly search: string;
}

type ListMember = (typeof LIST_FILTERS)[keyof typeof LIST_FILTERS] | 'credential_ids' | 'source_hashes';

/** The names of the panel's addresses, then those of the HTTP interface. */
const LISTS: Readonly<Record<string, ListMember>> = {
  ...LIST_FILTERS,
  ...Object.fromEntries(Object.values(LIST_FILTERS).map((member) => [member, member] as const)),
  credential_ids: 'credential_ids',
  source_hashes: 'source_hashes',
};

const SINGLE: Readonly<Record<string, (value: string) => AnalyticsFilters>> = {
  failed: (value) => {
    if (value === 'true') return { failed_only: true };
    if (value === 'false') return { include_failed: false };
    throw new UsageError('--filter failed: true or false expected');
  },
  min_latency_ms: (value) => {
    const parsed = analyticsFiltersSchema.shape.min_latency_ms.safeParse(value === '' ? null : Number(value));
    if (parsed.success && (parsed.data ?? 0) > 0) return { min_latency_ms: parsed.data };
    throw new UsageError('--filter min_latency_ms: a whole number of milliseconds expected');
  },
  cache_status: (value) => {
    if (CACHE_STATUSES.some((known) => known === value)) return { cache_status: value };
    throw new UsageError(`--filter cache_status: one of ${CACHE_STATUSES.join(', ')} expected`);
  },
};

const NAMES = [...Object.keys(LIST_FILTERS), 'credential_ids', 'source_hashes', ...Object.keys(SINGLE), 'search'];

/** Names of filters, for the help. */
export const FILTER_NAMES = NAMES.join(', ');

/**
 * Reads `name=value` pairs: values of one name are ORed, names are ANDed.
 * @throws UsageError that lists the names; it never repeats a value
 */
export function readFilters(pairs: readonly string[]): ExportFilters {
  let filters: AnalyticsFilters = {};
  let search = '';
  for (const pair of pairs) {
    const at = pair.indexOf('=');
    const name = at < 0 ? '' : pair.slice(0, at).trim();
    const value = pair.slice(at + 1).trim();
    const list = Object.hasOwn(LISTS, name) ? LISTS[name] : undefined;
    const single = Object.hasOwn(SINGLE, name) ? SINGLE[name] : undefined;
    if (list === undefined && single === undefined && name !== 'search') {
      throw new UsageError(`--filter: name=value expected, with one of these names: ${FILTER_NAMES}`);
    }
    if (value === '') throw new UsageError(`--filter ${name}: a value is missing`);
    if (list !== undefined) filters = { ...filters, [list]: [...(filters[list] ?? []), value] };
    else if (single !== undefined) filters = { ...filters, ...single(value) };
    else search = value;
  }
  return { filters, search };
}

const DAY_MS = 86_400_000;
const LOCAL_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2}))?)?$/;

/**
 * An instant from a date, which means its start, a date and time, both in the zone, a time with its own offset, or milliseconds.
 * @throws UsageError
 */
export function readInstant(flag: string, text: string, zoneName: string): number {
  if (/^\d{11,}$/.test(text)) return Number(text);
  const local = LOCAL_TIME.exec(text);
  if (local === null) {
    const ms = /T.*(?:Z|[+-]\d{2}:\d{2})$/.test(text) ? Date.parse(text) : Number.NaN;
    if (!Number.isNaN(ms)) return ms;
    throw new UsageError(
      `--${flag}: expected 2026-08-27, 2026-08-27T14:30, the same with Z or +02:00, or milliseconds`,
    );
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = local
    .slice(1)
    .map((part) => Number(part ?? 0));
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second);
  // A 31st of June would silently be the 1st of July.
  const read = new Date(asUtc);
  if (read.getUTCMonth() !== month - 1 || read.getUTCHours() !== hour || minute > 59 || second > 59) {
    throw new UsageError(`--${flag}: there is no such time`);
  }
  const zone = createZone(zoneName);
  // Summer time may begin at midnight.
  if (local[4] === undefined) return dateOf(zone, asUtc / DAY_MS).startMs;
  return asUtc - zone.offsetAt(asUtc - zone.offsetAt(asUtc));
}
