import type { ApiCallRequest } from '../accounts/answer.ts';
import { sleep } from '../clock.ts';
import fixture from '../fixtures/api-call.json';
import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import { isObject } from '../payload.ts';
import type { ApiCallAnswer, ApiCallEntry, JsonObject } from '../types.ts';
import { objectBody, sendError } from './answers.ts';
import { type ApiCallResult, answerApiCall } from './api-call-answers.ts';
import type { ManagementContext } from './context.ts';
import { findByAuthIndex } from './provider-lists.ts';

const TOKEN = '$TOKEN$';

/** What the outside world answers to `api-call`; entries that are added later win. */
export interface ApiCalls {
  add(entry: ApiCallEntry): void;
  /** Among those that were added. */
  added(method: string, url: string, authIndex: string): ApiCallEntry | null;
  /** Among those of the fixture. */
  known(method: string, url: string, authIndex: string): ApiCallEntry | null;
  /** Milliseconds a call takes that says nothing else. */
  latencyMs(): number;
  setLatency(ms: number): void;
}

/** Begins with the fixture: its first answer per call, for the credential named there and for any other. */
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

function matchesUrl(pattern: string, url: string): boolean {
  if (!pattern.includes('*')) return pattern === url;
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`).test(url);
}

export function apiCallRoutes(context: ManagementContext): Route[] {
  return [{ methods: 'POST', path: '/api-call', kind: 'api-call', handler: (exchange) => call(exchange, context) }];
}

async function call(exchange: Exchange, context: ManagementContext): Promise<void> {
  const body = await objectBody(exchange);
  if (body === null) return;
  const text = (...names: string[]): string => {
    for (const name of names) if (typeof body[name] === 'string') return body[name].trim();
    return '';
  };
  const method = text('method').toUpperCase();
  const url = text('url');
  const authIndex = text('auth_index', 'authIndex', 'AuthIndex');
  const problem = requestProblem(method, url, text('proxy_url'), context);
  if (problem !== null) {
    sendError(exchange, 400, problem);
    return;
  }
  const fault = context.faults.take(
    'api-call',
    (candidate) =>
      (candidate.url === undefined || matchesUrl(candidate.url, url)) &&
      (candidate.authIndex === undefined || candidate.authIndex === authIndex),
  );
  const latencyMs = fault?.delayMs ?? context.accounts.latencyMs(authIndex) ?? context.apiCalls.latencyMs();
  // The upstream gives up when its caller does.
  if (latencyMs > 0) await sleep(context.clock, latencyMs, exchange.gone);
  const request = { method, url, headers: headersOf(body.header), data: text('data') };
  const result = fault?.result ?? resultOf(context, request, authIndex);
  await answerApiCall(exchange, context.clock, result);
}

function headersOf(header: unknown): Record<string, string> {
  const entries = isObject(header) ? Object.entries(header) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** In this order: the token, what a test has set, the account, the fixture. */
function resultOf(context: ManagementContext, request: ApiCallRequest, authIndex: string): ApiCallResult {
  const { method, url, headers } = request;
  const usesToken = Object.values(headers).some((value) => value.includes(TOKEN));
  const refused = usesToken ? tokenProblem(context, authIndex) : null;
  return (
    refused ??
    context.apiCalls.added(method, url, authIndex)?.result ??
    context.accounts.answer(authIndex, request) ??
    context.apiCalls.known(method, url, authIndex)?.result ??
    'request failed'
  );
}

function requestProblem(method: string, url: string, proxyUrl: string, context: ManagementContext): string | null {
  if (method === '') return 'missing method';
  if (url === '') return 'missing url';
  if (!URL.canParse(url) || new URL(url).host === '') return 'invalid url';
  const knowsProxy = context.profile().endpoints.has('api-call/proxy-url');
  return knowsProxy && proxyUrl !== '' && !URL.canParse(proxyUrl) ? 'invalid proxy_url' : null;
}

const TOKEN_MEMBERS = ['accessToken', 'access_token', 'token', 'id_token', 'cookie'];

/** The token is filled in only for a credential the upstream has; another one's call goes out with the literal text. */
function tokenProblem(context: ManagementContext, authIndex: string): 'literal-token' | 'auth token not found' | null {
  const file = context.authFiles.byIndex(authIndex);
  if (file === null) return findByAuthIndex(context, authIndex) === null ? 'literal-token' : null;
  const hasToken = TOKEN_MEMBERS.some((member) => {
    const value = file.content[member];
    return isObject(value) ? Boolean(value.access_token) : typeof value === 'string' && value !== '';
  });
  return hasToken ? null : 'auth token not found';
}
