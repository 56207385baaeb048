import { ACCOUNT_SCENARIOS } from './accounts.ts';
import { BUDGET_SCENARIOS } from './budgets.ts';
import { CONFIGURATION_SCENARIOS } from './configuration.ts';
import { HISTORY_SCENARIOS } from './history.ts';
import { IMPORT_SESSION_SCENARIOS } from './import-sessions.ts';
import { INSPECTION_SCENARIOS } from './inspection.ts';
import { MONITORING_SCENARIOS } from './monitoring.ts';
import { NOTIFICATION_SCENARIOS } from './notifications.ts';
import { QUOTA_SNAPSHOT_SCENARIOS } from './quota-snapshots.ts';
import { range, type Scenario } from './scenario.ts';
import { VIEWER_LINK_SCENARIOS } from './viewer-links.ts';

const dashboard = '/v0/management/dashboard/summary';
const prices = '/v0/management/model-prices';

/** Every endpoint of the manager, in their order. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'health', path: '/health', signedIn: false, status: 200, has: ['"ok":true'] },
  {
    name: 'health has one method',
    method: 'POST',
    path: '/health',
    signedIn: false,
    status: 405,
    has: ['method_not_allowed'],
  },
  {
    name: 'info is public',
    path: '/usage-service/info',
    signedIn: false,
    status: 200,
    has: ['"service":"cpa-manager-plus"', '"configured":true'],
  },
  { name: 'status needs the key', path: '/status', signedIn: false, status: 401, has: ['invalid_admin_key'] },
  {
    name: 'status',
    path: '/status',
    status: 200,
    has: ['"events":50', '"eventCount":50', '"collector":{', '"databaseBytes"', 'usage_cache_accounting_v2'],
  },
  {
    name: 'status of the maintenance alone',
    path: '/status?scope=database-maintenance',
    status: 200,
    has: ['{"databaseMaintenance":{"required":false'],
  },
  {
    name: 'configuration',
    path: '/usage-service/config',
    status: 200,
    has: ['"source":"env"', '"managementKeyConfigured":true', '"codexInspection"'],
  },
  { name: 'configuration needs the key once connected', path: '/usage-service/config', signedIn: false, status: 401 },
  {
    name: 'an environment-managed connection cannot be changed',
    method: 'PUT',
    path: '/usage-service/config',
    body: '{"config":{"cpaConnection":{"cpaBaseUrl":"http://127.0.0.1:1"}}}',
    status: 409,
    has: ['connection_env_managed'],
  },
  {
    name: 'setup needs the key once connected',
    method: 'POST',
    path: '/setup',
    body: '{}',
    signedIn: false,
    status: 401,
  },
  {
    name: 'the admin key alone is checked',
    method: 'POST',
    path: '/setup/check',
    body: '{}',
    status: 200,
    has: ['{"ok":true,"upstream":""}'],
  },
  { name: 'a check needs the key', method: 'POST', path: '/setup/check', body: '{}', signedIn: false, status: 401 },
  { name: 'setup of malformed JSON', method: 'POST', path: '/setup', body: '{', status: 400, has: ['request_failed'] },
  { name: 'aliases', path: '/v0/management/api-key-aliases', status: 200, has: ['{"items":[]}'] },
  {
    name: 'aliases without items',
    method: 'PUT',
    path: '/v0/management/api-key-aliases',
    body: '{}',
    status: 400,
    has: ['api_key_aliases_required'],
  },
  ...BUDGET_SCENARIOS,
  ...CONFIGURATION_SCENARIOS,
  ...NOTIFICATION_SCENARIOS,
  ...VIEWER_LINK_SCENARIOS,
  { name: 'usage', path: '/v0/management/usage', status: 200, has: ['"total_requests":50', '"apis":{'] },
  { name: 'export', path: '/v0/management/usage/export', status: 200, has: ['"event_hash":"'] },
  { name: 'unknown path below usage', path: '/v0/management/usage/nothing', status: 404 },
  { name: 'the same without key does not tell', path: '/v0/management/usage/nothing', signedIn: false, status: 401 },
  ...HISTORY_SCENARIOS,
  ...IMPORT_SESSION_SCENARIOS,
  {
    name: 'prices: a new database starts with those of common models',
    path: prices,
    status: 200,
    has: [
      '{"prices":{"',
      '"source":"built-in"',
      '"gpt-5.5":{"prompt":5,',
      '"contextTiers":[{"thresholdTokens":272000,',
    ],
  },
  { name: 'prices need the key', path: prices, signedIn: false, status: 401, has: ['invalid_admin_key'] },
  { name: 'prices without prices', method: 'PUT', path: prices, body: '{}', status: 400, has: ['prices_required'] },
  { name: 'prices of malformed JSON', method: 'PUT', path: prices, body: '{', status: 400, has: ['request_failed'] },
  {
    name: 'a price below 0',
    method: 'PUT',
    path: prices,
    body: '{"prices":{"acme-chat":{"prompt":1,"completion":-1}}}',
    status: 400,
    has: ['acme-chat', 'completion', '0 or more'],
  },
  {
    name: 'a context tier without a rate',
    method: 'PUT',
    path: prices,
    body: '{"prices":{"acme-chat":{"prompt":1,"contextTiers":[{"thresholdTokens":5}]}}}',
    status: 400,
    has: ['acme-chat', 'contextTiers[0]', 'at least one rate'],
  },
  { name: 'prices have no DELETE', method: 'DELETE', path: prices, status: 405 },
  {
    name: 'models that the events name',
    path: `${prices}/usage-summary`,
    status: 200,
    has: ['{"sampled_events":50,"total_events":50,"truncated":false,"models":[{"model":"', '"requested_calls":'],
  },
  { name: 'a price sync of malformed JSON', method: 'POST', path: `${prices}/sync`, body: '{', status: 400 },
  { name: 'a price sync needs the key', method: 'POST', path: `${prices}/sync`, signedIn: false, status: 401 },
  { name: 'a path that only begins alike is forwarded', path: '/v0/management/model-prices-x', status: 404 },
  {
    name: 'dashboard',
    path: `${dashboard}?today_start_ms=1&now_ms=${range.to_ms}&recent_failures=1`,
    status: 200,
    has: ['"today":{"total_calls":50,', '"traffic_timeline":[', '"token_mix":[{"key":"input"', '"recent_failures":['],
  },
  { name: 'dashboard up to the clock of the server', path: `${dashboard}/?today_start_ms=1`, status: 200 },
  { name: 'dashboard without a day', path: dashboard, status: 400, has: ['today_start_ms: missing'] },
  {
    name: 'dashboard of no number',
    path: `${dashboard}?today_start_ms=x`,
    status: 400,
    has: ['today_start_ms: positive integer expected', 'request_failed'],
  },
  {
    name: 'dashboard that ends before it begins',
    path: `${dashboard}?today_start_ms=5&now_ms=4`,
    status: 400,
    has: ['now_ms'],
  },
  {
    name: 'dashboard needs the key before its parameters are looked at',
    path: dashboard,
    signedIn: false,
    status: 401,
    has: ['invalid_admin_key'],
  },
  { name: 'dashboard has one method', method: 'POST', path: dashboard, body: '{}', status: 405 },
  { name: 'nothing else below the dashboard', path: '/v0/management/dashboard/other', status: 405 },
  ...MONITORING_SCENARIOS,
  ...INSPECTION_SCENARIOS,
  ...ACCOUNT_SCENARIOS,
  ...QUOTA_SNAPSHOT_SCENARIOS,
  { name: 'the queue is not read past the collector', path: '/v0/management/usage-queue', status: 409 },
  { name: 'the configuration of the upstream passes', path: '/v0/management/config', status: 200 },
  {
    name: 'and needs the key',
    path: '/v0/management/config',
    signedIn: false,
    status: 401,
    has: ['invalid_admin_key'],
  },
  { name: 'models pass with the key of the caller', path: '/v1/models', signedIn: false, status: 401 },
  { name: 'encoded slashes match nothing', path: '/v0/management/usage%2Fexport', status: 404 },
  { name: 'dots are resolved before routing', path: '/v0/management/x/../usage/export', signedIn: false, status: 401 },
  {
    name: 'preflight needs no key',
    method: 'OPTIONS',
    path: '/v0/management/usage/export',
    signedIn: false,
    status: 204,
  },
  { name: 'the start page leads to the panel', path: '/', signedIn: false, status: 302 },
  { name: 'the panel', path: '/management.html', signedIn: false, status: 200, has: ['<!doctype html>'] },
  { name: 'nothing else', path: '/nothing', status: 404, has: ['"code"'] },
  // Last, because it replaces every price.
  {
    name: 'prices replace all that were there',
    method: 'PUT',
    path: prices,
    body: '{"prices":{"acme-chat":{"prompt":2,"completion":8,"cache":0.5,"source":"manual"}}}',
    status: 200,
    has: ['{"prices":{"acme-chat":{"prompt":2,"completion":8,"cache":0.5,"source":"manual","updatedAtMs":'],
  },
];
