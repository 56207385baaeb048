import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { sendError } from './answers.ts';
import type { ManagementContext } from './context.ts';
import type { OAuthSession } from './oauth-sessions.ts';
import type { Handler, Route } from './router.ts';
import { signInUrl } from './sign-in-urls.ts';

const STARTS = [
  { name: 'anthropic', provider: 'claude' },
  { name: 'codex', provider: 'codex' },
  { name: 'antigravity', provider: 'antigravity' },
  { name: 'kimi', provider: 'kimi' },
  { name: 'xai', provider: 'xai' },
  { name: 'simplugin', provider: 'simplugin' },
  { name: 'gemini-cli', provider: 'gemini', feature: 'gemini-cli-auth-url' },
];
const PROVIDERS: Readonly<Record<string, string>> = {
  anthropic: 'claude',
  claude: 'claude',
  codex: 'codex',
  openai: 'codex',
  antigravity: 'antigravity',
  'anti-gravity': 'antigravity',
  xai: 'xai',
  'x-ai': 'xai',
  'x.ai': 'xai',
  grok: 'xai',
  simplugin: 'simplugin',
};
const STATE = /^[A-Za-z0-9._-]{1,128}$/;
const DEVICE_SECONDS = 1800;

export const oauthRoutes: readonly Route[] = [
  ...STARTS.map(({ name, provider, feature }): Route => {
    const handler: Handler = (exchange, context) => start(exchange, context, provider);
    return { methods: 'GET', path: `/${name}-auth-url`, handler, ...(feature === undefined ? {} : { feature }) };
  }),
  { methods: 'GET', path: '/get-auth-status', handler: status },
  { methods: 'POST|GET', path: '/oauth-callback', handler: callback },
  { methods: 'DELETE', path: '/oauth-session', feature: 'oauth-session', handler: cancel },
];

function cancel(exchange: Exchange, context: ManagementContext): void {
  const state = exchange.query.get('state') ?? '';
  if (state === '') refuse(exchange, 400, 'missing state');
  else if (!STATE.test(state)) refuse(exchange, 400, 'invalid state');
  else exchange.sendJson(200, { status: 'ok', cancelled: context.oauth.cancel(state) });
}

function refuse(exchange: Exchange, status: number, error: string): void {
  exchange.sendJson(status, { status: 'error', error });
}

function start(exchange: Exchange, context: ManagementContext, provider: string): void {
  const hasXaiDevice = context.profile().endpoints.has('xai-device-flow');
  const isDevice = provider === 'kimi' || (provider === 'xai' && hasXaiDevice);
  if (isDevice && !context.hasInternet()) {
    // The device code would come from the provider; a sign-in by browser needs nothing before the browser opens.
    const problem = provider === 'kimi' ? 'generate authorization url' : 'start device authorization flow';
    sendError(exchange, 500, `failed to ${problem}`);
    return;
  }
  const session = context.oauth.start(provider, isDevice);
  const answer: JsonObject = { status: 'ok' };
  if (isDevice) {
    const userCode = `SIM-${session.state.slice(-4)}`;
    Object.assign(answer, { url: `https://auth.example.test/device?user_code=${userCode}`, state: session.state });
    Object.assign(answer, { flow: 'device', user_code: userCode, expires_in: DEVICE_SECONDS });
  } else {
    Object.assign(answer, { url: signInUrl(provider, session.state), state: session.state });
  }
  exchange.sendJson(200, answer);
}

function status(exchange: Exchange, context: ManagementContext): void {
  const state = exchange.query.get('state') ?? '';
  if (state === '') exchange.sendJson(200, { status: 'ok' });
  else if (!STATE.test(state)) refuse(exchange, 400, 'invalid state');
  else {
    const session = context.oauth.find(state);
    if (session === null) exchange.sendJson(200, { status: 'error', error: 'unknown or expired state' });
    else if (session.outcome === null) exchange.sendJson(200, { status: 'wait' });
    else if (session.outcome.error === '') exchange.sendJson(200, { status: 'ok' });
    else exchange.sendJson(200, { status: 'error', error: session.outcome.error });
  }
}

async function callback(exchange: Exchange, context: ManagementContext): Promise<void> {
  const body = exchange.method === 'GET' ? Object.fromEntries(exchange.query) : await exchange.json();
  if (!isObject(body)) {
    refuse(exchange, 400, 'invalid body');
    return;
  }
  const given = parametersOf(body);
  if (given === null) refuse(exchange, 400, 'invalid redirect_url');
  else if (given.state === '') refuse(exchange, 400, 'state is required');
  else if (!STATE.test(given.state)) refuse(exchange, 400, 'invalid state');
  else if (given.code === '' && given.error === '') refuse(exchange, 400, 'code or error is required');
  else {
    const problem = finishSession(context, given);
    if (problem === null) exchange.sendJson(200, { status: 'ok' });
    else refuse(exchange, problem.status, problem.error);
  }
}

interface CallbackParameters {
  readonly provider: string;
  readonly state: string;
  readonly code: string;
  readonly error: string;
}

/** Body members, completed from the query of `redirect_url`; null when that is not a URL. */
function parametersOf(body: JsonObject): CallbackParameters | null {
  const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value.trim() : '');
  const redirect = text(body.redirect_url);
  if (redirect !== '' && !URL.canParse(redirect)) return null;
  const query = redirect === '' ? new URLSearchParams() : new URL(redirect).searchParams;
  const either = (name: string): string => text(body[name]) || (query.get(name) ?? '');
  return {
    provider: text(body.provider).toLowerCase(),
    state: either('state'),
    code: either('code'),
    error: either('error') || (query.get('error_description') ?? ''),
  };
}

function finishSession(
  context: ManagementContext,
  given: CallbackParameters,
): { readonly status: number; readonly error: string } | null {
  const provider = PROVIDERS[given.provider];
  if (given.provider !== '' && provider === undefined) return { status: 400, error: 'unsupported provider' };
  const session = context.oauth.find(given.state);
  if (session === null) return { status: 404, error: 'unknown or expired state' };
  if (provider !== undefined && provider !== session.provider)
    return { status: 400, error: 'provider does not match state' };
  if (session.outcome !== null) {
    const isDone = session.outcome.error === '';
    return { status: 409, error: isDone ? 'oauth flow is already completed' : session.outcome.error };
  }
  if (session.isDevice) return { status: 409, error: 'oauth flow is not pending' };
  completeSession(context, session, { error: given.error });
  return null;
}

/** Ends a sign-in; success writes the auth file of the account, the same one each time. */
export function completeSession(
  context: ManagementContext,
  session: OAuthSession,
  { error = '', email = `new-${session.state.slice(-6).toLowerCase()}@example.test` },
): void {
  context.oauth.finish(session, error);
  if (error !== '') return;
  const name = `${session.provider}-${email}.json`;
  context.authFiles.write(name, { type: session.provider, email, access_token: `sim-access-token-${name}` });
  context.reloaded();
}

/** Browser callbacks on the main port, without authentication. */
export function browserCallback(exchange: Exchange, context: ManagementContext, provider: string): void {
  const query = exchange.query;
  const given = {
    provider,
    state: query.get('state') ?? '',
    code: query.get('code') ?? '',
    error: query.get('error') ?? query.get('error_description') ?? '',
  };
  const problem = finishSession(context, given);
  const text = problem === null ? 'Authentication successful! You can close this window.' : 'Authentication failed.';
  exchange.sendText(200, `<html><body><h1>${text}</h1></body></html>`, { 'Content-Type': 'text/html; charset=utf-8' });
}
