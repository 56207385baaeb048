import { answerList, answerObject } from '../../platform/api/answer-list.ts';
import type { Client } from '../../platform/api/client.ts';
import { ApiError } from '../../platform/api/errors.ts';
import { isRecord } from '../../platform/browser/storage.ts';
import type { EditableList } from '../../platform/gateway/list-edits.ts';
import { harmless, label, type Plugin, type PluginList, readPlugins } from './model/plugin.ts';
import { type Settings, withoutSwitch } from './model/settings.ts';
import { readStore, type Store, type StorePlugin } from './model/store.ts';

const PLUGINS = 'v0/management/plugins';
const STORE = 'v0/management/plugin-store';
/** The gateway asks each source. */
const STORE_MS = 60_000;
/** The gateway downloads the plugin before it answers. */
const INSTALL_MS = 5 * 60_000;

const pathOf = (id: string) => `${PLUGINS}/${encodeURIComponent(id)}`;

export async function listPlugins(client: Client, signal?: AbortSignal): Promise<PluginList> {
  const answer = answerObject(client, PLUGINS, await client.call<unknown>(PLUGINS, { signal }));
  return readPlugins(answer, answerList(client, PLUGINS, answer, 'plugins'));
}

/** The plugins as a list of which one is switched or deleted; the gateway would create a plugin that it does not list. */
export function editablePlugins(client: Client): EditableList<Plugin> {
  return {
    name: 'plugins',
    read: async () => (await listPlugins(client)).plugins,
    write: (_, { before, after }) =>
      after === null
        ? client.call<unknown>(pathOf(before?.id ?? ''), { method: 'DELETE' })
        : client.call<unknown>(`${pathOf(after.id)}/enabled`, { method: 'PATCH', body: { enabled: after.enabled } }),
    identity: ({ id }) => id,
    // What the gateway makes of the switch differs by what is loaded.
    comparable: ({ id, enabled }) => ({ id, enabled }),
  };
}

export async function readSettings(client: Client, id: string, signal?: AbortSignal): Promise<Settings> {
  const path = `${pathOf(id)}/config`;
  return withoutSwitch(answerObject(client, path, await client.call<unknown>(path, { signal })));
}

/** The settings of one plugin, as a list of one. A PATCH would not remove members, so all are written. */
export function editableSettings(client: Client, id: string): EditableList<Settings> {
  return {
    name: `plugin-config-${id}`,
    read: async () => [await readSettings(client, id)],
    write: (_, { after }) => client.call<unknown>(`${pathOf(id)}/config`, { method: 'PUT', body: after ?? {} }),
    identity: () => id,
  };
}

export async function readPluginStore(client: Client, signal?: AbortSignal): Promise<Store> {
  const answer = answerObject(client, STORE, await client.call<unknown>(STORE, { signal, timeoutMs: STORE_MS }));
  return readStore(answer, answerList(client, STORE, answer, 'plugins'));
}

export interface Installed {
  readonly version: string;
  readonly restartRequired: boolean;
  /** False = the answer was lost, and the gateway lists the plugin all the same. */
  readonly known: boolean;
}

/**
 * Installs one plugin from the source it was listed by.
 *
 * @param version '' = the newest
 * @throws what the gateway answered; an error without status where nothing is known
 */
export async function installPlugin(client: Client, offer: StorePlugin, version: string): Promise<Installed> {
  const query = new URLSearchParams({ source: offer.sourceId, ...(version === '' ? {} : { version }) });
  const path = `${STORE}/${encodeURIComponent(offer.id)}/install?${query.toString()}`;
  try {
    const answer = await client.call<unknown>(path, { method: 'POST', body: {}, timeoutMs: INSTALL_MS });
    const about = isRecord(answer) ? answer : {};
    return { version: label(about.version, 40), restartRequired: about.restart_required === true, known: true };
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'status' && pluginCode(error) !== '') throw error;
    const store = await readPluginStore(client).catch(() => null);
    const now = store?.plugins.find(({ storeId }) => storeId === offer.storeId);
    const wanted = version === '' ? offer.version : version;
    const isThere = now?.installed === true && now.installedVersion === wanted;
    if (!isThere || (offer.installed && offer.installedVersion === wanted)) throw error;
    return { version: wanted, restartRequired: false, known: false };
  }
}

/** Code of a refusal by the plugin endpoints, which send it as `error` beside a `message`. */
export function pluginCode(error: unknown): string {
  if (!(error instanceof ApiError) || error.kind !== 'status') return '';
  return /^(plugin|invalid|config)_[a-z_]+$/.test(error.message) ? error.message : '';
}

/** What the gateway says beside the code. */
export function pluginMessage(error: unknown): string {
  return error instanceof ApiError ? harmless(error.about.message) : '';
}
