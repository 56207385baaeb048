import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import samples from '../fixtures/management-samples.json';
import type { Exchange } from '../http/exchange.ts';
import { echoWebSocket } from '../http/websocket.ts';
import { isObject, type JsonObject } from '../json.ts';
import { clientKeys } from '../management/api-key-routes.ts';
import type { ManagementContext } from '../management/context.ts';
import { type ModelDefinition, modelsOf } from '../management/models.ts';
import { browserCallback } from '../management/oauth-routes.ts';
import { sendEvents } from '../management/simplugin-routes.ts';

const CALLBACKS: Readonly<Record<string, string>> = {
  '/anthropic/callback': 'claude',
  '/codex/callback': 'codex',
  '/antigravity/callback': 'antigravity',
};
const MODEL_PATHS = /^\/(v1|v1beta|openai\/v1|backend-api\/codex|v1internal:[a-zA-Z]+|api)(\/|$)/;
/** Client keys of the example configuration. */
const TEMPLATE_KEYS: ReadonlySet<string> = new Set(['your-api-key-1', 'your-api-key-2', 'your-api-key-3']);
/** Default number of events of the echo stream. */
const ECHO_EVENTS = 5;
const BODY_KEPT = 64 * 1024;

/**
 * Everything outside of management: health, callbacks, plugin pages, the panel, and a model API that echoes. `panelFile` null =
 * no panel.
 */
export function createModelServer(
  context: ManagementContext,
  panelFile: string | null,
): (exchange: Exchange) => Promise<void> {
  return async (exchange) => {
    const { path, method } = exchange;
    const callback = CALLBACKS[path];
    const isRead = method === 'GET' || method === 'HEAD';
    if (path === '/healthz' && isRead && context.profile().endpoints.has('healthz'))
      exchange.sendJson(200, samples['GET /healthz'] as JsonObject);
    else if (path === '/' && isRead)
      exchange.sendJson(200, {
        message: 'Simulated gateway',
        endpoints: ['POST /v1/chat/completions', 'GET /v1/models'],
      });
    else if (path === '/management.html' && isRead && panelFile !== null)
      exchange.sendText(200, await readFile(panelFile, 'utf8'), { 'Content-Type': 'text/html; charset=utf-8' });
    else if (callback !== undefined && method === 'GET') browserCallback(exchange, context, callback);
    else if (path.startsWith('/v0/resource/plugins/')) pluginPage(exchange, context);
    else if (MODEL_PATHS.test(path) || path.startsWith('/v1internal:')) await modelApi(exchange, context);
    else exchange.sendText(404, '404 page not found', { 'Content-Type': 'text/plain' });
  };
}

/** Pages need no authentication; they are matched exactly and only by GET. */
function pluginPage(exchange: Exchange, context: ManagementContext): void {
  const [id = '', ...rest] = exchange.path.slice('/v0/resource/plugins/'.length).split('/');
  const isKnown = rest.join('/') === 'index.html' && context.plugins.isActive(id);
  const hasPages = context.profile().endpoints.has('plugin-pages');
  if (exchange.method !== 'GET' || !isKnown || !hasPages) {
    exchange.sendEmpty(404);
    return;
  }
  const html = '<!doctype html><title>Sim plugin</title><h1>Sim plugin</h1><p>A page of the simulated plugin.</p>';
  exchange.sendText(200, html, { 'Content-Type': 'text/html; charset=utf-8' });
}

async function modelApi(exchange: Exchange, context: ManagementContext): Promise<void> {
  if (context.profile().endpoints.has('safe-mode') && clientKeys(context).some((key) => TEMPLATE_KEYS.has(key))) {
    exchange.sendJson(403, { error: 'unsafe_example_api_key' }, { 'X-CPA-SAFE-MODE': '1' });
    return;
  }
  const refusal = clientRefusal(exchange, context);
  if (refusal !== null) {
    exchange.sendJson(401, { error: refusal });
    return;
  }
  if (context.profile().endpoints.has('trace-id')) {
    const stamp = new Date(context.clock.now()).toISOString().replace(/\D/g, '').slice(0, 14);
    const authIndex = context.authFiles.all()[0]?.authIndex ?? '';
    exchange.extraHeaders['X-CPA-TRACE-ID'] = `${stamp}-${authIndex}-${context.random.hex(8)}`;
  }
  if (exchange.path === '/v1/models' && exchange.method === 'GET') exchange.sendJson(200, modelList(exchange));
  else if (exchange.path === '/v1beta/models' && exchange.method === 'GET') exchange.sendJson(200, geminiList());
  else if (exchange.upgradeHead !== null) echoWebSocket(exchange);
  else await echo(exchange, context);
}

