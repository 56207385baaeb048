import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import { isObject } from '../payload.ts';
import type { JsonObject } from '../types.ts';
import { objectBody, save, sendError, sendOk } from './answers.ts';
import type { ManagementContext } from './context.ts';
import { textOf } from './provider-lists.ts';

interface OAuthMap {
  readonly name: string;
  readonly valueName: string;
  /** Names of the key in requests; the first that is set counts. */
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

/** Lists per provider that hold for its OAuth credentials. */
export function oauthMapRoutes(context: ManagementContext): Route[] {
  return MAPS.flatMap((map) => {
    const shared = { path: `/${map.name}`, ...(map.feature === undefined ? {} : { feature: map.feature }) };
    const current = (): JsonObject => {
      const value = context.config.get([map.name]);
      return isObject(value) ? value : {};
    };
    const store = (exchange: Exchange, value: JsonObject): void => {
      if (save(exchange, context, [map.name], value)) sendOk(exchange);
    };
    const removeKey = (exchange: Exchange, key: string): void => {
      if (!(key in current())) sendError(exchange, 404, map.notFound);
      else store(exchange, Object.fromEntries(Object.entries(current()).filter(([name]) => name !== key)));
    };

    async function put(exchange: Exchange): Promise<void> {
      const body = await objectBody(exchange);
      if (body === null) return;
      const value = isObject(body.items) ? body.items : body;
      const isMap = Object.values(value).every((list) => Array.isArray(list));
      if (!isMap) sendError(exchange, 400, 'invalid body');
      else
        store(
          exchange,
          Object.fromEntries(Object.entries(value).map(([key, list]) => [key.trim().toLowerCase(), list])),
        );
    }

    async function patch(exchange: Exchange): Promise<void> {
      const body = await objectBody(exchange);
      if (body === null) return;
      const key = map.keyNames.map((name) => textOf(body[name]).toLowerCase()).find((name) => name !== '') ?? '';
      const list = body[map.valueName];
      if (key === '' || !(Array.isArray(list) || list === null || list === undefined))
        sendError(exchange, 400, 'invalid body');
      else if (!Array.isArray(list) || list.length === 0) removeKey(exchange, key);
      else store(exchange, { ...current(), [key]: list });
    }

    function remove(exchange: Exchange): void {
      const key = map.keyNames
        .map((name) => (exchange.query.get(name) ?? '').trim().toLowerCase())
        .find((name) => name !== '');
      if (key === undefined) sendError(exchange, 400, `missing ${map.keyNames[0] ?? 'provider'}`);
      else removeKey(exchange, key);
    }

    return [
      {
        ...shared,
        methods: 'GET',
        handler: (exchange) => {
          const value = current();
          exchange.sendJson(200, { [map.name]: Object.keys(value).length === 0 ? null : value });
        },
      },
      { ...shared, methods: 'PUT', handler: put },
      { ...shared, methods: 'PATCH', handler: patch },
      { ...shared, methods: 'DELETE', handler: remove },
    ] satisfies Route[];
  });
}
