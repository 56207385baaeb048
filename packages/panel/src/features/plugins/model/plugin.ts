import { redactSecrets } from '@manager/core/redaction/redact';
import { isRecord } from '../../../platform/browser/storage.ts';
import { shown } from '../../../platform/format/shown.ts';

/** An entry in the navigation that a plugin publishes. */
export interface PluginMenu {
  /** Place in the plugin's list, as in the address of its page. */
  readonly index: number;
  readonly label: string;
  readonly description: string;
  /** Path of the page at the gateway; null = not below the plugin's own path. */
  readonly path: string | null;
}

const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'enum', 'array', 'object'] as const;

export interface PluginField {
  readonly name: string;
  readonly type: (typeof FIELD_TYPES)[number];
  readonly choices: readonly string[];
  readonly description: string;
}

/** A plugin in the gateway's plugin folder, or one that only its configuration names. */
export interface Plugin {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly author: string;
  /** '' = none, or no https address. */
  readonly repository: string;
  readonly configured: boolean;
  /** The gateway has loaded it. */
  readonly registered: boolean;
  readonly enabled: boolean;
  readonly running: boolean;
  /** Name of the provider it signs in at; '' = none. */
  readonly oauthProvider: string;
  readonly menus: readonly PluginMenu[];
  readonly fields: readonly PluginField[];
}

export interface PluginList {
  readonly pluginsEnabled: boolean;
  readonly plugins: readonly Plugin[];
}

const PLUGIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', '#34': '"', quot: '"', '#39': "'" };

/** The gateway escapes texts of plugins for HTML once; here they are text. */
export function plainText(value: unknown): string {
  if (typeof value !== 'string') return '';
  return value.replace(/&(amp|lt|gt|quot|#34|#39);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

/** A text that a plugin's author wrote: in one line, bounded, in its written direction. */
export const label = (value: unknown, maxLength = 100): string =>
  shown(plainText(value).replace(/\s+/g, ' ').trim(), maxLength);

/** The same of a text with addresses, which may have a user and a password. */
export const harmless = (value: unknown): string => label(redactSecrets(plainText(value)), 300);

function parsedUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

/** A link that an author gave; '' = not one to follow. */
export function httpsLink(value: unknown): string {
  const url = parsedUrl(plainText(value));
  return url?.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : '';
}

const recordsIn = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

export const isPluginId = (value: unknown): value is string => typeof value === 'string' && PLUGIN_ID.test(value);

export function readPlugins(answer: Readonly<Record<string, unknown>>, plugins: readonly unknown[]): PluginList {
  return {
    pluginsEnabled: answer.plugins_enabled === true,
    plugins: recordsIn(plugins).flatMap((entry) => (isPluginId(entry.id) ? [readPlugin(entry, entry.id)] : [])),
  };
}

function readPlugin(entry: Record<string, unknown>, id: string): Plugin {
  const metadata = isRecord(entry.metadata) ? entry.metadata : {};
  const fields = recordsIn(entry.config_fields);
  return {
    id,
    name: label(metadata.name) || id,
    version: label(metadata.version, 40),
    author: label(metadata.author),
    repository: httpsLink(metadata.github_repository),
    configured: entry.configured === true,
    registered: entry.registered === true,
    enabled: entry.enabled === true,
    running: entry.effective_enabled === true,
    oauthProvider: entry.supports_oauth === true ? label(entry.oauth_provider) : '',
    menus: recordsIn(entry.menus).map((menu, index) => ({
      index,
      label: label(menu.menu, 60) || id,
      description: label(menu.description, 300),
      path: pagePath(id, plainText(menu.path)),
    })),
    fields: (fields.length > 0 ? fields : recordsIn(metadata.config_fields)).flatMap(readField),
  };
}

function readField({ name, type, enum_values, description }: Record<string, unknown>): readonly PluginField[] {
  const known = FIELD_TYPES.find((one) => one === type);
  const plain = plainText(name);
  if (known === undefined || plain === '') return [];
  const choices = Array.isArray(enum_values) ? enum_values.map(plainText).filter(Boolean) : [];
  return [{ name: plain, type: known, choices, description: label(description, 300) }];
}

/** The path of a page if it is one of this plugin: nothing else of the server may be framed under a plugin's name. */
export function pagePath(id: string, path: string): string | null {
  const folder = `/v0/resource/plugins/${id}/`;
  const server = 'http://server.invalid';
  const url = parsedUrl(path, server);
  if (url === null || url.origin !== server || !path.startsWith('/')) return null;
  // An encoded slash or dot might be decoded by a server on the way.
  if (!url.pathname.startsWith(folder) || /%2e|%2f|%5c/i.test(url.pathname)) return null;
  return `${url.pathname}${url.search}${url.hash}`;
}

export type PluginState = 'running' | 'off' | 'allOff' | 'notLoaded' | 'missing';

/** Why a plugin runs or does not. */
export function stateOf(plugin: Plugin, pluginsEnabled: boolean): PluginState {
  if (plugin.running) return 'running';
  if (!plugin.enabled) return 'off';
  if (!pluginsEnabled) return 'allOff';
  return plugin.registered ? 'notLoaded' : 'missing';
}

/** Pages of the plugins that run, in the order of the list. */
export const runningPages = ({
  plugins,
}: PluginList): readonly { readonly plugin: Plugin; readonly menu: PluginMenu }[] =>
  plugins.flatMap((plugin) =>
    plugin.running ? plugin.menus.flatMap((menu) => (menu.path === null ? [] : [{ plugin, menu }])) : [],
  );
