import type { Exchange } from '../http/exchange.ts';
import type { JsonObject } from '../json.ts';
import { objectBody, sendError } from './answers.ts';
import type { ManagementContext } from './context.ts';
import { channelOf, modelsOf } from './models.ts';
import { findByAuthIndex, keyEntriesOf, PROVIDER_LISTS, shownEntries, textOf } from './provider-lists.ts';
import type { Parameters, Route } from './router.ts';

/** Quota reset, key usage, model catalogs and versions, and the usage export of old versions. */
export const usageRoutes: readonly Route[] = [
  { methods: 'POST', path: '/reset-quota', feature: 'reset-quota', kind: 'reset-quota', handler: resetQuota },
  {
    methods: 'GET',
    path: '/api-key-usage',
    feature: 'api-key-usage',
    handler: (exchange, context) => exchange.sendJson(200, keyUsage(context)),
  },
  {
    methods: 'GET',
    path: '/latest-version',
    handler: (exchange, context) => {
      if (context.hasInternet()) exchange.sendJson(200, { 'latest-version': 'v7.2.140' });
      else sendError(exchange, 502, 'request_failed', `Get "${RELEASES}": <network error>`);
    },
  },
  { methods: 'GET', path: '/model-definitions/:channel', handler: modelDefinitions },
  {
    methods: 'GET',
    path: '/model-definitions',
    handler: (exchange) => sendError(exchange, 400, 'channel is required'),
  },
  {
    methods: 'GET',
    path: '/usage',
    feature: 'usage-export',
    handler: (exchange) => exchange.sendJson(200, OLD_USAGE),
  },
  { methods: 'GET', path: '/usage/export', feature: 'usage-export', handler: exportUsage },
];

/** Where a gateway looks for its latest release. */
const RELEASES = 'https://api.github.com/repos/router-for-me/CLIProxyAPI/releases/latest';

function exportUsage(exchange: Exchange, { clock }: ManagementContext): void {
  const exported_at = new Date(clock.now()).toISOString();
  exchange.sendJson(200, { version: 1, exported_at, usage: OLD_USAGE.usage ?? {} });
}

/** The in-memory statistics of the oldest versions before the first request. */
const OLD_USAGE: JsonObject = {
  usage: {
    total_requests: 0,
    success_count: 0,
    failure_count: 0,
    total_tokens: 0,
    apis: {},
    requests_by_day: {},
    requests_by_hour: {},
    tokens_by_day: {},
    tokens_by_hour: {},
  },
  failed_requests: 0,
};

async function resetQuota(exchange: Exchange, context: ManagementContext): Promise<void> {
  const body = await objectBody(exchange, 'invalid request body');
  if (body === null) return;
  const authIndex = textOf(body.auth_index);
  const file = context.authFiles.byIndex(authIndex);
  if (authIndex === '') sendError(exchange, 400, 'auth_index is required');
  else if (file === null && findByAuthIndex(context, authIndex) === null) sendError(exchange, 404, 'auth not found');
  else {
    if (file !== null) {
      Object.assign(file.row, {
        unavailable: false,
        status_message: '',
        status: file.disabled ? 'disabled' : 'active',
      });
      delete file.row.next_retry_after;
    }
    const models = modelsOf(String(file?.row.type ?? 'codex')).map(({ id }) => id);
    exchange.sendJson(200, { status: 'ok', auth_index: authIndex, models });
  }
}

function keyUsage(context: ManagementContext): JsonObject {
  const usage: JsonObject = {};
  for (const list of PROVIDER_LISTS) {
    for (const entry of shownEntries(context, list)) {
      const isCompatible = list.name === 'openai-compatibility';
      const group = isCompatible ? textOf(entry.name).toLowerCase() : list.provider;
      const keys = isCompatible ? keyEntriesOf(entry) : [entry];
      const rows: JsonObject = {};
      for (const key of keys) {
        const authIndex = textOf(key['auth-index']);
        const { success, failed } = context.counters.of(authIndex);
        const name = `${textOf(entry['base-url'])}|${textOf(key['api-key'])}`;
        rows[name] = { success, failed, recent_requests: context.counters.recentRequests(authIndex) };
      }
      usage[group] = { ...(usage[group] as JsonObject | undefined), ...rows };
    }
  }
  return usage;
}

function modelDefinitions(exchange: Exchange, _: ManagementContext, { channel: name = '' }: Parameters): void {
  const channel = channelOf(name);
  if (channel === null) exchange.sendJson(400, { error: 'unknown channel', channel: name });
  else
    exchange.sendJson(200, { channel: name.toLowerCase(), models: modelsOf(channel).map((model) => ({ ...model })) });
}
