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
  install(id: string): void;
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
  const installed = new Set(first ?? templates.keys());

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

  return {
    list: () => ({
      plugins_enabled: areEnabled(),
      plugins_dir: config.get(['plugins', 'dir']) ?? 'plugins',
      plugins: [...installed].sort().map((id) => ({ ...(templates.get(id) ?? {}), id, ...states(id) })),
    }),
    store() {
      const offered = Array.isArray(storeSample.plugins) ? storeSample.plugins.filter(isObject) : [];
      return {
        ...storeSample,
        plugins_enabled: areEnabled(),
        plugins: offered.map((plugin) => {
          const id = String(plugin.id);
          return installed.has(id) ? { ...plugin, ...states(id) } : { ...plugin, ...NOT_INSTALLED };
        }),
      };
    },
    has: (id) => installed.has(id),
    isActive: (id) => installed.has(id) && areEnabled() && configOf(id)?.enabled === true,
    pathOf: (id) => `/sim/plugins/${id}.so`,
    install: (id) => void installed.add(id),
    remove: (id) => void installed.delete(id),
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
