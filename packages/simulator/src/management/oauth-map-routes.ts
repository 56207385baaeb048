import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { objectBody, save, sendError, sendOk } from './answers.ts';
import type { ManagementContext } from './context.ts';
import { textOf } from './provider-lists.ts';
import type { Handler, Route } from './router.ts';

interface OAuthMap {
  readonly name: string;
  readonly valueName: string;
  /** Names of the key in requests; the first one present counts. */
  readonly keyNames: readonly string[];
  readonly notFound: string;
  readonly feature?: string;
}

const MAPS: readonly OAuthMap[] = [
  { name: 'oauth-excluded-models', valueName: 'models', keyNames: ['provider'], notFound: 'provider not found' },
  { name: 'oauth-model-alias', valueName: 'aliases', keyNames: ['channel', 'provider'], notFound: 'channel not found' },
  {
    name: 'oauth-request-scoped-errors',
    valueName: 'rules',
    keyNames: ['channel', 'provider'],
    notFound: 'channel not found',
    feature: 'oauth-request-scoped-errors',
  },
];

/** Lists per provider that apply to its OAuth accounts. */
export const oauthMapRoutes: readonly Route[] = MAPS.flatMap((map) => {
  const shared = { path: `/${map.name}`, ...(map.feature === undefined ? {} : { feature: map.feature }) };
  const handler =
    (handle: MapHandler): Handler =>
    (exchange, context) =>
      handle(exchange, context, map);
  return [
    { ...shared, methods: 'GET', handler: handler(get) },
    { ...shared, methods: 'PUT', handler: handler(put) },
    { ...shared, methods: 'PATCH', handler: handler(patch) },
    { ...shared, methods: 'DELETE', handler: handler(remove) },
  ];
});

type MapHandler = (exchange: Exchange, context: ManagementContext, map: OAuthMap) => void | Promise<void>;

function current(context: ManagementContext, map: OAuthMap): JsonObject {
  const value = context.config.get([map.name]);
  return isObject(value) ? value : {};
}

function store(exchange: Exchange, context: ManagementContext, map: OAuthMap, value: JsonObject): void {
  if (save(exchange, context, [map.name], value)) sendOk(exchange);
}

function get(exchange: Exchange, context: ManagementContext, map: OAuthMap): void {
  const value = current(context, map);
  exchange.sendJson(200, { [map.name]: Object.keys(value).length === 0 ? null : value });
}

async function put(exchange: Exchange, context: ManagementContext, map: OAuthMap): Promise<void> {
  const body = await objectBody(exchange);
  if (body === null) return;
  const lists = Object.entries(isObject(body.items) ? body.items : body);
  if (!lists.every(([, list]) => Array.isArray(list))) sendError(exchange, 400, 'invalid body');
  else {
    const named = lists.map(([key, list]) => [key.trim().toLowerCase(), list] as const);
    store(exchange, context, map, Object.fromEntries(named));
  }
}

async function patch(exchange: Exchange, context: ManagementContext, map: OAuthMap): Promise<void> {
  const body = await objectBody(exchange);
  if (body === null) return;
  const key = map.keyNames.map((name) => textOf(body[name]).toLowerCase()).find((name) => name !== '') ?? '';
  const list = body[map.valueName];
  if (key === '' || !(Array.isArray(list) || list === null || list === undefined))
    sendError(exchange, 400, 'invalid body');
  else if (!Array.isArray(list) || list.length === 0) removeKey(exchange, context, map, key);
  else store(exchange, context, map, { ...current(context, map), [key]: list });
}

function remove(exchange: Exchange, context: ManagementContext, map: OAuthMap): void {
  const names = map.keyNames.map((name) => (exchange.query.get(name) ?? '').trim().toLowerCase());
  const key = names.find((name) => name !== '');
  if (key === undefined) sendError(exchange, 400, `missing ${map.keyNames[0] ?? 'provider'}`);
  else removeKey(exchange, context, map, key);
}

function removeKey(exchange: Exchange, context: ManagementContext, map: OAuthMap, key: string): void {
  const { [key]: removed, ...kept } = current(context, map);
  if (removed === undefined) sendError(exchange, 404, map.notFound);
  else store(exchange, context, map, kept);
}
