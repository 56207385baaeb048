import type { JsonObject } from '../json/json.ts';
import { readText, type Spellings } from '../json/readers.ts';
import { isMaskedSource, maskSource } from '../redaction/redact.ts';
import type { UsageEvent } from './event.ts';

const PROVIDER: Spellings = ['provider', 'type', 'auth_type', 'authType'];
const API_KEY: Spellings = ['api_key', 'apiKey', 'key'];
const SOURCE: Spellings = ['source', 'api_key', 'apiKey', 'key', 'account', 'email'];
const AUTH_TYPE: Spellings = ['auth_type', 'authType'];

/** Of Google Cloud, with the domain that older ones have. */
const PROJECT_ID = /^(?:[a-z0-9.-]+:)?[a-z0-9][a-z0-9-]{4,29}$/;

/** What a record says about its source. */
export interface KeyFacts {
  /** Unmasked. */
  readonly source: string;
  /** The key of the client, unmasked; '' when unknown. */
  readonly apiKey: string;
  readonly authType: string;
  readonly provider: string;
}

export function readKeyFacts(item: JsonObject): KeyFacts {
  return {
    source: readText(item, SOURCE),
    apiKey: readText(item, API_KEY),
    authType: readText(item, AUTH_TYPE),
    provider: readText(item, PROVIDER),
  };
}

/**
 * Whether a source is a key: the client's own, or that of an account which logs in with one. Such an account can also
 * be named by its file or, at Vertex, by its project.
 */
export function isKeySource(source: string, { apiKey, authType, provider }: Omit<KeyFacts, 'source'>): boolean {
  // Files of another manager may have masked it.
  if (source === '' || isMaskedSource(source)) return false;
  if (source === apiKey) return true;
  if (authType.toLowerCase().replace(/[-_ ]/g, '') !== 'apikey' || source.toLowerCase().endsWith('.json')) return false;
  return provider.toLowerCase() !== 'vertex' || !PROJECT_ID.test(source);
}

/** Shorter ones could be a word of any text. */
const SHORTEST_QUOTED_KEY = 8;

/** A text of the provider without a key that it quotes. */
export function withoutKey(text: string, key: string): string {
  return key.length < SHORTEST_QUOTED_KEY || isMaskedSource(key) ? text : text.replaceAll(key, maskSource(key, true));
}

/** A text of the provider without the keys of its request. */
export function withoutKeys(text: string, facts: KeyFacts): string {
  if (text === '') return '';
  const { source, apiKey } = facts;
  return withoutKey(isKeySource(source, facts) ? withoutKey(text, source) : text, apiKey);
}

type StoredSource = Pick<UsageEvent, 'source' | 'source_hash' | 'api_key_hash' | 'auth_type' | 'provider'>;

/** Whether the source of a stored or exported event is a key in clear. */
export function hasClearKeySource(event: StoredSource): boolean {
  const { source, source_hash, api_key_hash, auth_type, provider } = event;
  if (source === '' || isMaskedSource(source)) return false;
  if (source_hash !== '' && source_hash === api_key_hash) return true;
  return isKeySource(source, { apiKey: '', authType: auth_type, provider });
}