/** Error text for a client key; null = accepted. Without configured keys everybody is. */
function clientRefusal(exchange: Exchange, context: ManagementContext): string | null {
  const keys = clientKeys(context);
  if (keys.length === 0) return null;
  const authorization = exchange.header('authorization').replace(/^bearer\s+/i, '');
  const given = [
    authorization,
    exchange.header('x-goog-api-key'),
    exchange.header('x-api-key'),
    exchange.query.get('key') ?? '',
    exchange.query.get('auth_token') ?? '',
  ].find((key) => key !== '');
  if (given === undefined) return 'Missing API key';
  return keys.includes(given) ? null : 'Invalid API key';
}

function allModels(): ModelDefinition[] {
  return ['codex', 'claude', 'gemini', 'kimi', 'xai'].flatMap((channel) => [...modelsOf(channel)]);
}

/** The shape depends on the client: headers and query must arrive here unchanged. */
function modelList(exchange: Exchange): JsonObject {
  const agent = exchange.header('user-agent').toLowerCase();
  const models = allModels();
  if (exchange.query.has('client_version'))
    return { models: models.map(({ id, display_name }) => ({ slug: id, display_name })) };
  if (exchange.header('anthropic-version') !== '' || agent.startsWith('claude-cli')) {
    const data = models.map(({ id, display_name }) => ({
      id,
      type: 'model',
      display_name,
      created_at: '2026-05-28T20:26:40Z',
    }));
    return { data, has_more: false, first_id: data[0]?.id ?? '', last_id: data.at(-1)?.id ?? '' };
  }
  if (agent.startsWith('grok'))
    return { models: models.filter(({ owned_by }) => owned_by === 'xai').map(({ id }) => ({ name: id })) };
  return {
    object: 'list',
    data: models.map(({ id, object, created, owned_by }) => ({ id, object, created, owned_by })),
  };
}

function geminiList(): JsonObject {
  return { models: allModels().map(({ id, display_name }) => ({ name: `models/${id}`, displayName: display_name })) };
}

/**
 * Answers a model request with what it sent: as server-sent events when it asks for a stream, else as JSON. The body may have any
 * size; `events` and `everyMs` in the query pace the stream.
 */
async function echo(exchange: Exchange, context: ManagementContext): Promise<void> {
  const digest = createHash('sha256');
  const kept: Uint8Array[] = [];
  let bytes = 0;
  await exchange.readBody((piece) => {
    if (bytes < BODY_KEPT) kept.push(Buffer.from(piece));
    bytes += piece.length;
    digest.update(piece);
  });
  const text = Buffer.concat(kept).toString();
  const request = parsed(text);
  const model = typeof request.model === 'string' ? request.model : '';
  const wantsStream =
    request.stream === true || exchange.path.endsWith(':streamGenerateContent') || exchange.query.get('alt') === 'sse';
  if (!wantsStream) {
    const sha256 = digest.digest('hex');
    exchange.sendJson(200, { object: 'echo', model, method: exchange.method, target: exchange.target, bytes, sha256 });
    return;
  }
  const count = Number(exchange.query.get('events') ?? ECHO_EVENTS);
  const everyMs = Number(exchange.query.get('everyMs') ?? 0);
  const last = 'data: [DONE]\n\n';
  await sendEvents(exchange, context, count + 1, everyMs, (index) =>
    index === count ? last : `data: ${JSON.stringify({ object: 'echo.chunk', model, index })}\n\n`,
  );
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
