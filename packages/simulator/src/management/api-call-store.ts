import type { ApiCallAnswer } from '../accounts/api-call-types.ts';
import fixture from '../fixtures/api-call.json';
import { isObject, type JsonObject } from '../json.ts';
import type { ApiCallEntry } from '../types.ts';

/** What providers answer to `api-call`; later entries win. */
export interface ApiCalls {
  add(entry: ApiCallEntry): void;
  /** Among the added entries. */
  added(method: string, url: string, authIndex: string): ApiCallEntry | null;
  /** Among those of the fixture. */
  known(method: string, url: string, authIndex: string): ApiCallEntry | null;
  /** Default duration in milliseconds. */
  latencyMs(): number;
  setLatency(ms: number): void;
}

/** Starts with the fixture: its first answer per request, for the account named there and for any other. */
export function createApiCalls(latencyMs: number): ApiCalls {
  const known = fixtureEntries();
  const added: ApiCallEntry[] = [];
  let latency = latencyMs;
  return {
    add: (entry) => void added.unshift(entry),
    added: (method, url, authIndex) => find(added, method, url, authIndex),
    known: (method, url, authIndex) => find(known, method, url, authIndex),
    latencyMs: () => latency,
    setLatency(ms) {
      latency = ms;
    },
  };
}

function find(entries: readonly ApiCallEntry[], method: string, url: string, authIndex: string): ApiCallEntry | null {
  const matching = entries.filter((entry) => entry.method.toUpperCase() === method && matchesUrl(entry.url, url));
  const own = matching.find((entry) => entry.authIndex === authIndex);
  return own ?? matching.find((entry) => entry.authIndex === undefined) ?? null;
}

function fixtureEntries(): ApiCallEntry[] {
  const own: ApiCallEntry[] = [];
  const any: ApiCallEntry[] = [];
  for (const call of fixture.calls) {
    const { method, url } = call.request;
    const result = answerOf(call.response as unknown as JsonObject);
    const authIndex = 'authIndex' in call.request ? String(call.request.authIndex) : '';
    if (authIndex !== '' && !own.some((entry) => entry.url === url && entry.authIndex === authIndex))
      own.push({ method, url, authIndex, result });
    if (!any.some((entry) => entry.url === url)) any.push({ method, url, result });
  }
  const refreshFailure = fixture.errors.find((call) => call.name === 'token-refresh-failed')?.request;
  if (refreshFailure?.url !== undefined && refreshFailure.method !== undefined) {
    const { method, url, auth_index: authIndex = '' } = refreshFailure;
    own.push({ method, url, authIndex, result: 'auth token refresh failed' });
  }
  return [...own, ...any];
}

function answerOf(response: JsonObject): ApiCallAnswer {
  const header: Record<string, string[]> = {};
  if (isObject(response.header)) {
    for (const [name, values] of Object.entries(response.header))
      if (Array.isArray(values)) header[name] = values.map(String);
  }
  return { status_code: Number(response.status_code), header, body: String(response.body) };
}

/** Exact, or a pattern with `*`. */
export function matchesUrl(pattern: string, url: string): boolean {
  if (!pattern.includes('*')) return pattern === url;
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(url);
}
