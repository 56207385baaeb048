import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { save, sendError, sendOk } from './answers.ts';
import type { ManagementContext } from './context.ts';
import { readObject } from './json-errors.ts';
import type { Handler, Route } from './router.ts';

const PLUGIN_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Where a gateway looks for plugins. */
const REGISTRY = 'https://raw.githubusercontent.com/router-for-me/CLIProxyAPI-Plugins-Store/main/registry.json';

export const pluginRoutes: readonly Route[] = [
  {
    methods: 'GET',
    path: '/plugins',
    feature: 'plugins',
    handler: (exchange, { plugins }) => exchange.sendJson(200, plugins.list()),
  },
  { methods: 'PATCH', path: '/plugins/:id/enabled', feature: 'plugins', handler: forPlugin(setEnabled) },
  { methods: 'GET', path: '/plugins/:id/config', feature: 'plugin-config', handler: forPlugin(getConfig) },
  { methods: 'PUT|PATCH', path: '/plugins/:id/config', feature: 'plugin-config', handler: forPlugin(setConfig) },
  { methods: 'DELETE', path: '/plugins/:id', feature: 'plugin-delete', handler: forPlugin(remove) },
  {
    methods: 'GET',
    path: '/plugin-store',
    feature: 'plugin-store',
    handler: (exchange, context) => {
      if (hasRegistry(exchange, context)) exchange.sendJson(200, context.plugins.store());
    },
  },
  { methods: 'POST', path: '/plugin-store/:id/install', feature: 'plugin-store', handler: forPlugin(install) },
];

type PluginHandler = (exchange: Exchange, context: ManagementContext, id: string) => void | Promise<void>;

function forPlugin(handler: PluginHandler): Handler {
  return (exchange, context, { id = '' }) => {
    if (PLUGIN_ID.test(id)) return handler(exchange, context, id);
    sendError(exchange, 400, 'invalid_plugin_id', 'invalid plugin id');
  };
}

function storeConfig(
  exchange: Exchange,
  context: ManagementContext,
  id: string,
  config: JsonObject | undefined,
): boolean {
  const plugins = context.config.file().plugins;
  const known = isObject(plugins) && isObject(plugins.configs) ? plugins.configs : {};
  const others = Object.fromEntries(Object.entries(known).filter(([name]) => name !== id));
  const configs = config === undefined ? others : { ...others, [id]: config };
  return save(exchange, context, ['plugins', 'configs'], configs);
}

async function setEnabled(exchange: Exchange, context: ManagementContext, id: string): Promise<void> {
  const body = await exchange.json();
  if (!isObject(body) || typeof body.enabled !== 'boolean')
    sendError(exchange, 400, 'invalid_body', 'enabled is required');
  else if (storeConfig(exchange, context, id, { ...context.plugins.config(id), enabled: body.enabled }))
    sendOk(exchange);
}

function getConfig(exchange: Exchange, context: ManagementContext, id: string): void {
  const config = context.plugins.config(id);
  if (config === null && !context.plugins.has(id)) sendError(exchange, 404, 'plugin_not_found', 'plugin not found');
  else exchange.sendJson(200, shownConfig(config ?? {}));
}

/** A plugin that is switched off has no `enabled`. */
function shownConfig(config: JsonObject): JsonObject {
  const { enabled, ...rest } = config;
  return enabled === true ? config : rest;
}

async function setConfig(exchange: Exchange, context: ManagementContext, id: string): Promise<void> {
  const read = readObject(await exchange.bytes());
  if ('problem' in read) {
    sendError(exchange, 400, 'invalid_body', read.problem);
    return;
  }
  const known = context.plugins.config(id) ?? {};
  const enabled = known.enabled === undefined ? {} : { enabled: known.enabled };
  // PUT keeps `enabled` where the body lacks it; a member that PATCH sets to null stays as it is.
  const changes = Object.entries(read.object).filter(([, value]) => exchange.method === 'PUT' || value !== null);
  const config = { ...(exchange.method === 'PUT' ? enabled : known), ...Object.fromEntries(changes) };
  if (storeConfig(exchange, context, id, config)) sendOk(exchange);
}

function remove(exchange: Exchange, context: ManagementContext, id: string): void {
  const isInstalled = context.plugins.has(id);
  const wasConfigured = context.plugins.config(id) !== null;
  if (!isInstalled && !wasConfigured) {
    sendError(exchange, 404, 'plugin_not_found', 'plugin not found');
    return;
  }
  context.plugins.remove(id);
  if (!storeConfig(exchange, context, id, undefined)) return;
  exchange.sendJson(200, {
    status: 'deleted',
    id,
    path: isInstalled ? context.plugins.pathOf(id) : '',
    file_deleted: isInstalled,
    configured_removed: wasConfigured,
    restart_required: false,
  });
}

/** The registry is on the internet; without it 502 is sent. */
function hasRegistry(exchange: Exchange, context: ManagementContext): boolean {
  if (context.hasInternet()) return true;
  const message = `request ${REGISTRY} failed: <network error>`;
  sendError(exchange, 502, 'plugin_store_registry_failed', message);
  return false;
}

async function install(exchange: Exchange, context: ManagementContext, id: string): Promise<void> {
  if (!hasRegistry(exchange, context)) return;
  const body = await exchange.json();
  const requested = exchange.query.get('version') ?? (isObject(body) ? String(body.version ?? '') : '');
  const source = exchange.query.get('source') ?? '';
  const { plugins } = context;
  const sources = (plugins.store().sources ?? []) as JsonObject[];
  const offers = plugins.offers(id);
  const found = source === '' ? offers : offers.filter((offer) => offer.source_id === source);
  const [offer] = found;
  const owner = plugins.sourceOf(id);
  if (source !== '' && !sources.some((known) => known.id === source))
    sendError(exchange, 404, 'plugin_store_source_not_found', 'no such source');
  else if (offer === undefined) sendError(exchange, 404, 'plugin_not_found', 'the store has no such plugin');
  else if (found.length > 1)
    exchange.sendJson(409, { error: 'plugin_store_source_required', message: 'several sources offer it', sources });
  else if (owner !== '' && owner !== offer.source_id)
    sendError(exchange, 409, 'plugin_store_source_conflict', 'installed from another source');
  else {
    const version = requested === '' ? String(offer.version) : requested;
    plugins.install(id, offer, version);
    exchange.sendJson(200, {
      status: 'installed',
      source_id: offer.source_id ?? '',
      source_name: offer.source_name ?? '',
      source_url: offer.source_url ?? '',
      id,
      version,
      install_type: offer.install_type ?? '',
      path: plugins.pathOf(id),
      plugins_enabled: context.config.get(['plugins', 'enabled']) === true,
      restart_required: false,
    });
  }
}
