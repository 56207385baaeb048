import { isRecord } from '../../../platform/browser/storage.ts';
import { harmless, httpsLink, isPluginId, label, plainText } from './plugin.ts';

export interface StorePlugin {
  /** Source and id. */
  readonly storeId: string;
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly author: string;
  readonly version: string;
  readonly repository: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly sourceUrl: string;
  /** From the gateway's own store. */
  readonly official: boolean;
  /** The source asks for credentials that the gateway does not have. */
  readonly lacksAccess: boolean;
  readonly installed: boolean;
  readonly installedVersion: string;
  /** Installed from another source than this one. */
  readonly otherSource: boolean;
  readonly updateAvailable: boolean;
}

interface SourceError {
  readonly source: string;
  readonly message: string;
}

export interface Store {
  readonly plugins: readonly StorePlugin[];
  readonly sources: number;
  readonly errors: readonly SourceError[];
}

/** The store of the gateway's makers. A name or id says nothing: whoever writes the configuration chooses them. */
const OFFICIAL_STORE = 'https://raw.githubusercontent.com/router-for-me/CLIProxyAPI-Plugins-Store/main/registry.json';

export function readStore(store: Readonly<Record<string, unknown>>, plugins: readonly unknown[]): Store {
  const errors = Array.isArray(store.source_errors) ? store.source_errors.filter(isRecord) : [];
  return {
    plugins: plugins.filter(isRecord).flatMap((entry) => (isPluginId(entry.id) ? [readOffer(entry, entry.id)] : [])),
    sources: Array.isArray(store.sources) ? store.sources.length : 0,
    errors: errors.map((error) => ({
      source: label(error.source_name) || label(error.source_id) || harmless(error.source_url),
      message: harmless(error.message),
    })),
  };
}

function readOffer(entry: Record<string, unknown>, id: string): StorePlugin {
  const sourceId = plainText(entry.source_id);
  const from = plainText(entry.installed_source_id);
  const installed = entry.installed === true;
  const sourceUrl = harmless(entry.source_url);
  return {
    storeId: label(entry.store_id, 300) || `${sourceId}/${id}`,
    id,
    name: label(entry.name) || id,
    description: label(entry.description, 300),
    author: label(entry.author),
    version: label(entry.version, 40),
    repository: httpsLink(entry.repository) || httpsLink(entry.homepage),
    sourceId,
    // Its name is what a person types to trust it.
    sourceName: label(entry.source_name) || label(sourceId) || sourceUrl || '?',
    sourceUrl,
    official: plainText(entry.source_url) === OFFICIAL_STORE,
    lacksAccess: entry.auth_required === true && entry.auth_configured !== true,
    installed,
    installedVersion: label(entry.installed_version, 40),
    otherSource: installed && from !== '' && from !== sourceId,
    updateAvailable: entry.update_available === true,
  };
}

/** Plugins whose name, id, text, author or source has every word. */
export function findOffers(plugins: readonly StorePlugin[], search: string): readonly StorePlugin[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return plugins.filter(({ id, name, description, author, sourceName }) => {
    const text = `${id} ${name} ${description} ${author} ${sourceName}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The newer version a source offers of an installed plugin; '' = none known. */
export function updateOf(store: Store | undefined, id: string): string {
  return store?.plugins.find((offer) => offer.id === id && offer.updateAvailable && !offer.otherSource)?.version ?? '';
}
