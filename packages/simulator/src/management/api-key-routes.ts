import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonValue } from '../json.ts';
import { objectBody, save, sendError, sendOk } from './answers.ts';
import type { ManagementContext } from './context.ts';
import type { Route } from './router.ts';

/** `/api-keys`: the client keys, a list of strings. */
export const apiKeyRoutes: readonly Route[] = [
  {
    methods: 'GET',
    path: '/api-keys',
    handler: (exchange, context) => exchange.sendJson(200, { 'api-keys': clientKeys(context) }),
  },
  { methods: 'PUT', path: '/api-keys', handler: put },
  { methods: 'PATCH', path: '/api-keys', handler: patch },
  { methods: 'DELETE', path: '/api-keys', handler: remove },
];

function store(exchange: Exchange, context: ManagementContext, keys: readonly string[]): void {
  if (save(exchange, context, ['api-keys'], [...keys])) sendOk(exchange);
}

async function put(exchange: Exchange, context: ManagementContext): Promise<void> {
  const items = listOf(await exchange.json());
  if (items === null || !items.every((item) => typeof item === 'string')) sendError(exchange, 400, 'invalid body');
  else store(exchange, context, items.map(String));
}

async function patch(exchange: Exchange, context: ManagementContext): Promise<void> {
  const body = await objectBody(exchange);
  if (body === null) return;
  const keys = clientKeys(context);
  const { index, value, old, new: replacement } = body;
  if (typeof index === 'number' && typeof value === 'string' && index >= 0 && index < keys.length) {
    keys[index] = value;
    store(exchange, context, keys);
  } else if (typeof old === 'string' && typeof replacement === 'string') {
    const at = keys.indexOf(old);
    if (at >= 0) keys[at] = replacement;
    else keys.push(replacement);
    store(exchange, context, keys);
  } else sendError(exchange, 400, 'missing fields');
}

function remove(exchange: Exchange, context: ManagementContext): void {
  const index = Number(exchange.query.get('index') ?? Number.NaN);
  const value = exchange.query.get('value') ?? '';
  const keys = clientKeys(context);
  if (Number.isInteger(index) && index >= 0 && index < keys.length) store(exchange, context, keys.toSpliced(index, 1));
  else if (value === '') sendError(exchange, 400, 'missing index or value');
  else {
    const kept = keys.filter((key) => key !== value);
    store(exchange, context, kept);
  }
}

export function clientKeys(context: ManagementContext): string[] {
  const keys = context.config.get(['api-keys']);
  return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
}

/** A list as PUT accepts it: bare, or as `items`, which then must not be empty. */
export function listOf(body: JsonValue | undefined): JsonValue[] | null {
  if (Array.isArray(body)) return body;
  const items = isObject(body) ? body.items : null;
  return Array.isArray(items) && items.length > 0 ? items : null;
}
