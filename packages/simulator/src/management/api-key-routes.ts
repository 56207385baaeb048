import type { Exchange } from '../http/exchange.ts';
import type { Route } from '../http/router.ts';
import { isObject } from '../payload.ts';
import type { JsonValue } from '../types.ts';
import { objectBody, save, sendError, sendOk } from './answers.ts';
import type { ManagementContext } from './context.ts';

/** `/api-keys`: keys of the clients, a list of strings. */
export function apiKeyRoutes(context: ManagementContext): Route[] {
  const current = (): string[] => clientKeys(context);
  function store(exchange: Exchange, keys: readonly string[]): void {
    if (save(exchange, context, ['api-keys'], [...keys])) sendOk(exchange);
  }

  async function put(exchange: Exchange): Promise<void> {
    const body = await exchange.json();
    const items = listOf(body);
    if (items === null || !items.every((item) => typeof item === 'string')) sendError(exchange, 400, 'invalid body');
    else store(exchange, items.map(String));
  }

  async function patch(exchange: Exchange): Promise<void> {
    const body = await objectBody(exchange);
    if (body === null) return;
    const keys = current();
    const { index, value, old, new: replacement } = body;
    if (typeof index === 'number' && typeof value === 'string' && index >= 0 && index < keys.length) {
      keys[index] = value;
      store(exchange, keys);
    } else if (typeof old === 'string' && typeof replacement === 'string') {
      const at = keys.indexOf(old);
      if (at >= 0) keys[at] = replacement;
      else keys.push(replacement);
      store(exchange, keys);
    } else sendError(exchange, 400, 'missing fields');
  }

  function remove(exchange: Exchange): void {
    const index = Number(exchange.query.get('index') ?? Number.NaN);
    const value = exchange.query.get('value') ?? '';
    const keys = current();
    if (Number.isInteger(index) && index >= 0 && index < keys.length) store(exchange, keys.toSpliced(index, 1));
    else if (value !== '')
      store(
        exchange,
        keys.filter((key) => key !== value),
      );
    else sendError(exchange, 400, 'missing index or value');
  }

  return [
    { methods: 'GET', path: '/api-keys', handler: (exchange) => exchange.sendJson(200, { 'api-keys': current() }) },
    { methods: 'PUT', path: '/api-keys', handler: put },
    { methods: 'PATCH', path: '/api-keys', handler: patch },
    { methods: 'DELETE', path: '/api-keys', handler: remove },
  ];
}

export function clientKeys(context: ManagementContext): string[] {
  const keys = context.config.get(['api-keys']);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/** A list as PUT accepts it: bare, or as `items`, which must not be empty then. */
export function listOf(body: JsonValue | undefined): JsonValue[] | null {
  if (Array.isArray(body)) return body;
  const items = isObject(body) ? body.items : null;
  return Array.isArray(items) && items.length > 0 ? items : null;
}
