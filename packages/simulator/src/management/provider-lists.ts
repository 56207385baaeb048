import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { authIndexOfKey, idOfKey, type KeyIdentity } from './auth-index.ts';
import type { ManagementContext } from './context.ts';

export interface ProviderList {
  readonly name: string;
  readonly feature?: string;
  /** Provider in events and in the key usage. */
  readonly provider: string;
  /** Entries without a base URL are dropped silently. */
  readonly needsBaseUrl: boolean;
  /** Members PATCH does not change. */
  readonly notPatched: readonly string[];
}

export const PROVIDER_LISTS: readonly ProviderList[] = [
  { name: 'gemini-api-key', provider: 'gemini', needsBaseUrl: false, notPatched: ['priority', 'models'] },
  {
    name: 'interactions-api-key',
    feature: 'interactions-api-key',
    provider: 'gemini-interactions',
    needsBaseUrl: false,
    notPatched: ['priority', 'models'],
  },
  { name: 'codex-api-key', provider: 'codex', needsBaseUrl: true, notPatched: ['priority', 'websockets'] },
  { name: 'xai-api-key', feature: 'xai-api-key', provider: 'xai', needsBaseUrl: true, notPatched: [] },
  { name: 'claude-api-key', provider: 'claude', needsBaseUrl: false, notPatched: ['priority', 'cloak'] },
  { name: 'vertex-api-key', provider: 'vertex', needsBaseUrl: false, notPatched: ['priority'] },
  { name: 'openai-compatibility', provider: 'openai-compatible', needsBaseUrl: true, notPatched: ['priority'] },
];

const COMMON_MEMBERS = ['base-url', 'priority', 'weight', 'prefix', 'proxy-url', 'headers', 'models'];
const RETRY_MEMBERS = ['disable-cooling', 'request-retry'];
/** What the gateway keeps of an entry; anything else is dropped. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'codex-api-key': ['websockets', 'alpha-search'],
  'xai-api-key': ['websockets', 'alpha-search'],
  'claude-api-key': ['cloak', 'fingerprint-profile', 'rebuild-mid-system-message', 'experimental-cch-signing'],
  'openai-compatibility': ['name', 'api-key-entries', 'disabled', 'support-prompt-cache-key'],
};

function isKnownMember(list: ProviderList, name: string): boolean {
  if (name === 'api-key' || name === 'excluded-models') return list.name !== 'openai-compatibility';
  if (name === 'request-scoped-errors') return list.name !== 'vertex-api-key';
  return [...COMMON_MEMBERS, ...RETRY_MEMBERS, ...(MEMBERS[list.name] ?? [])].includes(name);
}

const MAX_WEIGHT = 1_000_000;
const COLLAPSING = ['gemini-api-key', 'interactions-api-key'];

export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

export function entriesOf(context: ManagementContext, list: ProviderList): JsonObject[] {
  const entries = context.config.get([list.name]);
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

/** Entries as GET shows them, with the index of the live account. */
export function shownEntries(context: ManagementContext, list: ProviderList): JsonObject[] {
  const withIndex = context.profile().endpoints.has('auth-index-in-lists');
  return entriesOf(context, list).map((entry) => {
    const identity = identityOf(entry);
    if (list.name !== 'openai-compatibility') {
      const index = authIndexOfKey(list.name, identity);
      return withIndex ? { ...entry, 'auth-index': index } : entry;
    }
    const keys = keyEntriesOf(entry);
    const shown: JsonObject = { ...entry, disabled: entry.disabled === true };
    if (!withIndex) return shown;
    if (keys.length === 0) return { ...shown, 'auth-index': authIndexOfKey(list.name, identity) };
    const indexed = keys.map((key) => ({
      ...key,
      'auth-index': authIndexOfKey(list.name, { ...identity, apiKey: textOf(key['api-key']) }),
    }));
    return { ...shown, 'api-key-entries': indexed };
  });
}

function identityOf(entry: JsonObject): KeyIdentity {
  return {
    apiKey: textOf(entry['api-key']),
    baseUrl: textOf(entry['base-url']),
    proxyUrl: textOf(entry['proxy-url']),
    prefix: textOf(entry.prefix),
  };
}

export function keyEntriesOf(entry: JsonObject): JsonObject[] {
  const keys = entry['api-key-entries'];
  return Array.isArray(keys) ? keys.filter(isObject) : [];
}

