import { eventAccountOf } from '../events/accounts.ts';
import { makeEvents } from '../events/make-events.ts';
import { breakdownOf, familyOf, NO_TOKENS, tokensOf } from '../events/tokens.ts';
import type { JsonObject } from '../json.ts';
import type { WindowView } from './account-types.ts';
import type { AccountEvent, AccountEventKind, PublishedEvent } from './event-types.ts';
import { freeUsageBody } from './xai-answers.ts';

type Headers = Readonly<Record<string, string[]>>;

/** What an event needs to know about an account. */
export interface ListedAccount {
  readonly type: string;
  readonly name: string;
  readonly source: string;
  readonly authIndex: string;
  readonly plan: string;
  readonly primary: WindowView | null;
  readonly secondary: WindowView | null;
}

interface Failure {
  readonly status: number;
  readonly body: string;
  readonly headers: Headers;
}

/** A full event of one account, at exactly the given time. */
export function accountEvent(
  account: ListedAccount,
  event: AccountEvent,
  defaults: { readonly nowMs: number; readonly requestId: string },
): PublishedEvent {
  const atMs = event.atMs ?? defaults.nowMs;
  const requestId = event.requestId ?? defaults.requestId;
  const seed = Number.parseInt(requestId.slice(0, 8), 16) || 1;
  const accounts = [eventAccountOf(account)];
  const base = JSON.parse(
    makeEvents({ seed, accounts, failureRate: 0, now: () => atMs }).next().value.text,
  ) as JsonObject;
  const failure = event.kind === 'success' ? null : failureOf(account, event, atMs);
  const isCodex = account.type === 'codex';
  const headers =
    failure?.headers ?? (isCodex ? windowHeaders(account, atMs) : (base.response_headers as unknown as Headers));
  const json: JsonObject = { ...base, timestamp: new Date(atMs).toISOString(), request_id: requestId };
  if (event.model !== undefined) Object.assign(json, { model: event.model, alias: event.model });
  if (failure !== null) {
    Object.assign(json, {
      failed: true,
      tokens: tokensOf(NO_TOKENS, familyOf(account.type)),
      token_breakdown: breakdownOf(NO_TOKENS),
      fail: { status_code: event.status ?? failure.status, body: event.body ?? failure.body },
    });
  }
  const allHeaders = { ...headers, ...event.headers };
  if (Object.keys(allHeaders).length > 0) json.response_headers = allHeaders;
  else delete json.response_headers;
  Object.assign(json, event.members);
  return { requestId, atMs, authIndex: account.authIndex, event: json };
}

const NO_HEADERS: Headers = {};

function failureOf(account: ListedAccount, event: AccountEvent, atMs: number): Failure {
  switch (event.kind) {
    case 'success':
    case 'usage-limit':
      return usageLimit(account, event, atMs);
    case 'free-usage-exhausted':
      return freeUsage(event, atMs);
    case 'broken-off':
      return account.type === 'codex' ? CODEX_BROKEN_OFF : BROKEN_OFF;
    default:
      return FAILURES[event.kind];
  }
}

function usageLimit(account: ListedAccount, event: AccountEvent, atMs: number): Failure {
  const { marks = 'both', window = 'primary' } = event;
  const seconds = event.resetsInSeconds === undefined ? 7200 : event.resetsInSeconds;
  const resetAt = seconds === null ? null : Math.floor(atMs / 1000) + seconds;
  const reset = seconds === null ? {} : { resets_at: resetAt, resets_in_seconds: seconds };
  const error = { type: 'usage_limit_reached', message: 'sim: limit reached', plan_type: account.plan, ...reset };
  const body = marks === 'headers' ? 'sim: too many requests' : JSON.stringify({ error });
  if (marks === 'body') return { status: 429, body, headers: NO_HEADERS };
  const full: WindowView = {
    seconds: account[window]?.seconds ?? (window === 'primary' ? 18_000 : 604_800),
    usedPercent: 100,
    resetAtMs: resetAt === null ? Number.NaN : resetAt * 1000,
  };
  const headers = {
    ...windowHeaders({ ...account, [window]: full }, atMs),
    'X-Codex-Rate-Limit-Reached-Type': [window],
    ...(seconds === null ? {} : { 'Retry-After': [String(seconds)] }),
  };
  return { status: 429, body, headers };
}

