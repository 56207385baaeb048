import type { Exchange } from '../http/exchange.ts';
import { isObject, type JsonObject } from '../json.ts';
import { objectBody, save, sendError, sendOk } from './answers.ts';
import { listOf } from './api-key-routes.ts';
import type { ManagementContext } from './context.ts';
import { entriesOf, PROVIDER_LISTS, type ProviderList, sanitise, shownEntries, textOf } from './provider-lists.ts';
import type { Handler, Route } from './router.ts';

/** Provider key lists: whole lists by GET and PUT, single entries by PATCH and DELETE. */
export const providerListRoutes: readonly Route[] = PROVIDER_LISTS.flatMap((list) => {
  const shared = { path: `/${list.name}`, ...(list.feature === undefined ? {} : { feature: list.feature }) };
  const handler =
    (handle: ListHandler): Handler =>
    (exchange, context) =>
      handle(exchange, context, list);
  return [
    { ...shared, methods: 'GET', handler: handler(get) },
    { ...shared, methods: 'PUT', handler: handler(put) },
    { ...shared, methods: 'PATCH', handler: handler(patch) },
    { ...shared, methods: 'DELETE', handler: handler(remove) },
  ];
});

type ListHandler = (exchange: Exchange, context: ManagementContext, list: ProviderList) => void | Promise<void>;

function get(exchange: Exchange, context: ManagementContext, list: ProviderList): void {
  exchange.sendJson(200, { [list.name]: shownEntries(context, list) });
}

function store(
  exchange: Exchange,
  context: ManagementContext,
  list: ProviderList,
  entries: readonly JsonObject[],
): void {
  const result = sanitise(list, entries);
  if ('error' in result) sendError(exchange, 400, result.error);
  else if (save(exchange, context, [list.name], result.entries)) {
    context.reloaded();
    sendOk(exchange);
  }
}

async function put(exchange: Exchange, context: ManagementContext, list: ProviderList): Promise<void> {
  const items = listOf(await exchange.json());
  if (items === null || !items.every(isObject)) sendError(exchange, 400, 'invalid body');
  else store(exchange, context, list, items);
}

async function patch(exchange: Exchange, context: ManagementContext, list: ProviderList): Promise<void> {
  const body = await objectBody(exchange);
  if (body === null) return;
  const value = body.value;
  if (!isObject(value)) {
    sendError(exchange, 400, 'invalid body');
    return;
  }
  const entries = entriesOf(context, list);
  const found = findEntry(exchange, list, entries, body);
  if (typeof found === 'string') {
    sendError(exchange, found === 'item not found' ? 404 : 400, found);
    return;
  }
  const changes = Object.entries(value).filter(([name]) => name !== 'auth-index' && !list.notPatched.includes(name));
  const changed: JsonObject = { ...entries[found], ...Object.fromEntries(changes) };
  const isEmptied =
    (list.needsBaseUrl && textOf(changed['base-url']) === '') ||
    (list.name === 'vertex-api-key' && textOf(changed['api-key']) === '');
  store(exchange, context, list, isEmptied ? entries.toSpliced(found, 1) : entries.with(found, changed));
}

/** Index of the entry a PATCH selects, or the error text. */
function findEntry(
  exchange: Exchange,
  list: ProviderList,
  entries: readonly JsonObject[],
  body: JsonObject,
): number | string {
  const { index } = body;
  if (typeof index === 'number' && index >= 0 && index < entries.length) return index;
  const isNamed = list.name === 'openai-compatibility';
  const wanted = textOf(isNamed ? (body.name ?? body.match) : body.match);
  if (wanted === '') return 'item not found';
  const baseUrl = exchange.query.get('base-url');
  const matching = entries.flatMap((entry, at) => {
    if (textOf(entry[isNamed ? 'name' : 'api-key']) !== wanted) return [];
    return baseUrl === null || textOf(entry['base-url']) === baseUrl ? [at] : [];
  });
  const [first] = matching;
  if (first === undefined) return 'item not found';
  return matching.length > 1 ? 'multiple items match; index is required' : first;
}

function remove(exchange: Exchange, context: ManagementContext, list: ProviderList): void {
  const entries = entriesOf(context, list);
  const isNamed = list.name === 'openai-compatibility';
  const wanted = (exchange.query.get(isNamed ? 'name' : 'api-key') ?? '').trim();
  const index = Number(exchange.query.get('index') ?? Number.NaN);
  if (wanted === '') {
    if (Number.isInteger(index) && index >= 0 && index < entries.length)
      store(exchange, context, list, entries.toSpliced(index, 1));
    else sendError(exchange, 400, isNamed ? 'missing name or index' : 'missing api-key or index');
    return;
  }
  const baseUrl = exchange.query.get('base-url');
  const matches = (entry: JsonObject): boolean =>
    textOf(entry[isNamed ? 'name' : 'api-key']) === wanted &&
    (baseUrl === null || textOf(entry['base-url']) === baseUrl);
  const count = entries.filter(matches).length;
  const isStrict = list.name === 'gemini-api-key' || list.name === 'interactions-api-key';
  if (count === 0 && isStrict) sendError(exchange, 404, 'item not found');
  else if (count > 1 && !isNamed && baseUrl === null)
    sendError(exchange, 400, 'multiple items match api-key; base-url is required');
  else
    store(
      exchange,
      context,
      list,
      entries.filter((entry) => !matches(entry)),
    );
}
