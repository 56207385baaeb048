const M = '/v0/management';

/** What every page may ask: the shell finds out whether a manager answers, and shows its state. */
const SHELL = [
  // The script of the page itself.
  '/usage-service/panel.js',
  '/usage-service/info',
  '/usage-service/config',
  '/status',
  '/health',
  `${M}/config`,
  `${M}/account-action-candidates`,
  // The banner of a failed deletion, and its switch for publishing.
  `${M}/usage/archives`,
  `${M}/usage-statistics-enabled`,
  // The banner of budgets that are used up.
  '/usage-service/budgets',
  // Names of accounts and client keys in the palette, masked with one numbering on all pages.
  `${M}/auth-files`,
  `${M}/api-keys`,
  `${M}/api-key-aliases`,
  `${M}/monitoring/analytics`,
  // Pages of plugins in the navigation.
  `${M}/plugins`,
];
const KEY_LISTS = ['gemini', 'interactions', 'codex', 'xai', 'claude', 'vertex'].map((name) => `${M}/${name}-api-key`);
const PROVIDER_LISTS = [...KEY_LISTS, `${M}/openai-compatibility`];
const ACCOUNTS = [
  `${M}/monitoring/account-history`,
  `${M}/monitoring/account-window-usage`,
  `${M}/monitoring/header-snapshots`,
  `${M}/quota-snapshots`,
  `${M}/quota-snapshots/query`,
  '/usage-service/quota-cooldowns',
  `${M}/auth-files`,
  `${M}/auth-files/models`,
  `${M}/auth-files/download`,
  `${M}/auth-files/status`,
  `${M}/auth-files/fields`,
  `${M}/model-definitions/*`,
  `${M}/api-call`,
  `${M}/reset-quota`,
  // What the last inspection found about each account.
  `${M}/codex-inspection/runs`,
  `${M}/codex-inspection/runs/*`,
];
const SIGN_IN = [
  `${M}/auth-files`,
  `${M}/*-auth-url`,
  `${M}/get-auth-status`,
  `${M}/oauth-callback`,
  `${M}/oauth-session`,
  `${M}/vertex/import`,
];

/** The file of pages that only a manager has. */
const MANAGER_PAGES = '/usage-service/manager-pages.js';
/** A tab that a viewer link opened asks nothing else: `test/e2e/viewer-links.test.ts` holds that. */
const VIEWER = ['/usage-service/viewer', '/usage-service/viewer/analytics'];

