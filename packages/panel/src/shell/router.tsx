import { createHashHistory, createRootRoute, createRoute, createRouter, Navigate } from '@tanstack/react-router';
import { AnalyticsPage } from '../features/analytics/analytics-page.tsx';
import { ClientKeysPage } from '../features/client-keys/client-keys-page.tsx';
import { ConfigurationPage } from '../features/configuration/configuration-page.tsx';
import { DashboardPage } from '../features/dashboard/dashboard-page.tsx';
import { GatewayDashboard } from '../features/dashboard/gateway-dashboard.tsx';
import { DoctorPage } from '../features/doctor/doctor-page.tsx';
import { FirstRequestPage } from '../features/doctor/first-request/first-request-page.tsx';
import { LogsPage } from '../features/logs/logs-page.tsx';
import { MonitoringPage } from '../features/monitoring/monitoring-page.tsx';
import { PluginPage } from '../features/plugins/page/plugin-page.tsx';
import { PluginsPage } from '../features/plugins/plugins-page.tsx';
import { ProviderSignInPage } from '../features/provider-sign-in/provider-sign-in-page.tsx';
import { ProvidersPage } from '../features/providers/providers-page.tsx';
import { SettingsPage } from '../features/settings/settings-page.tsx';
import { SetupPage } from '../features/setup/setup-page.tsx';
import { SignInPage } from '../features/setup/sign-in/sign-in-page.tsx';
import { SystemPage } from '../features/system/system-page.tsx';
import { TransferPage } from '../features/transfer/transfer-page.tsx';
import { useManaged, useMode } from '../platform/api/services.ts';
import { parseUrlSearch, stringifyUrlSearch, type UrlSearch } from '../platform/browser/url-search.ts';
import { usePreferences } from '../platform/preferences/preferences.ts';
import { AccountsRoute } from './accounts-route.tsx';
import { ManagerPage } from './manager-page.tsx';
import { REDIRECTS, startPath } from './navigation.ts';
import { NotFoundPage } from './other-pages.tsx';
import { HostGate, Shell } from './shell.tsx';

const rootRoute = createRootRoute({
  component: HostGate,
  notFoundComponent: NotFoundPage,
  validateSearch: (search: Record<string, unknown>): UrlSearch => search as UrlSearch,
});

const loginRoute = createRoute({ getParentRoute: () => rootRoute, path: '/login', component: SignInPage });
const setupRoute = createRoute({ getParentRoute: () => rootRoute, path: '/setup', component: SetupPage });
const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell });

const inShell = { getParentRoute: () => shellRoute };
const monitoringRoute = createRoute({ ...inShell, path: '/monitoring', component: MonitoringPage });
const eventRoute = createRoute({ getParentRoute: () => monitoringRoute, path: '/event/$eventHash' });

const routeTree = rootRoute.addChildren([
  loginRoute,
  setupRoute,
  shellRoute.addChildren([
    createRoute({ ...inShell, path: '/', component: StartPage }),
    createRoute({ ...inShell, path: '/dashboard', component: DashboardRoute }),
    monitoringRoute.addChildren([eventRoute]),
    createRoute({ ...inShell, path: '/accounts', component: AccountsRoute }),
    createRoute({ ...inShell, path: '/accounts/actions', component: () => <ManagerPage name="AccountActionsPage" /> }),
    createRoute({ ...inShell, path: '/api-keys', component: ClientKeysPage }),
    createRoute({ ...inShell, path: '/config', component: ConfigurationPage }),
    createRoute({ ...inShell, path: '/doctor', component: DoctorPage }),
    createRoute({ ...inShell, path: '/first-request', component: FirstRequestPage }),
    createRoute({ ...inShell, path: '/import-export', component: TransferPage }),
    createRoute({ ...inShell, path: '/logs', component: LogsPage }),
    createRoute({ ...inShell, path: '/usage-maintenance', component: () => <ManagerPage name="ArchivesPage" /> }),
    createRoute({ ...inShell, path: '/model-prices', component: () => <ManagerPage name="PricesPage" /> }),
    createRoute({ ...inShell, path: '/notifications', component: () => <ManagerPage name="NotificationsPage" /> }),
    createRoute({ ...inShell, path: '/oauth', component: ProviderSignInPage }),
    createRoute({ ...inShell, path: '/plugin-pages/$pluginId/$menuIndex', component: PluginPage }),
    createRoute({ ...inShell, path: '/plugins', component: PluginsPage }),
    createRoute({ ...inShell, path: '/providers', component: ProvidersPage }),
    createRoute({ ...inShell, path: '/report', component: () => <ManagerPage name="ReportPage" /> }),
    createRoute({ ...inShell, path: '/settings', component: SettingsPage }),
    createRoute({ ...inShell, path: '/system', component: SystemPage }),
    createRoute({ ...inShell, path: '/usage-analytics', component: AnalyticsPage }),
    ...Object.entries(REDIRECTS).map(([path, target]) =>
      createRoute({ ...inShell, path, component: () => <Redirect target={target} /> }),
    ),
    createRoute({ ...inShell, path: '$', component: NotFoundPage }),
  ]),
]);

/** A gateway alone has no days, costs and tokens: its dashboard is another page. */
function DashboardRoute() {
  return useManaged() ? <DashboardPage /> : <GatewayDashboard />;
}

function StartPage() {
  return <Navigate to={startPath(usePreferences().startPage, useMode())} search={{}} replace />;
}

/** Old bookmarks keep the rest of their query. */
function Redirect({ target }: { readonly target: string }) {
  const [path = '/', query = ''] = target.split('?');
  return <Navigate to={path} search={(before: UrlSearch) => ({ ...before, ...parseUrlSearch(query) })} replace />;
}

export function createPanelRouter() {
  return createRouter({
    routeTree,
    history: createHashHistory(),
    parseSearch: parseUrlSearch,
    stringifySearch: stringifyUrlSearch,
    defaultPreload: false,
    defaultStructuralSharing: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>;
  }
}
