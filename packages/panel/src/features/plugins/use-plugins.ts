import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { pollPause } from '../../platform/api/poll.ts';
import { useManaged, useServices } from '../../platform/api/services.ts';
import { useConfig } from '../../platform/queries/queries.ts';
import { runningPages } from './model/plugin.ts';
import { listPlugins, readPluginStore, readSettings } from './plugin-calls.ts';

const PLUGINS = 'plugins';
const MINUTE_MS = 60_000;

/**
 * The gateway's plugins; `inShell` = asked only where a gateway is connected, and seldom.
 *
 * @param everyMs asked again so often while the tab is visible
 */
export function usePlugins(inShell = false, everyMs: number | null = null) {
  const { client } = useServices();
  const managed = useManaged();
  const config = useConfig();
  const connected = !managed || (config.data !== undefined && config.data.source !== '');
  return useQuery({
    queryKey: [PLUGINS, 'list'],
    enabled: !inShell || connected,
    staleTime: inShell ? 5 * MINUTE_MS : 5_000,
    queryFn: ({ signal }) => listPlugins(client, signal),
    refetchInterval: ({ state }) => (everyMs === null ? false : pollPause(state, everyMs)),
  });
}

/** Pages of running plugins, for the navigation. */
export function usePluginPages() {
  const { data } = usePlugins(true);
  return useMemo(() => (data === undefined ? [] : runningPages(data)), [data]);
}

/** What the store's sources offer. The gateway keeps their answers for ten minutes. */
export function usePluginStore() {
  const { client } = useServices();
  return useQuery({
    queryKey: [PLUGINS, 'store'],
    staleTime: 10 * MINUTE_MS,
    queryFn: ({ signal }) => readPluginStore(client, signal),
  });
}

/** Settings may hold keys, so they are kept only while they are shown. */
export function usePluginSettings(id: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: [PLUGINS, 'settings', id],
    gcTime: 0,
    queryFn: ({ signal }) => readSettings(client, id, signal),
  });
}

/** Reloads what a change of plugins concerns. */
export function useReloadPlugins(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    // The providers of plugins are part of the sign-in page.
    await Promise.all([
      queries.invalidateQueries({ queryKey: [PLUGINS] }),
      queries.invalidateQueries({ queryKey: ['provider-sign-in', 'plugins'] }),
    ]);
  };
}
