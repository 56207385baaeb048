import type { AnalyticsInclude } from '@manager/core/contract/monitoring/analytics';
import type { ApiKeyStats } from '@manager/core/contract/monitoring/sections';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type DataSource, fromQuery } from '../../platform/api/data-source.ts';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { CLIENT_KEYS, clientKeyCalls } from '../../platform/queries/client-keys.ts';
import { useAliasNames } from '../../platform/queries/queries.ts';
import { type RangeChoice, resolveRange } from '../../platform/range/range.ts';
import { WITHOUT_ACCOUNTS, wholeRows } from '../../platform/requests/row-parts.ts';
import { KEY_RANGES } from './client-keys-search.ts';
import { type KeyRow, keyRows, type ShowChoice } from './key-rows.ts';

function useClientKeys() {
  const { client } = useServices();
  return useQuery({
    queryKey: [CLIENT_KEYS],
    queryFn: ({ signal }) => clientKeyCalls(client).list(signal),
    staleTime: 30_000,
  });
}

const KEY_USE = 'client-key-use';

/** Use of each key, by the same sums as monitoring and analytics. */
function useKeyStats(range: RangeChoice, include: AnalyticsInclude, isWanted = true) {
  const { manager, client } = useServices();
  const managed = useManaged();
  const zone = useTimeZone();
  return useQuery({
    enabled: managed && isWanted,
    queryKey: [KEY_USE, range, zone, include],
    queryFn: async ({ signal }) => {
      const { fromMs, toMs } = resolveRange(range, client.now(), zone, KEY_RANGES.rolling);
      const { api_key_stats = [] } = await manager.analytics(
        {
          from_ms: Math.floor(fromMs),
          to_ms: Math.ceil(toMs),
          now_ms: Math.floor(client.now()),
          time_zone: zone,
          include: { api_key_stats: true, ...include },
        },
        signal,
      );
      return api_key_stats;
    },
    staleTime: 30_000,
  });
}

/** One key with the accounts that it used; undefined while loading, or when that failed. */
export function useWholeKey(use: ApiKeyStats, range: RangeChoice) {
  const { data, isError } = useKeyStats(range, wholeRows([use.id]));
  return { whole: data?.find(({ id }) => id === use.id), isError };
}

export interface Keys {
  readonly source: DataSource<readonly KeyRow[]>;
  readonly aliases: ReturnType<typeof useAliasNames>;
  readonly list: ReturnType<typeof useClientKeys>;
  readonly stats: ReturnType<typeof useKeyStats>;
  /** The same of the last 30 days, which say what is unused. */
  readonly recent: ReturnType<typeof useKeyStats>;
  /** Keys of the gateway, null = unknown. */
  readonly activeHashes: ReadonlySet<string> | null;
  readonly busy: boolean;
  readonly refresh: () => void;
}

const LAST_30_DAYS: RangeChoice = { name: '30d', fromMs: null, toMs: null };
const NO_ALIASES: ReadonlyMap<string, string> = new Map();

/** Keys, names and use, each of which may be missing; a gateway alone has the keys only. */
export function useKeys(range: RangeChoice, show: ShowChoice): Keys {
  const list = useClientKeys();
  const managed = useManaged();
  const { queries } = useServices();
  const aliases = useAliasNames();
  // Their models are searched.
  const stats = useKeyStats(range, WITHOUT_ACCOUNTS);
  const recent = useKeyStats(LAST_30_DAYS, WITHOUT_ACCOUNTS, show === 'unused' || range.name === LAST_30_DAYS.name);
  const rows = useMemo(
    () =>
      keyRows({
        keys: list.data,
        aliases: aliases.data ?? NO_ALIASES,
        stats: stats.data,
        recent: recent.data,
      }),
    [list.data, aliases.data, stats.data, recent.data],
  );
  const waiting = list.isPending || (managed && aliases.isPending);
  // Without the use of 30 days no key is unused, and no list of them is empty.
  const unjudged = managed && show === 'unused' && recent.data === undefined;
  // Without the gateway's list, names and use are still useful.
  const lost = list.data === undefined && rows.length === 0;
  const activeHashes = useMemo(
    () => (list.data === undefined ? null : new Set(list.data.map(({ hash }) => hash))),
    [list.data],
  );
  return {
    source: {
      ...fromQuery<unknown>(unjudged && list.data !== undefined ? recent : list),
      data: waiting || lost || unjudged ? undefined : rows,
    },
    aliases,
    list,
    stats,
    recent,
    activeHashes,
    busy: [list, aliases, stats, recent].some(({ isFetching }) => isFetching),
    refresh: () => {
      for (const query of [list, aliases]) if (query.isEnabled) void query.refetch();
      // Those of an open key too.
      if (managed) void queries.invalidateQueries({ queryKey: [KEY_USE] });
    },
  };
}
