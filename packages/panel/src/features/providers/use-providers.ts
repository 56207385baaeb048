import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { type DataSource, isUnsupported } from '../../platform/api/data-source.ts';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { type EditOutcome, editList, type ListEdit } from '../../platform/gateway/list-edits.ts';
import type { Entry } from '../../platform/gateway/providers/entry.ts';
import { KINDS, type Kind } from '../../platform/gateway/providers/kinds.ts';
import { providerList } from '../../platform/gateway/providers/provider-list.ts';
import {
  type Lists,
  PROVIDER_QUERY,
  PROVIDERS,
  useProviderLists,
} from '../../platform/gateway/providers/use-provider-lists.ts';
import { useTimeZone } from '../../platform/preferences/preferences.ts';
import { readKeyUsage } from '../../platform/queries/key-usage.ts';
import { WITHOUT_PARTS } from '../../platform/requests/row-parts.ts';
import { listedEntries, makeRow, type ProviderRow } from './model/rows.ts';
import { recentOf, sumsByEntry } from './model/use.ts';

const WEEK_MS = 7 * 86_400_000;

/** Requests of the last seven days by credential, by the same sums as monitoring; a gateway alone has none. */
function useStats() {
  const { manager, client } = useServices();
  const managed = useManaged();
  const zone = useTimeZone();
  return useQuery({
    ...PROVIDER_QUERY,
    enabled: managed,
    queryKey: ['provider-use', zone],
    queryFn: async ({ signal }) => {
      const now = Math.floor(client.now());
      const { credential_stats = [] } = await manager.analytics(
        {
          from_ms: now - WEEK_MS,
          to_ms: now,
          now_ms: now,
          time_zone: zone,
          include: { credential_stats: true, ...WITHOUT_PARTS },
        },
        signal,
      );
      return credential_stats;
    },
  });
}

interface FailedList {
  readonly kind: Kind;
  readonly error: unknown;
  /** Entries of an earlier answer are still shown. */
  readonly old: boolean;
}

export interface Providers {
  readonly source: DataSource<readonly ProviderRow[]>;
  readonly lists: Lists;
  readonly failed: readonly FailedList[];
  /** Lists that this version of the gateway does not have. */
  readonly missing: readonly Kind[];
  readonly stats: ReturnType<typeof useStats>;
  readonly refresh: () => void;
}

/** All seven lists, each of which may fail alone, with their use. */
export function useProviders(): Providers {
  const { client } = useServices();
  const { queries: lists, lists: known } = useProviderLists();
  const usage = useQuery({
    ...PROVIDER_QUERY,
    queryKey: [PROVIDERS, 'usage'],
    queryFn: ({ signal }) => readKeyUsage(client, signal),
  });
  const stats = useStats();
  const data = lists.map((list) => list.data);
  const rows = useMemo(() => {
    const entries = listedEntries(known);
    const use = stats.data === undefined ? undefined : sumsByEntry(entries, stats.data);
    return entries.map((listed) =>
      makeRow(listed, use && (use.get(listed.id) ?? null), recentOf(listed.kind, listed.entry, usage.data)),
    );
  }, [known, stats.data, usage.data]);
  const isWaiting = lists.some(({ isPending }) => isPending);
  const failed = KINDS.flatMap((kind, at) => {
    const error = lists[at]?.error ?? null;
    return error === null || isUnsupported(error) ? [] : [{ kind, error, old: data[at] !== undefined }];
  });
  const missing = KINDS.filter((_, at) => isUnsupported(lists[at]?.error) && data[at] === undefined);
  const none = data.every((list) => list === undefined);
  const refresh = () => {
    for (const query of [...lists, usage, stats]) if (query.isEnabled) void query.refetch();
  };
  return {
    source: {
      data: isWaiting || none ? undefined : rows,
      error: none ? (failed[0]?.error ?? lists[0]?.error ?? null) : null,
      atMs: Math.max(...lists.map(({ dataUpdatedAt }) => dataUpdatedAt)) || null,
      busy: lists.some(({ isFetching }) => isFetching),
      retry: refresh,
    },
    lists: known,
    failed,
    missing,
    stats,
    refresh,
  };
}

export type EditProvider = (
  kind: Kind,
  edit: ListEdit<Entry>,
  options?: { readonly overrule?: boolean },
) => Promise<EditOutcome<Entry>>;

/** An edit of a list, followed by a reload of what it concerns. */
export function useEditProvider(): EditProvider {
  const { client } = useServices();
  const queries = useQueryClient();
  return async (kind, edit, options) => {
    try {
      return await editList(providerList(client, kind), edit, options);
    } finally {
      await queries.invalidateQueries({ queryKey: [PROVIDERS, kind.id] });
    }
  };
}