function windowHeaders({ plan, primary, secondary }: ListedAccount, atMs: number): Headers {
  const headers: Record<string, string[]> = { 'X-Codex-Plan-Type': [plan], 'X-Codex-Active-Limit': ['premium'] };
  for (const [name, window] of [
    ['Primary', primary],
    ['Secondary', secondary],
  ] as const) {
    if (window === null) continue;
    const prefix = `X-Codex-${name}`;
    if (window.usedPercent !== null) headers[`${prefix}-Used-Percent`] = [String(window.usedPercent)];
    if (window.seconds !== null) headers[`${prefix}-Window-Minutes`] = [String(window.seconds / 60)];
    if (Number.isNaN(window.resetAtMs)) continue;
    headers[`${prefix}-Reset-At`] = [String(Math.floor(window.resetAtMs / 1000))];
    headers[`${prefix}-Reset-After-Seconds`] = [String(Math.max(0, Math.ceil((window.resetAtMs - atMs) / 1000)))];
  }
  return headers;
}

function freeUsage(event: AccountEvent, atMs: number): Failure {
  const { actual, limit } = event.tokens ?? { actual: 1_000_350, limit: 1_000_000 };
  const told = freeUsageBody({ actual, limit, ...(event.model === undefined ? {} : { model: event.model }) });
  const seconds = event.resetsInSeconds ?? null;
  const reset = seconds === null ? {} : { reset_at: new Date(atMs + seconds * 1000).toISOString() };
  return { status: 429, body: JSON.stringify({ ...told, ...reset }), headers: NO_HEADERS };
}

const CHAT_DENIED =
  "sim: Access to the chat endpoint is denied. Please ensure you're using the correct credentials, or contact support.";

const BROKEN_OFF: Failure = { status: 200, body: 'unexpected EOF', headers: NO_HEADERS };
const CODEX_BROKEN_OFF: Failure = {
  status: 408,
  body: 'stream error: stream disconnected before completion: stream closed before response.completed',
  headers: NO_HEADERS,
};

type FixedKind = Exclude<AccountEventKind, 'success' | 'usage-limit' | 'free-usage-exhausted' | 'broken-off'>;

const FAILURES: Readonly<Record<FixedKind, Failure>> = {
  'rate-limited': failure(
    429,
    { error: { message: 'sim: slow down', type: 'rate_limit_error' } },
    { 'Retry-After': ['5'] },
  ),
  overloaded: { status: 503, body: 'upstream connect error or disconnect/reset before headers', headers: NO_HEADERS },
  cancelled: { status: 499, body: 'context canceled', headers: NO_HEADERS },
  'token-revoked': failure(
    401,
    { error: { message: 'sim: sign in again', type: 'authentication_error', code: 'token_revoked' } },
    { 'X-Openai-Ide-Error-Code': ['token_invalidated'], 'X-Openai-Ide-Root-Error-Code': ['token_revoked'] },
  ),
  'credentials-invalid': failure(401, {
    error: { message: 'sim: credential no longer valid', type: 'authentication_error', code: 'auth_unavailable' },
  }),
  unauthorized: { status: 401, body: '', headers: NO_HEADERS },
  forbidden: { status: 403, body: '', headers: NO_HEADERS },
  'authentication-error': failure(401, { error: { message: 'sim: not you', type: 'authentication_error' } }),
  'account-deactivated': failure(401, { error: { message: 'sim: gone', code: 'account_deactivated' } }),
  'account-deactivated-header': {
    status: 401,
    body: '',
    headers: { 'X-Openai-Ide-Root-Error-Code': ['account_deactivated'] },
  },
  'deactivated-workspace': failure(402, { detail: { code: 'deactivated_workspace' } }),
  'permission-denied': failure(403, { code: 'permission_denied', error: CHAT_DENIED }),
  'spending-limit': failure(402, {
    code: 'personal-team-blocked:spending-limit',
    error: 'sim: the team has run out of credits',
  }),
};

function failure(status: number, body: JsonObject, headers: Headers = NO_HEADERS): Failure {
  return { status, body: JSON.stringify(body), headers };
}
