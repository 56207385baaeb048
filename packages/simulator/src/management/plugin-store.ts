import samples from '../fixtures/management-samples.json';
import { isObject, type JsonObject } from '../json.ts';
import type { ConfigStore } from './config-store.ts';

/** Installed plugins and the store they come from. */
export interface PluginStore {
  list(): JsonObject;
  store(): JsonObject;
  has(id: string): boolean;
  isActive(id: string): boolean;
  pathOf(id: string): string;
  /** What the store's sources offer under an id. */
  offers(id: string): readonly JsonObject[];
  /** Source of an installed plugin; '' = not known. */
  sourceOf(id: string): string;
  install(id: string, offer: JsonObject, version: string): void;
  remove(id: string): void;
  config(id: string): JsonObject | null;
}

/** `first` are installed at the start; default: the plugin of the sample answer. */
export function createPluginStore(config: ConfigStore, first?: readonly string[]): PluginStore {
  const sample = samples['GET /v0/management/plugins'] as JsonObject;
  const storeSample = samples['GET /v0/management/plugin-store'] as JsonObject;
  const templates = new Map<string, JsonObject>();
  for (const plugin of Array.isArray(sample.plugins) ? sample.plugins.filter(isObject) : [])
    templates.set(String(plugin.id), plugin);
  const offered = Array.isArray(storeSample.plugins) ? storeSample.plugins.filter(isObject) : [];
  const installed = new Set(first ?? templates.keys());
  /** Of plugins that were installed from the store. */
  const fromStore = new Map<string, { readonly offer: JsonObject; readonly version: string }>();

  /** From the file: the JSON view hides private settings. */
  function configOf(id: string): JsonObject | null {
    const plugins = config.file().plugins;
    const configs = isObject(plugins) ? plugins.configs : null;
    const value = isObject(configs) ? configs[id] : null;
    return isObject(value) ? value : null;
  }

  function areEnabled(): boolean {
    return config.get(['plugins', 'enabled']) === true;
  }

  function states(id: string): JsonObject {
    const isEnabled = configOf(id)?.enabled === true;
    return {
      configured: configOf(id) !== null,
      registered: true,
      enabled: isEnabled,
      effective_enabled: areEnabled() && isEnabled,
    };
  }

  /** The row of an installed plugin, without its states. */
  function listed(id: string): JsonObject {
    const template = templates.get(id) ?? {};
    const stored = fromStore.get(id);
    if (stored === undefined) return template;
    const { offer, version } = stored;
    const metadata = isObject(template.metadata) ? template.metadata : {};
    return {
      path: `/sim/plugins/${id}.so`,
      supports_oauth: false,
      oauth_provider: '',
      logo: '',
      config_fields: [],
      menus: [{ path: `/v0/resource/plugins/${id}/index.html`, menu: offer.name ?? id, description: '' }],
      ...template,
      metadata: {
        name: offer.name ?? id,
        author: offer.author ?? '',
        github_repository: offer.repository ?? '',
        logo: '',
        config_fields: [],
        ...metadata,
        version,
      },
    };
  }

  /** What a source says about a plugin that is installed. */
  function installation(id: string, offer: JsonObject): JsonObject {
    const stored = fromStore.get(id);
    if (stored === undefined) return {};
    const isSource = stored.offer.source_id === offer.source_id;
    return {
      installed: true,
      installed_version: stored.version,
      installed_source_id: stored.offer.source_id ?? '',
      install_source_status: isSource ? 'matched' : 'mismatched',
      path: `/sim/plugins/${id}.so`,
      update_available: isSource && stored.version !== offer.version,
    };
  }

  return {
    list: () => ({
      plugins_enabled: areEnabled(),
      plugins_dir: config.get(['plugins', 'dir']) ?? 'plugins',
      plugins: [...installed].sort().map((id) => ({ ...listed(id), id, ...states(id) })),
    }),
    store: () => ({
      ...storeSample,
      plugins_enabled: areEnabled(),
      plugins: offered.map((offer) => {
        const id = String(offer.id);
        return installed.has(id)
          ? { ...offer, ...states(id), ...installation(id, offer) }
          : { ...offer, ...NOT_INSTALLED };
      }),
    }),
    has: (id) => installed.has(id),
    isActive: (id) => installed.has(id) && areEnabled() && configOf(id)?.enabled === true,
    pathOf: (id) => `/sim/plugins/${id}.so`,
    offers: (id) => offered.filter((offer) => offer.id === id),
    sourceOf(id) {
      const known = fromStore.get(id)?.offer.source_id ?? offered.find((offer) => offer.id === id)?.installed_source_id;
      return installed.has(id) ? String(known ?? '') : '';
    },
    install(id, offer, version) {
      installed.add(id);
      fromStore.set(id, { offer, version });
    },
    remove(id) {
      installed.delete(id);
      fromStore.delete(id);
    },
    config: configOf,
  };
}

const NOT_INSTALLED: JsonObject = {
  installed: false,
  installed_version: '',
  path: '',
  configured: false,
  registered: false,
  enabled: false,
  effective_enabled: false,
  update_available: false,
};