type Sanitised = { readonly entries: JsonObject[] } | { readonly error: string };

/** What the gateway keeps of a written list. */
export function sanitise(list: ProviderList, items: readonly JsonValue[]): Sanitised {
  const entries: JsonObject[] = [];
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (!isObject(item)) return { error: 'invalid body' };
    const entry = cleaned(list, item);
    const heavy = heavyPart(entry);
    if (heavy !== null) return { error: `${list.name}[${index}]${heavy}.weight: weight must not exceed ${MAX_WEIGHT}` };
    if (list.name === 'vertex-api-key' && textOf(entry['api-key']) === '')
      return { error: `${list.name}[${index}].api-key: required` };
    if (list.name === 'claude-api-key' && !isProfileName(entry['fingerprint-profile']))
      return { error: `${list.name}[${index}].fingerprint-profile: unknown` };
    if (isDropped(list, entry)) continue;
    const identity = JSON.stringify(
      ['api-key', 'base-url', 'proxy-url', 'prefix', 'headers'].map((key) => entry[key] ?? ''),
    );
    if (COLLAPSING.includes(list.name) && seen.has(identity)) continue;
    seen.add(identity);
    entries.push(entry);
  }
  return { entries };
}

/** Where an entry has a weight above the limit; null where it has none. */
function heavyPart(entry: JsonObject): string | null {
  const isHeavy = ({ weight }: JsonObject): boolean => typeof weight === 'number' && weight > MAX_WEIGHT;
  if (isHeavy(entry)) return '';
  const at = keyEntriesOf(entry).findIndex(isHeavy);
  return at < 0 ? null : `.api-key-entries[${at}]`;
}

function cleaned(list: ProviderList, item: JsonObject): JsonObject {
  const known = Object.entries(item).filter(([name]) => isKnownMember(list, name));
  const entry: JsonObject = Object.fromEntries(known);
  for (const name of ['api-key', 'base-url', 'proxy-url', 'name']) if (name in entry) entry[name] = textOf(entry[name]);
  const prefix = textOf(entry.prefix).replace(/^\/+|\/+$/g, '');
  if (prefix === '' || prefix.includes('/')) delete entry.prefix;
  else entry.prefix = prefix;
  const excluded = entry['excluded-models'];
  if (Array.isArray(excluded)) {
    const names = new Set(excluded.map((model) => textOf(model).toLowerCase()).filter((model) => model !== ''));
    if (names.size > 0) entry['excluded-models'] = [...names];
    else delete entry['excluded-models'];
  }
  if (list.name === 'xai-api-key' && 'alpha-search' in entry) entry['alpha-search'] = false;
  if ('api-key-entries' in entry) {
    entry['api-key-entries'] = keyEntriesOf(entry).map((key) => {
      const kept: JsonObject = { ...key, 'api-key': textOf(key['api-key']) };
      delete kept['auth-index'];
      return kept;
    });
  }
  for (const name of ['priority', 'weight']) if (entry[name] === 0) delete entry[name];
  return entry;
}

function isDropped(list: ProviderList, entry: JsonObject): boolean {
  const hasBaseUrl = textOf(entry['base-url']) !== '';
  if (list.needsBaseUrl) return !hasBaseUrl;
  return textOf(entry['api-key']) === '' && !hasBaseUrl;
}

function isProfileName(value: JsonValue | undefined): boolean {
  return value === undefined || value === '' || (typeof value === 'string' && /^[a-z0-9.-]+$/.test(value));
}

/** The list entry with this runtime id; null without one. */
export function findById(
  context: ManagementContext,
  id: string,
): { readonly list: ProviderList; readonly index: number } | null {
  for (const list of PROVIDER_LISTS) {
    const index = entriesOf(context, list).findIndex((entry) => idOfKey(list.provider, identityOf(entry)) === id);
    if (index >= 0) return { list, index };
  }
  return null;
}

/** The list entry that owns an `auth_index`; null without one. */
export function findByAuthIndex(
  context: ManagementContext,
  authIndex: string,
): { readonly list: ProviderList; readonly index: number } | null {
  for (const list of PROVIDER_LISTS) {
    const index = shownEntries(context, list).findIndex(
      (entry) =>
        entry['auth-index'] === authIndex || keyEntriesOf(entry).some((key) => key['auth-index'] === authIndex),
    );
    if (index >= 0) return { list, index };
  }
  return null;
}