/** Endpoints of each page, besides the shell's. `*` stands for one part of a path. */
export const PAGE_ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  '/login': [],
  '/setup': ['/setup', '/setup/check'],
  '/first-request': ['/health', `${M}/api-keys`, `${M}/usage-statistics-enabled`, '/v1/models'],
  '/dashboard': [
    `${M}/dashboard/summary`,
    `${M}/api-key-aliases`,
    `${M}/latest-version`,
    `${M}/request-error-logs`,
    `${M}/auth-files`,
    `${M}/api-keys`,
    `${M}/api-key-usage`,
    ...PROVIDER_LISTS,
    '/v1/models',
  ],
  '/monitoring': [
    `${M}/monitoring/analytics`,
    `${M}/monitoring/export`,
    `${M}/monitoring/header-snapshots`,
    `${M}/api-key-aliases`,
    `${M}/model-prices`,
    `${M}/usage/export`,
    `${M}/auth-files`,
    `${M}/api-keys`,
    `${M}/request-log-by-id/*`,
  ],
  '/report': [MANAGER_PAGES, `${M}/monitoring/analytics`],
  '/doctor': [`${M}/usage-statistics-enabled`],
  '/usage-analytics': [
    `${M}/monitoring/analytics`,
    `${M}/api-key-aliases`,
    `${M}/model-prices`,
    `${M}/api-keys`,
    `${M}/auth-files`,
  ],
  '/model-prices': [
    MANAGER_PAGES,
    `${M}/model-prices`,
    `${M}/model-prices/usage-summary`,
    `${M}/model-prices/sync`,
    '/v1/models',
  ],
  '/accounts': ACCOUNTS,
  '/accounts?view=health': [
    MANAGER_PAGES,
    `${M}/codex-inspection/runs`,
    `${M}/codex-inspection/runs/*`,
    `${M}/codex-inspection/run`,
    `${M}/codex-inspection/runs/*/cancel`,
    `${M}/codex-inspection/runs/*/actions`,
    `${M}/auth-files`,
    `${M}/auth-files/*`,
    `${M}/api-call`,
    // Quota beside the result.
    `${M}/quota-snapshots/query`,
  ],
  '/accounts?view=oauth': [
    `${M}/oauth-excluded-models`,
    `${M}/oauth-model-alias`,
    `${M}/oauth-request-scoped-errors`,
    `${M}/model-definitions/*`,
    `${M}/auth-files/models`,
    // Who serves a model: provider keys too.
    ...PROVIDER_LISTS,
  ],
  '/accounts/actions': [
    MANAGER_PAGES,
    ...['ignore', 'resolve', 'enable', 'auth-file'].map((action) => `${M}/account-action-candidates/*/${action}`),
    ...SIGN_IN,
    '/usage-service/account-processing-policy',
  ],
  '/oauth': SIGN_IN,
  '/providers': [
    ...PROVIDER_LISTS,
    `${M}/api-key-usage`,
    `${M}/api-call`,
    `${M}/model-definitions/*`,
    // The last seven days of each key, which only the manager knows.
    `${M}/monitoring/analytics`,
  ],
  '/api-keys': [`${M}/api-key-aliases`, `${M}/api-key-aliases/*`, `${M}/monitoring/analytics`, `${M}/api-keys`],
  '/import-export': [
    `${M}/usage/export`,
    `${M}/usage/import`,
    `${M}/usage/import-sessions`,
    `${M}/usage/import-sessions/*`,
    `${M}/usage/import-sessions/*/*`,
  ],
  '/usage-maintenance': [
    MANAGER_PAGES,
    `${M}/usage/maintenance`,
    `${M}/usage/maintenance/retention`,
    `${M}/usage/archives`,
    `${M}/usage/archives/*`,
    `${M}/usage/archives/*/*`,
  ],
  // The manager keeps the history, and serves the editor.
  '/config': [
    `${M}/config.yaml`,
    '/usage-service/gateway-configuration/versions',
    '/usage-service/gateway-configuration/versions/*',
    '/usage-service/code-editor.js',
  ],
  '/logs': [
    `${M}/logs`,
    `${M}/request-error-logs`,
    `${M}/request-error-logs/*`,
    `${M}/request-log-by-id/*`,
    `${M}/request-log`,
    `${M}/logging-to-file`,
  ],
  '/plugins': [
    `${M}/plugins`,
    `${M}/plugins/*`,
    `${M}/plugins/*/enabled`,
    `${M}/plugins/*/config`,
    `${M}/plugin-store`,
    `${M}/plugin-store/*/install`,
  ],
  '/notifications': [
    MANAGER_PAGES,
    '/usage-service/notifications',
    '/usage-service/notifications/log',
    '/usage-service/notifications/settings',
    '/usage-service/notifications/targets',
    '/usage-service/notifications/targets/*',
    '/usage-service/notifications/targets/*/test',
  ],
  '/plugin-pages': ['/v0/resource/plugins/**'],
  '/system': [`${M}/latest-version`, `${M}/request-log`, `${M}/api-keys`, '/v1/models'],
  '/settings': [
    '/usage-service/account-processing-policy',
    '/usage-service/quota-cooldowns',
    `${M}/codex-inspection/runs`,
    '/usage-service/viewer-links',
    '/usage-service/viewer-links/*',
  ],
  '/viewer-usage': VIEWER,
  '/viewer-requests': VIEWER,
};

const SERVED = /^\/(?:v0|v1|usage-service|status|setup|health|models)(?:\/|$)/;

/** The row of an address of the panel: its path, with the view where pages share one. */
export function pageOf(address: string): string | null {
  const [path = '', query = ''] = (new URL(address).hash.slice(1) || '/dashboard').split('?');
  const view = new URLSearchParams(query).get('view');
  const named = view === null ? path : `${path}?view=${view}`;
  const rows = Object.keys(PAGE_ENDPOINTS).sort((a, b) => b.length - a.length);
  return rows.find((row) => named === row || path === row || path.startsWith(`${row}/`)) ?? null;
}

/** Whether a page may send a request to this path. Files of the panel itself are no requests. */
export function isListed(page: string, path: string): boolean {
  if (!SERVED.test(path)) return true;
  return [...SHELL, ...(PAGE_ENDPOINTS[page] ?? [])].some((pattern) => matches(pattern, path));
}

function matches(pattern: string, path: string): boolean {
  if (pattern.endsWith('/**')) return path.startsWith(pattern.slice(0, -2));
  const parts = pattern.split('/');
  const given = path.split('/');
  return (
    parts.length === given.length &&
    parts.every((part, index) => {
      const [before = '', after] = part.split('*');
      const value = given[index] ?? '';
      return after === undefined ? value === part : value.startsWith(before) && value.endsWith(after);
    })
  );
}
