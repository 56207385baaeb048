import { type ApiCallRequest, jsonAnswer } from '../accounts/answer.ts';
import type { ApiCallAnswer, ApiCallEcho } from '../accounts/api-call-types.ts';
import { sleep } from '../clock.ts';
import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonValue } from '../json.ts';
import type { ApiCallEntry } from '../types.ts';
import { objectBody, sendError } from './answers.ts';
import { type ApiCallResult, answerApiCall } from './api-call-answers.ts';
import { matchesUrl } from './api-call-store.ts';
import type { ManagementContext } from './context.ts';
import { findByAuthIndex } from './provider-lists.ts';
import type { Route } from './router.ts';

const TOKEN = '$TOKEN$';

export const apiCallRoutes: readonly Route[] = [
  { methods: 'POST', path: '/api-call', kind: 'api-call', handler: call },
];

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
  // The gateway cancels when its client does.
  if (latencyMs > 0) await sleep(context.clock, latencyMs, exchange.gone);
  const request = { method, url, headers: headersOf(body.header), data: text('data') };
  const result = fault?.result ?? resultOf(context, request, authIndex);
  await answerApiCall(exchange, context.clock, result);
}

function headersOf(header: unknown): Record<string, string> {
  const entries = isObject(header) ? Object.entries(header) : [];
  return Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** In this order: the token, a test's answer, the account, the fixture. */
function resultOf(context: ManagementContext, request: ApiCallRequest, authIndex: string): ApiCallResult {
  const { method, url, headers } = request;
  const usesToken = Object.values(headers).some((value) => value.includes(TOKEN));
  const refused = usesToken ? tokenProblem(context, authIndex) : null;
  const added = context.apiCalls.added(method, url, authIndex)?.result;
  // An echo shows that the literal text was sent.
  if (refused !== null && !(refused === 'literal-token' && isEcho(added))) return refused;
  const result =
    added ??
    context.accounts.answer(authIndex, request) ??
    context.apiCalls.known(method, url, authIndex)?.result ??
    'request failed';
  return isEcho(result) ? echoOf(result, request, tokenOf(context, authIndex)) : result;
}

function isEcho(result: ApiCallEntry['result'] | undefined): result is ApiCallEcho {
  return typeof result === 'object' && 'echo' in result;
}

function requestProblem(method: string, url: string, proxyUrl: string, context: ManagementContext): string | null {
  if (method === '') return 'missing method';
  if (url === '') return 'missing url';
  if (!URL.canParse(url) || new URL(url).host === '') return 'invalid url';
  const knowsProxy = context.profile().endpoints.has('api-call/proxy-url');
  return knowsProxy && proxyUrl !== '' && !URL.canParse(proxyUrl) ? 'invalid proxy_url' : null;
}

/** What the provider got; without a known account the literal text stays in place of the token. */
function echoOf(echo: ApiCallEcho, request: ApiCallRequest, token: string | null): ApiCallAnswer {
  const { authorization } = request.headers;
  const sent = authorization === undefined ? null : authorization.replaceAll(TOKEN, token ?? TOKEN);
  const body: unknown = request.data === '' ? {} : JSON.parse(request.data);
  return {
    ...jsonAnswer(200, { method: request.method, authorization: sent, body: body as JsonValue }),
    header: echo.header,
  };
}

const TOKEN_MEMBERS = ['accessToken', 'access_token', 'token', 'id_token', 'cookie'];

/** The token is filled in only for an account the gateway has; other requests carry the literal text. */
function tokenProblem(context: ManagementContext, authIndex: string): 'literal-token' | 'auth token not found' | null {
  const file = context.authFiles.byIndex(authIndex);
  if (file === null) return findByAuthIndex(context, authIndex) === null ? 'literal-token' : null;
  return tokenOf(context, authIndex) === null ? 'auth token not found' : null;
}

/** The token of an account's file; null without one. */
function tokenOf(context: ManagementContext, authIndex: string): string | null {
  const content = context.authFiles.byIndex(authIndex)?.content ?? {};
  const tokens = TOKEN_MEMBERS.map((member) => {
    const value = content[member];
    return isObject(value) ? value.access_token : value;
  });
  const token = tokens.find((value) => typeof value === 'string' && value !== '');
  return typeof token === 'string' ? token : null;
}
