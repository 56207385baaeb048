import type { Exchange } from '../http/exchange.ts';
import type { JsonValue } from '../json.ts';
import { objectBody, save, sendError, sendOk } from './answers.ts';
import type { ManagementContext } from './context.ts';
import type { Handler, Route } from './router.ts';

type Kind = 'boolean' | 'integer' | 'string';

interface Scalar {
  readonly path: string;
  readonly kind: Kind;
  readonly feature?: string;
  /** Negative numbers become this. */
  readonly floor?: number;
}

const SCALARS: readonly Scalar[] = [
  { path: 'debug', kind: 'boolean' },
  { path: 'logging-to-file', kind: 'boolean' },
  { path: 'logs-max-total-size-mb', kind: 'integer', floor: 0 },
  { path: 'error-logs-max-files', kind: 'integer', floor: 10 },
  { path: 'usage-statistics-enabled', kind: 'boolean' },
  { path: 'request-log', kind: 'boolean' },
  { path: 'ws-auth', kind: 'boolean' },
  { path: 'proxy-url', kind: 'string' },
  { path: 'request-retry', kind: 'integer' },
  { path: 'max-retry-credentials', kind: 'integer', feature: 'max-retry-credentials' },
  { path: 'max-retry-interval', kind: 'integer' },
  { path: 'force-model-prefix', kind: 'boolean' },
  { path: 'quota-exceeded/switch-project', kind: 'boolean' },
  { path: 'quota-exceeded/switch-preview-model', kind: 'boolean' },
];

const STRATEGIES: Readonly<Record<string, string>> = {
  'round-robin': 'round-robin',
  rr: 'round-robin',
  'weighted-round-robin': 'weighted-round-robin',
  wrr: 'weighted-round-robin',
  'fill-first': 'fill-first',
  ff: 'fill-first',
};

/** The whole configuration and its scalar values. */
export const configRoutes: readonly Route[] = [
  {
    methods: 'GET',
    path: '/config',
    handler: (exchange, context) => exchange.sendJson(200, visibleConfig(context)),
  },
  { methods: 'GET', path: '/config.yaml', handler: sendYaml },
  { methods: 'PUT', path: '/config.yaml', handler: replaceYaml },
  ...SCALARS.flatMap(scalarRoutes),
  {
    methods: 'DELETE',
    path: '/proxy-url',
    handler: (exchange, context) => {
      if (save(exchange, context, ['proxy-url'], '')) sendOk(exchange);
    },
  },
  {
    methods: 'GET',
    path: '/routing/strategy',
    handler: (exchange, { config }) =>
      exchange.sendJson(200, { strategy: config.get(['routing', 'strategy']) ?? 'round-robin' }),
  },
  { methods: 'PUT|PATCH', path: '/routing/strategy', handler: setStrategy },
];

function sendYaml(exchange: Exchange, { config }: ManagementContext): void {
  const headers = { 'Content-Type': 'application/yaml; charset=utf-8', 'Cache-Control': 'no-store' };
  exchange.sendText(200, config.yaml(), headers);
}

function visibleConfig(context: ManagementContext): Record<string, JsonValue> {
  const view = context.config.view();
  const { endpoints } = context.profile();
  if (!endpoints.has('queue-retention')) delete view['redis-usage-queue-retention-seconds'];
  if (!endpoints.has('max-retry-credentials')) delete view['max-retry-credentials'];
  if (!endpoints.has('plugins')) delete view.plugins;
  if (!endpoints.has('interactions-api-key')) delete view['interactions-api-key'];
  if (!endpoints.has('xai-api-key')) delete view['xai-api-key'];
  return view;
}

async function replaceYaml(exchange: Exchange, context: ManagementContext): Promise<void> {
  const text = (await exchange.bytes()).toString();
  if (context.faults.take('save-failure') !== null) {
    sendError(exchange, 500, 'write_failed', 'no space left on device');
    return;
  }
  const result = context.config.replace(text);
  if (result.ok) exchange.sendJson(200, { ok: true, changed: ['config'] });
  else sendError(exchange, 400, 'invalid_yaml', result.message);
}

function scalarRoutes(scalar: Scalar): Route[] {
  const path = scalar.path.split('/');
  const shownAs = path.at(-1) ?? '';
  const get: Handler = (exchange, { config }) =>
    exchange.sendJson(200, { [shownAs]: config.get(path) ?? defaultOf(scalar.kind) });
  const set: Handler = async (exchange, context) => {
    const body = await objectBody(exchange);
    if (body === null) return;
    const value = accepted(body.value, scalar);
    if (value === undefined) sendError(exchange, 400, 'invalid body');
    else if (save(exchange, context, path, value)) sendOk(exchange);
  };
  const shared = { path: `/${scalar.path}`, ...(scalar.feature === undefined ? {} : { feature: scalar.feature }) };
  return [
    { ...shared, methods: 'GET', handler: get },
    { ...shared, methods: 'PUT|PATCH', handler: set },
  ];
}

function accepted(value: JsonValue | undefined, scalar: Scalar): JsonValue | undefined {
  if (scalar.kind === 'integer') {
    if (typeof value !== 'number' || !Number.isInteger(value)) return undefined;
    return value < 0 && scalar.floor !== undefined ? scalar.floor : value;
  }
  return typeof value === scalar.kind ? value : undefined;
}

function defaultOf(kind: Kind): JsonValue {
  if (kind === 'boolean') return false;
  return kind === 'integer' ? 0 : '';
}

async function setStrategy(exchange: Exchange, context: ManagementContext): Promise<void> {
  const body = await objectBody(exchange);
  if (body === null) return;
  if (typeof body.value !== 'string') {
    sendError(exchange, 400, 'invalid body');
    return;
  }
  const strategy = STRATEGIES[body.value.trim().toLowerCase()];
  if (strategy === undefined) sendError(exchange, 400, 'invalid strategy');
  else if (save(exchange, context, ['routing', 'strategy'], strategy)) sendOk(exchange);
}
