import type { FilterOptions } from '@manager/core/contract/monitoring/analytics';
import type { Services } from '../../platform/api/services.ts';
import { isPrivateText } from '../../platform/browser/private-text.ts';
import { shown } from '../../platform/format/shown.ts';
import { rememberAccounts } from '../../platform/requests/account-names.ts';
import { keyName } from '../../platform/requests/event-view.ts';
import type { PaletteItem, PaletteSource } from '../../ui/palette-source.ts';

/** Time in which suggested items were used. */
const RECENT_MS = 30 * 86_400_000;
const RANGE = { range: ['30d'] };
const EVENT_HASH = /^[0-9a-f]{64}$/i;
/** Shorter texts occur in too many requests to be an id. */
const SHORTEST_ID = 6;

/** Models and keys of the last 30 days, in one request for all kinds. */
function recentSelectors({ client, manager, queries }: Services): Promise<FilterOptions> {
  return queries.fetchQuery({
    queryKey: ['palette', 'selectors'],
    staleTime: 60_000,
    queryFn: async () => {
      const to_ms = Math.ceil(client.now());
      const request = { from_ms: to_ms - RECENT_MS, to_ms, include: { filter_selectors: true } };
      const { filter_options = {} } = await manager.analytics(request);
      rememberAccounts(filter_options.accounts ?? []);
      return filter_options;
    },
  });
}

export const modelSource: PaletteSource = {
  id: 'models',
  heading: 'palette.models',
  found: 'typed',
  managed: true,
  load: async (services) => {
    const { models = [] } = await recentSelectors(services);
    return () =>
      models.map((model) => ({
        key: model,
        label: shown(model),
        icon: 'monitoring',
        open: { to: '/monitoring', search: { ...RANGE, model: [model] } },
      }));
  },
};

export const keySource: PaletteSource = {
  id: 'keys',
  heading: 'palette.keys',
  found: 'typed',
  managed: true,
  load: async (services) => {
    const { api_key_hashes = [] } = await recentSelectors(services);
    // Named keys are found whether they were used recently or not.
    return ({ keyNames, masker }) =>
      [...new Set([...api_key_hashes, ...keyNames.keys()])].map((hash) => ({
        key: hash,
        label: shown(masker.account(keyName(hash, keyNames))),
        words: `${hash} ${keyNames.get(hash) ?? ''}`,
        icon: 'key',
        open: { to: '/api-keys', search: { show: ['all'], key: [hash] } },
      }));
  },
};

/** The kinds of id that a typed text may be. */
export function requestItems(text: string, open: string, find: string): readonly PaletteItem[] {
  if (EVENT_HASH.test(text)) {
    const eventHash = text.toLowerCase();
    return [
      {
        key: 'open',
        label: open,
        icon: 'monitoring',
        open: { to: '/monitoring/event/$eventHash', params: { eventHash } },
      },
    ];
  }
  // Ids contain a digit; texts that must not appear in an address are left to the page's search.
  const isId = text.length >= SHORTEST_ID && /^\S*\d\S*$/.test(text) && !isPrivateText(text);
  if (!isId) return [];
  return [
    {
      key: 'find',
      label: find,
      icon: 'search',
      open: { to: '/monitoring', search: { range: ['all'], search: [text] } },
    },
  ];
}

/** Requests by event hash, request id or trace id, anywhere in the history. */
export const requestSource: PaletteSource = {
  id: 'requests',
  heading: 'palette.requests',
  found: 'made',
  managed: true,
  load:
    () =>
    ({ text, t, masker }) =>
      requestItems(text, t('palette.openRequest'), t('palette.findRequest', { text: shown(masker.text(text), 60) })),
};
