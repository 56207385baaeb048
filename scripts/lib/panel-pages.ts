/**
 * One picture of the panel beyond the entries of the navigation, which are all taken automatically: a tab, a view, or a drawer
 * that the address opens.
 */
export interface PanelPage {
  /** File name of its pictures. */
  readonly name: string;
  /** Route and query. `{…}` is replaced by a value of the scene; a scene without that value skips the page. */
  readonly path: string;
  /** Taken before the sign-in. */
  readonly guest?: boolean;
}

/**
 * Values: `{range}` (query of a range that holds the whole history), `{event}` and `{failedEvent}` (hashes), `{model}`,
 * `{candidate}`, `{importSession}`, `{archiveRun}`, `{inspectionRun}`, `{authFile}`, `{authIndex}`, `{clientKeyHash}`,
 * `{noUpstream}` (a manager that was never set up).
 */
export const PANEL_PAGES: readonly PanelPage[] = [
  { name: 'sign-in', path: '/login', guest: true },
  { name: 'setup', path: '/setup{noUpstream}', guest: true },
  ...['excluded', 'alias', 'errors'].map((editor) => ({
    name: `accounts-rules-${editor}`,
    path: `/accounts?view=oauth&editor=${editor}&model=claude-haiku-4-5-20251001`,
  })),
  { name: 'not-found', path: '/no-such-page' },
  { name: 'monitoring-all', path: '/monitoring?{range}' },
  { name: 'monitoring-failed', path: '/monitoring?{range}&status=failed' },
  { name: 'monitoring-event', path: '/monitoring/event/{event}?{range}' },
  { name: 'monitoring-failed-event', path: '/monitoring/event/{failedEvent}?{range}' },
  ...['accounts', 'keys', 'models', 'failures'].map((tab) => ({
    name: `monitoring-${tab}`,
    path: `/monitoring?{range}&tab=${tab}`,
  })),
  ...['trends', 'models', 'apiKeys', 'credentials', 'heatmap', 'compare'].map((tab) => ({
    name: `usage-analytics-${tab}`,
    path: `/usage-analytics?time_{range}&tab=${tab}`,
  })),
  { name: 'report-accounts', path: '/report?by=account&parts=client_key&measure=tokens' },
  ...['log', 'history'].map((tab) => ({
    name: `accounts-inspection-${tab}`,
    path: `/accounts?view=health&tab=${tab}`,
  })),
  ...['create', 'runs', 'storage'].map((tab) => ({
    name: `usage-maintenance-${tab}`,
    path: `/usage-maintenance?tab=${tab}`,
  })),
  { name: 'archive-run', path: '/usage-maintenance?tab=runs&run={archiveRun}' },
  ...['collector', 'automation', 'inspection', 'appearance', 'privacy', 'viewers'].map((tab) => ({
    name: `settings-${tab}`,
    path: `/settings?tab=${tab}`,
  })),
  ...['source', 'history'].map((mode) => ({ name: `config-${mode}`, path: `/config?mode=${mode}` })),
  { name: 'plugins-store', path: '/plugins?tab=store' },
  { name: 'plugin', path: '/plugins?plugin=simplugin' },
  { name: 'plugin-page', path: '/plugin-pages/simplugin/0' },
  { name: 'config-routing', path: '/config?section=routing' },
  { name: 'logs-raw', path: '/logs?raw=1&hide_management=0' },
  { name: 'logs-errors', path: '/logs?tab=errors' },
  { name: 'api-key', path: '/api-keys?key={clientKeyHash}&show=all' },
  { name: 'account', path: '/accounts?account={authIndex}' },
  { name: 'account-quota', path: '/accounts?account={authIndex}&tab=quota' },
  { name: 'actions-all', path: '/accounts/actions?status=all' },
  { name: 'actions-drawer', path: '/accounts/actions?candidate={candidate}' },
  { name: 'prices-all', path: '/model-prices?filter=all' },
  { name: 'prices-drawer', path: '/model-prices?filter=all&model={model}' },
  { name: 'notifications-new', path: '/notifications?target=new' },
  { name: 'import-session', path: '/import-export?session={importSession}' },
];
