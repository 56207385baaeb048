import { isJsonObject, parseJson } from '@manager/core/json/json';
import { isRecord } from '../../../platform/browser/storage.ts';
import { baseUrlOf, type Entry, type ProviderKey, textIn } from '../../../platform/gateway/providers/entry.ts';
import type { Kind } from '../../../platform/gateway/providers/kinds.ts';

/** Body of the gateway's `api-call`. */
export interface ApiCall {
  readonly auth_index?: string;
  readonly proxy_url?: string;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly header: Readonly<Record<string, string>>;
  readonly data?: string;
}

/** The gateway puts the key of the account in its place. */
const TOKEN = '$TOKEN$';
const PROMPT = 'ping';
/** Some providers refuse less. */
const MAX_TOKENS = 16;

/** A call to the provider's list of models; null where it has none. */
export function modelListCall(kind: Kind, entry: Entry, key: ProviderKey): ApiCall | null {
  const base = baseOf(kind, entry);
  switch (kind.id) {
    case 'vertex':
      return null;
    case 'gemini':
    case 'interactions':
      return call(kind, entry, key, `${base}/v1beta/models?pageSize=1000`);
    case 'claude':
      return call(kind, entry, key, `${base}/v1/models?limit=1000`);
    default:
      return call(kind, entry, key, `${base}/models`);
  }
}

/** One small request for a model, by the name the provider has for it. */
export function testCall(kind: Kind, entry: Entry, key: ProviderKey, model: string): ApiCall {
  const base = baseOf(kind, entry);
  const generate = {
    contents: [{ role: 'user', parts: [{ text: PROMPT }] }],
    generationConfig: { maxOutputTokens: MAX_TOKENS },
  };
  const path = encodeURIComponent(model);
  switch (kind.id) {
    case 'gemini':
      return call(kind, entry, key, `${base}/v1beta/models/${path}:generateContent`, generate);
    case 'interactions':
      return call(kind, entry, key, `${base}/v1beta/interactions`, { model, input: PROMPT });
    case 'vertex':
      return call(kind, entry, key, `${base}/v1/publishers/google/models/${path}:generateContent`, generate);
    case 'claude':
      return call(kind, entry, key, `${base}/v1/messages`, {
        model,
        max_tokens: MAX_TOKENS,
        messages: [{ role: 'user', content: PROMPT }],
      });
    case 'codex':
    case 'xai':
      return call(kind, entry, key, `${base}/responses`, {
        model,
        input: [{ role: 'user', content: PROMPT }],
        max_output_tokens: MAX_TOKENS,
      });
    case 'openai':
      return call(kind, entry, key, `${base}/chat/completions`, {
        model,
        max_tokens: MAX_TOKENS,
        messages: [{ role: 'user', content: PROMPT }],
      });
  }
}

const baseOf = (kind: Kind, entry: Entry): string => baseUrlOf(kind, entry).replace(/\/+$/, '');

/** With the account of the gateway where there is one, which has its proxy; else with the typed key. */
function call(kind: Kind, entry: Entry, key: ProviderKey, url: string, data?: unknown): ApiCall {
  const secret = key.authIndex === '' ? key.key : TOKEN;
  const proxy = textIn(entry, 'proxy-url');
  const isAddress = /^[a-z0-9]+:\/\//i.test(proxy);
  return {
    ...(key.authIndex === '' ? (isAddress ? { proxy_url: proxy } : {}) : { auth_index: key.authIndex }),
    method: data === undefined ? 'GET' : 'POST',
    url,
    header: {
      ...(data === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(secret === '' ? {} : keyHeaders(kind, url, secret)),
      ...ownHeaders(entry),
    },
    ...(data === undefined ? {} : { data: JSON.stringify(data) }),
  };
}

function keyHeaders(kind: Kind, url: string, secret: string): Record<string, string> {
  const bearer = { Authorization: `Bearer ${secret}` };
  switch (kind.id) {
    case 'gemini':
    case 'interactions':
    case 'vertex':
      return { 'x-goog-api-key': secret };
    case 'claude': {
      const usual = { 'anthropic-version': '2023-06-01', 'x-api-key': secret };
      // Services with the same interface often take the key from here.
      return url.startsWith(kind.home) ? usual : { ...usual, ...bearer };
    }
    default:
      return bearer;
  }
}

/** Its headers, but those copied from a client's request, which there is none of. */
function ownHeaders({ headers }: Entry): Record<string, string> {
  if (!isRecord(headers)) return {};
  const texts = Object.entries(headers).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return Object.fromEntries(texts.filter(([, value]) => !value.startsWith('$')));
}

/** Names of an answer with models, sorted; null where it has no list of them. */
export function listedModels(body: string): readonly string[] | null {
  const parsed = parseJson(body);
  const list = isJsonObject(parsed) ? (parsed.data ?? parsed.models) : parsed;
  if (!Array.isArray(list)) return null;
  const names = list.flatMap((row: unknown) => {
    const name = isJsonObject(row) ? (row.id ?? row.name) : row;
    return typeof name === 'string' && name !== '' ? [name.replace(/^models\//, '')] : [];
  });
  return [...new Set(names)].toSorted();
}
