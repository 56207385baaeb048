import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAccountList } from '../../platform/accounts/use-accounts.ts';
import { useServices } from '../../platform/api/services.ts';
import { type EditOutcome, editList, type ListEdit } from '../../platform/gateway/list-edits.ts';
import { KINDS } from '../../platform/gateway/providers/kinds.ts';
import type { Lists } from '../../platform/gateway/providers/use-provider-lists.ts';
import { CHANNELS, type ChannelRules, type RuleKind } from './model/rules.ts';
import { knownModels, readRules, rulesOf } from './rule-calls.ts';

const RULES = 'model-rules';
const HOUR_MS = 3_600_000;

export function useRuleMap(kind: RuleKind) {
  const { client } = useServices();
  return useQuery({
    queryKey: [RULES, kind],
    queryFn: ({ signal }) => readRules(client, kind, signal),
    staleTime: 30_000,
  });
}

/** Models of these channels; channels whose models are not known are missing. */
export function useKnownModels(channels: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const { client } = useServices();
  const accounts = useAccountList().data;
  const fileOf = (channel: string) =>
    accounts?.find(({ listed }) => listed.provider === channel && !listed.disabled)?.listed.name;
  const queries = useQueries({
    queries: channels.map((channel) => ({
      enabled: accounts !== undefined,
      queryKey: ['model-definitions', channel],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => knownModels(client, channel, fileOf(channel), signal),
      staleTime: HOUR_MS,
    })),
  });
  return new Map(
    channels.flatMap((channel, at) => {
      const data = queries[at]?.data;
      return data === undefined ? [] : [[channel, data] as const];
    }),
  );
}

/** Channels whose models decide who serves one: of the accounts and of the provider keys. */
export function useServedChannels(lists: Lists): readonly string[] {
  const accounts = useAccountList().data;
  return useMemo(() => {
    const own = (accounts ?? []).map(({ listed }) => listed.provider);
    const ofKeys = KINDS.flatMap(({ id, channel }) => ((lists[id] ?? []).length > 0 ? [channel] : []));
    return [...new Set([...own, ...ofKeys])].filter((channel) => channel !== '');
  }, [accounts, lists]);
}

/** Channels with rules, with accounts, or known to every gateway. */
export function useChannels(maps: readonly ReturnType<typeof useRuleMap>[]): readonly string[] {
  const accounts = useAccountList().data;
  const [excluded, alias, errors] = maps.map(({ data }) => data);
  return useMemo(() => {
    const own = (accounts ?? []).map(({ listed }) => listed.provider);
    const ruled = [excluded, alias, errors].flatMap((map) => [...(map?.keys() ?? [])]);
    return [...new Set([...CHANNELS, ...own, ...ruled])].filter((channel) => channel !== '');
  }, [accounts, excluded, alias, errors]);
}

export type EditRules = (edit: ListEdit<ChannelRules>, overrule?: boolean) => Promise<EditOutcome<ChannelRules>>;

export function useEditRules(kind: RuleKind, channel: string): EditRules {
  const { client } = useServices();
  const queries = useQueryClient();
  return async (edit, overrule = false) => {
    try {
      return await editList(rulesOf(client, kind, channel), edit, { overrule });
    } finally {
      await queries.invalidateQueries({ queryKey: [RULES, kind] });
    }
  };
}
